"""The device's end of any link, as the emulator drives it, whatever protocol is inside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

EventT_contra = TypeVar("EventT_contra", contravariant=True)
CommandT_co = TypeVar("CommandT_co", covariant=True)


class LinkController(Protocol[EventT_contra, CommandT_co]):
    """What an emulated device's link controller does."""

    @property
    def has_room(self) -> bool:
        """Whether what a new motion would report can be kept."""

    def power_back(self, now_ns: int) -> None:
        """It is up."""

    def power_lost(self) -> None:
        """Whatever it held is gone."""

    def plugged(self, now_ns: int) -> None:
        """Somebody has opened the line."""

    def unplugged(self) -> None:
        """The line is gone."""

    def report(self, event: EventT_contra, now_ns: int) -> None:
        """Something happened at the device."""

    def serve(self, data: bytes, now_ns: int, obey: Callable[[CommandT_co], str | None]) -> None:
        """Take bytes from the host. Each command goes to `obey`, which takes it or gives the word that refuses it."""

    def data_to_send(self) -> bytes:
        """Bytes due on the line now."""

    def next_timeout_ns(self) -> int | None:
        """When it is due."""

    def handle_timeout(self, now_ns: int) -> None:
        """Do what is due."""
