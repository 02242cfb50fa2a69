"""How a publish ends, and the errors of a connection to the broker."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from types import MappingProxyType
from typing import Any, Final, Protocol, TypeAlias, TypeVar

import aiomqtt

from daemon.errors import OutageError, SetupError
from daemon.mqtt.settings import MqttSettings
from protocols.frozen import dataclass

JSON_TYPE: Final = "application/json"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Delivered:
    """The broker acknowledged it. `heard` is False if nobody had subscribed, which is not a failure (3.1.1: True)."""

    heard: bool


@dataclass(frozen=True, slots=True)
class Refused:
    """The broker refused it with a reason code."""

    code: int
    reason: str


@dataclass(frozen=True, slots=True)
class Lost:
    """The connection ended before the PUBACK. The broker may have the message or not, so it is sent again."""


Delivery: TypeAlias = Delivered | Refused | Lost


class BrokerAwayError(OutageError):
    """The broker cannot be reached, or the connection to it ended."""

    def __init__(self, settings: MqttSettings, reason: str) -> None:
        where = f"{settings.host}:{settings.port}"
        message = f"No connection to the broker at {where}: {reason}."
        super().__init__("broker-away", message, "feltd tries again by itself.")


_UNKNOWN_AUTHORITY: Final = (
    "feltd does not know the authority of the broker's certificate: name the authority's own certificate as ca_file in "
    "[mqtt.tls]."
)
_ANOTHER_NAME: Final = (
    "The broker's certificate is for another name: write that name as host in [mqtt], or have a certificate made for "
    "this one."
)
_OF_A_CERTIFICATE: Final = MappingProxyType(
    {
        "self-signed certificate": _UNKNOWN_AUTHORITY,
        "unable to get local issuer certificate": _UNKNOWN_AUTHORITY,
        "certificate is not valid for": _ANOTHER_NAME,
        "certificate has expired": (
            "The broker's certificate or its authority's has expired: make a new one. If it has not, set this "
            "machine's clock (timedatectl)."
        ),
        "certificate is not yet valid": "Set the clock of this machine (timedatectl), or wait until the day has come.",
    }
)
"""What OpenSSL says of a broker's certificate that is not accepted, and what to do."""


class BrokerRefusesError(SetupError):
    """The broker answers and refuses the connection or a subscription."""

    def __init__(self, settings: MqttSettings, reason: str) -> None:
        where = f"{settings.host}:{settings.port}"
        remedy = "Compare user, password, certificates and client id in [mqtt] with the broker's configuration."
        super().__init__("broker-refuses", f"The broker at {where} refuses feltd: {reason}.", remedy)
        self.remedy = next((better for said, better in _OF_A_CERTIFICATE.items() if said in reason), remedy)


class BrokerProtocolError(SetupError):
    """The broker's port speaks TLS or MQTT in another way than [mqtt] says. `change` is of `daemon.mqtt.diagnosis`."""

    def __init__(self, settings: MqttSettings, reason: str, change: str) -> None:
        where = f"{settings.host}:{settings.port}"
        message = f"The broker at {where} does not speak as [mqtt] says: {reason}."
        super().__init__("broker-protocol", message, f"{change} Then start again.")


class Publisher(Protocol):
    """A connection, as the outbox and the retained picture use it."""

    def post(
        self,
        topic: str,
        payload: bytes,
        *,
        retain: bool = False,
        content_type: str = JSON_TYPE,
        correlation: bytes | None = None,
        more: bool = False,
    ) -> asyncio.Future[Delivery]:
        """Publish at QoS 1. The future ends with a delivery, never with an exception.

        If `more` is posted at once, both are written together, with the last.
        """


async def unless_ended(asked: Coroutine[Any, Any, T], ended: asyncio.Future[Any]) -> T:
    """Return the broker's answer. Raise MqttError as soon as the connection has ended, which the library waits out."""
    asking = asyncio.ensure_future(asked)
    try:
        await asyncio.wait({asking, ended}, return_when=asyncio.FIRST_COMPLETED)
        if not asking.done():
            raise aiomqtt.MqttError("the broker closed the connection")
        return asking.result()
    finally:
        asking.cancel()
