"""The settings of a table's connection to its broker. `daemon.config` fills them in."""

from __future__ import annotations

import hmac
from dataclasses import field
from enum import Enum
from pathlib import Path
from typing import Final

from protocols.frozen import dataclass

CLIENT_SECRET_DIGITS: Final = 16


class MqttVersion(Enum):
    """The versions of MQTT, as the configuration spells them."""

    V5 = "5"
    V3_1_1 = "3.1.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class TlsSettings:
    """TLS. The broker's certificate is always checked against its host name."""

    ca_file: Path | None = None  # None: the machine's own list of authorities
    certificate_file: Path | None = None
    key_file: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MqttSettings:
    """One table's broker. The defaults fit a Mosquitto on the same machine."""

    host: str = "localhost"
    port: int = 1883
    version: MqttVersion = MqttVersion.V5
    client_id: str | None = None  # None: see own_client_id
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: TlsSettings | None = None
    keepalive_s: int = 10  # after 1.5 of these in silence the broker publishes the last will
    session_expiry_s: int = 3_600  # how long the broker keeps commands while the daemon is away
    connect_s_max: float = 5.0
    ack_s_max: float = 30.0  # disconnect when the broker acknowledged nothing for so long, even if it answers pings
    backoff_s_min: float = 0.5
    backoff_s_max: float = 30.0
    in_flight_max: int = 64

    @property
    def has_certificate(self) -> bool:
        """Return whether a certificate goes to the broker."""
        return self.tls is not None and self.tls.certificate_file is not None

    @property
    def name_said(self) -> str | None:
        """Return the user's name, as the broker is told it. In place of a password a certificate names the user.

        RabbitMQ refuses a name beside such a certificate.
        """
        return None if self.has_certificate and self.password is None else self.user

    @property
    def logs_in(self) -> bool:
        """Return whether the broker knows us as a user, by a name or by a certificate."""
        return self.user is not None or self.has_certificate

    def own_client_id(self, site: str, table: str) -> str:
        """Return the client id. By default it is the user's name, because some brokers allow a user no other.

        The brokers that speak MQTT 3.1.1 alone let anybody connect with any client id, which ends the connection of
        the user that has it and may delete its session. So at those it ends in what only the owner of the password, or
        of the certificate's key, can know.
        """
        if self.client_id is not None or self.user is None:
            return self.client_id or f"feltd-{site}-{table}"
        secret = None if self.version is MqttVersion.V5 else self._secret()
        if secret is None:
            return self.user
        digest = hmac.digest(secret, f"client id of {site}/{table}".encode(), "sha256")
        return f"{self.user}:{digest.hex()[:CLIENT_SECRET_DIGITS]}"

    def _secret(self) -> bytes | None:
        if self.password is not None:
            return self.password.encode()
        key = None if self.tls is None else self.tls.key_file or self.tls.certificate_file
        try:
            return None if key is None else key.read_bytes()
        except OSError:  # the connection says what is wrong with it
            return None
