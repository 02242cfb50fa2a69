"""What the device layer asks of every protocol: pure, one object for the life of a device.

A driver owns the state that must outlive a connection (the place in the device's numbering, unanswered commands) and
the codec of the present connection. It never touches a port. `device` gives it bytes and time, takes its outcomes,
and sends its bytes.
"""

from __future__ import annotations

from typing import Protocol, TypeAlias

from drivers.commands import CommandDue
from drivers.errors import SetupProblem
from drivers.events import CommandAnswered, DeviceEvent, Receipt
from protocols.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Understood:
    """Something for the table. `LinkUp` among them says that the device is identified and ours."""

    event: DeviceEvent
    receipt: Receipt | None = None


@dataclass(frozen=True, slots=True)
class Damaged:
    """Bytes that are not a frame, and how many."""

    size: int


@dataclass(frozen=True, slots=True)
class Rejected:
    """The device on this port is not the configured one. The connection has to end."""

    problem: SetupProblem


Outcome: TypeAlias = Understood | Damaged | Rejected


class Driver(Protocol):
    """One device's protocol over all its connections."""

    @property
    def heard_ns(self) -> int | None:
        """Return when the device last sent something sound on this connection."""

    @property
    def asked_again(self) -> int:
        """Return how often the device was asked to send an event again, over all connections."""

    def connected(self, now_ns: int) -> None:
        """Begin a new connection: a port was opened."""

    def receive(self, data: bytes, now_ns: int) -> None:
        """Take the bytes that came."""

    def next_outcome(self) -> Outcome | None:
        """Return the next outcome of these bytes, in order, or None."""

    def data_to_send(self) -> bytes:
        """Return the bytes due on the line. Call this after every other call."""

    def next_timeout_ns(self) -> int | None:
        """Return when `handle_timeout` is due."""

    def handle_timeout(self, now_ns: int) -> None:
        """Do what is due at this time."""

    def acknowledge(self, receipt: Receipt, now_ns: int) -> None:
        """Acknowledge every event up to this one: the journal has them."""

    def send(self, due: CommandDue, now_ns: int) -> CommandAnswered | None:
        """Send a command, to be done once. The device's answer is an outcome. Return a refusal of our own at once."""
