"""What an emulated mechanism is built into: the store that keeps its reports, its cable and its power."""

from __future__ import annotations

from typing import Protocol, TypeVar

EventT_contra = TypeVar("EventT_contra", contravariant=True)


class Outside(Protocol[EventT_contra]):
    """The mechanism's surroundings."""

    def report(self, event: EventT_contra, now_ns: int) -> None:
        """Keep this for the host, and tell it when it can be told."""

    def has_room(self) -> bool:
        """Whether there is room for what a new motion would report."""

    def cable_pulled(self, now_ns: int) -> None:
        """Somebody pulls the plug of the line, and will put it back."""

    def power_lost(self, now_ns: int) -> None:
        """Whatever the device remembered of the line is gone."""

    def power_back(self, now_ns: int) -> None:
        """It is up, with a memory that is empty."""
