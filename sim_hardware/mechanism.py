"""The seams of an emulated device: its mechanism, what the mechanism is built into, and the end of its link.

`emulator` joins the three. A mechanism has neither port nor clock, and it does not know which protocol reports for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from protocols.frozen import dataclass

EventT_contra = TypeVar("EventT_contra", contravariant=True)
CommandT_co = TypeVar("CommandT_co", covariant=True)
CommandT_contra = TypeVar("CommandT_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class Refused:
    """Refused: the word for the line, and a sentence for a person that says what would be accepted."""

    code: str
    reason: str


class Timed(Protocol):
    """A part that acts by the clock."""

    def next_timeout_ns(self) -> int | None:
        """Return when `handle_timeout` is due, or None."""

    def handle_timeout(self, now_ns: int) -> None:
        """Do what is due."""


class Mechanism(Timed, Protocol[CommandT_contra]):
    """An emulated machine."""

    def power_on(self, now_ns: int) -> None:
        """Start for the first time."""

    def take_order(self, command: CommandT_contra, now_ns: int) -> Refused | None:
        """Accept what the host orders, or return why not."""

    def press(self, key: str, now_ns: int) -> Refused | None:
        """Press a key. Return why it is not taken, or None."""

    def reboot(self, now_ns: int) -> None:
        """Fail the power and bring it back."""

    def poke(self, now_ns: int) -> None:
        """Do what is due by itself."""


class Outside(Protocol[EventT_contra]):
    """What a mechanism is built into: the store that keeps its reports, its cable and its power."""

    def report_event(self, event: EventT_contra, now_ns: int) -> None:
        """Keep an event for the host, and send it when there is a line."""

    def has_room(self) -> bool:
        """Return whether there is room for the reports of a new motion."""

    def cable_pulled(self, now_ns: int) -> None:
        """Pull the plug of the line, and put it back some time later."""

    def power_lost(self, now_ns: int) -> None:
        """Forget everything about the line."""

    def power_back(self, now_ns: int) -> None:
        """Start the line again, with an empty memory."""


class LinkController(Timed, Protocol[EventT_contra, CommandT_co]):
    """The device's end of any link, whatever protocol is inside."""

    @property
    def has_room(self) -> bool:
        """Return whether there is room for the reports of a new motion."""

    def power_back(self, now_ns: int) -> None:
        """Start with an empty memory."""

    def power_lost(self) -> None:
        """Forget everything."""

    def plugged(self, now_ns: int) -> None:
        """Note that the line was opened."""

    def unplugged(self) -> None:
        """Note that the line is gone."""

    def report_event(self, event: EventT_contra, now_ns: int) -> None:
        """Report what happened at the device."""

    def serve(self, data: bytes, now_ns: int, obey: Callable[[CommandT_co], str | None]) -> None:
        """Take bytes from the host. Give each command to `obey`, which returns None or the word of its refusal."""

    def data_to_send(self) -> bytes:
        """Return the bytes due on the line now."""
