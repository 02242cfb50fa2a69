"""What a table must know to reach its broker. Configuration fills it; nothing here reads a file."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path


class MqttVersion(Enum):
    """The protocol's versions, as configuration spells them."""

    V5 = "5"
    V3_1_1 = "3.1.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class TlsSettings:
    """Encrypted, and the broker's certificate always checked against its name."""

    ca_file: Path | None = None  # None: the authorities that this machine trusts
    certificate_file: Path | None = None
    key_file: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MqttSettings:
    """One table's broker. The defaults are those of a Mosquitto on the same machine."""

    host: str = "localhost"
    port: int = 1883
    version: MqttVersion = MqttVersion.V5
    client_id: str | None = None  # None: feltd-<site>-<table>
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: TlsSettings | None = None
    keepalive_s: int = 10  # the broker publishes the last will after one and a half of these in silence
    session_expiry_s: int = 3_600  # how long the broker keeps commands for a daemon that is away
    connect_s_max: float = 5.0
    ack_s_max: float = 30.0  # a broker that answers pings and acknowledges nothing for so long is left
    backoff_s_min: float = 0.5
    backoff_s_max: float = 30.0
    in_flight_max: int = 64
