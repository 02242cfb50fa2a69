"""What the device layer asks of every protocol: pure, one object for the life of a device.

A driver owns whatever must outlive a connection (the place in the device's numbering, unanswered commands) and
the codec of the present one. It never touches a port: `device` feeds it bytes and time, takes what happened,
and sends what it wants said.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeAlias

from drivers.commands import CommandDue
from drivers.errors import SetupProblem
from drivers.events import CommandAnswered, DeviceEvent, Receipt


@dataclass(frozen=True, slots=True)
class Reported:
    """Something for the table. `LinkUp` among them says that the device is identified and ours."""

    event: DeviceEvent
    receipt: Receipt | None = None


@dataclass(frozen=True, slots=True)
class Damaged:
    """Bytes that are nothing; how many."""

    size: int


@dataclass(frozen=True, slots=True)
class Rejected:
    """Whatever answers on this port is not what was configured; the connection has to end."""

    problem: SetupProblem


Outcome: TypeAlias = Reported | Damaged | Rejected


class Driver(Protocol):
    """One device's protocol over all its connections."""

    @property
    def heard_ns(self) -> int | None:
        """When the device last said something sound on this connection."""

    def connected(self, now_ns: int) -> None:
        """A port was opened: begin a new connection."""

    def receive(self, data: bytes, now_ns: int) -> None:
        """Take the bytes that came."""

    def next_outcome(self) -> Outcome | None:
        """The next thing that follows from them, in order."""

    def data_to_send(self) -> bytes:
        """Bytes due on the line; to be taken after every other call."""

    def next_timeout_ns(self) -> int | None:
        """When `handle_timeout` is due."""

    def handle_timeout(self, now_ns: int) -> None:
        """Do what is due at this time."""

    def acknowledge(self, receipt: Receipt, now_ns: int) -> None:
        """The journal has everything up to this."""

    def send(self, due: CommandDue, now_ns: int) -> CommandAnswered | None:
        """Have a command done once. The device's answer is an outcome; a refusal of our own is given at once."""
