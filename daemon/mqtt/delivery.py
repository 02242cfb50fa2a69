"""What becomes of a message that is sent, and of a connection that is not there."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from daemon.errors import OutageError, SetupError
from daemon.mqtt.settings import MqttSettings

JSON_TYPE: Final = "application/json"


@dataclass(frozen=True, slots=True)
class Delivered:
    """The broker has it. Without `heard` nobody had subscribed, which is no failure (3.1.1 cannot say)."""

    heard: bool


@dataclass(frozen=True, slots=True)
class Refused:
    """The broker has it not, and says why."""

    code: int
    reason: str


@dataclass(frozen=True, slots=True)
class Lost:
    """The connection went first: whether the broker has it is unknown, so it is sent again."""


Delivery: TypeAlias = Delivered | Refused | Lost


class BrokerAwayError(OutageError):
    """The broker cannot be reached, or left."""

    def __init__(self, settings: MqttSettings, reason: str) -> None:
        where = f"{settings.host}:{settings.port}"
        super().__init__("broker-away", f"No connection to the broker at {where}: {reason}.", "It is tried again.")


class BrokerRefusesError(SetupError):
    """The broker is there and will not let us in, or not let us read."""

    def __init__(self, settings: MqttSettings, reason: str) -> None:
        where = f"{settings.host}:{settings.port}"
        remedy = "Compare user, password, certificates and client id here with the broker's access list."
        super().__init__("broker-refuses", f"The broker at {where} refuses us: {reason}.", remedy)


class Publisher(Protocol):
    """What the outbox and the retained picture need of a connection."""

    def post(
        self,
        topic: str,
        payload: bytes,
        *,
        retain: bool = False,
        content_type: str = JSON_TYPE,
        correlation: bytes | None = None,
    ) -> asyncio.Future[Delivery]:
        """Send at QoS 1; the future always comes to a delivery, never to an exception."""
