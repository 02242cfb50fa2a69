"""The shoe's end of a link on which it only talks: it does not notice whether a host listens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, Protocol, TypeVar

from sim_hardware.shoe_events import ShoeEvent, ShoeOrder

SayingT = TypeVar("SayingT")
SayingT_contra = TypeVar("SayingT_contra", contravariant=True)


class Talks(Protocol):
    """A device's connection that has bytes to send."""

    def data_to_send(self) -> bytes:
        """Return the bytes due on the line now."""


class Speaks(Talks, Protocol[SayingT_contra]):
    """The connection of a device that takes no commands."""

    def send(self, said: SayingT_contra, /) -> None:
        """Send what happened."""


ConnectionT = TypeVar("ConnectionT", bound=Talks)


class TalkingEnd(Generic[ConnectionT]):
    """Power and cable of such a link controller. Mutable. It keeps nothing that it has sent."""

    has_room: Final = True

    def __init__(self, connect: Callable[[int], ConnectionT]) -> None:
        self._connect: Final = connect
        self._connection: ConnectionT | None = None
        self._is_plugged = False

    def power_back(self, now_ns: int) -> None:
        """Begin anew, with all counts at their beginning."""
        self._connection = self._connect(now_ns)

    def power_lost(self) -> None:
        """Send and hear nothing until the power is back."""
        self._connection = None

    def plugged(self, now_ns: int) -> None:
        """Plug the cable in. The shoe does not notice it."""
        self._is_plugged = True

    def unplugged(self) -> None:
        """Pull the cable. The shoe does not notice it."""
        self._is_plugged = False

    def data_to_send(self) -> bytes:
        """Return the bytes due on the line. Without a cable they are lost."""
        data = b"" if self._connection is None else self._connection.data_to_send()
        return data if self._is_plugged else b""

    def next_timeout_ns(self) -> int | None:
        """Return None: it never waits for anything."""
        return None

    def handle_timeout(self, now_ns: int) -> None:
        """Do nothing: nothing is ever due."""


class SpeakingEnd(Generic[SayingT], TalkingEnd[Speaks[SayingT]]):
    """The link controller of a shoe that takes no commands."""

    def __init__(self, connect: Callable[[int], Speaks[SayingT]], word: Callable[[ShoeEvent], SayingT | None]) -> None:
        """`word` returns what the shoe sends of an event, or None if its line has no word for it."""
        super().__init__(connect)
        self._word: Final = word

    def report_event(self, event: ShoeEvent, now_ns: int) -> None:
        """Send the event, if there is a word for it."""
        said = self._word(event)
        if self._connection is not None and said is not None:
            self._connection.send(said)

    def serve(self, data: bytes, now_ns: int, obey: Callable[[ShoeOrder], str | None]) -> None:
        """Do nothing: this shoe takes no commands."""
