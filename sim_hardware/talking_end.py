"""The end of a link on which the shoe talks to whoever listens, and does not notice whether anybody does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, Protocol, TypeVar

from sim_hardware.shoe_events import ShoeEvent, ShoeOrder

SayingT = TypeVar("SayingT")
SayingT_contra = TypeVar("SayingT_contra", contravariant=True)


class Talks(Protocol):
    """A device's connection, as far as its bytes go."""

    def data_to_send(self) -> bytes:
        """Bytes due on the line now."""


class Speaks(Talks, Protocol[SayingT_contra]):
    """The connection of a device that speaks and is told nothing."""

    def report(self, said: SayingT_contra, /) -> None:
        """Something happened."""


ConnectionT = TypeVar("ConnectionT", bound=Talks)


class TalkingEnd(Generic[ConnectionT]):
    """Power and cable of such a link controller. Mutable; it holds nothing that it has said."""

    has_room: Final = True

    def __init__(self, connect: Callable[[int], ConnectionT]) -> None:
        self._connect: Final = connect
        self._connection: ConnectionT | None = None
        self._is_plugged = False

    def power_back(self, now_ns: int) -> None:
        """It begins anew, and counts from the beginning whatever it counts."""
        self._connection = self._connect(now_ns)

    def power_lost(self) -> None:
        """Nothing is said any more, and nothing heard."""
        self._connection = None

    def plugged(self, now_ns: int) -> None:
        """Which the shoe does not notice."""
        self._is_plugged = True

    def unplugged(self) -> None:
        """Nor this."""
        self._is_plugged = False

    def data_to_send(self) -> bytes:
        """Bytes for whoever listens; without a cable they are gone."""
        data = b"" if self._connection is None else self._connection.data_to_send()
        return data if self._is_plugged else b""

    def next_timeout_ns(self) -> int | None:
        """It never waits for anything."""
        return None

    def handle_timeout(self, now_ns: int) -> None:
        """Nothing is ever due."""


class SpeakingEnd(Generic[SayingT], TalkingEnd[Speaks[SayingT]]):
    """The link controller of a shoe that speaks and is told nothing."""

    def __init__(self, connect: Callable[[int], Speaks[SayingT]], word: Callable[[ShoeEvent], SayingT | None]) -> None:
        """`word` gives what the shoe says of an event, or None where its line has no word for it."""
        super().__init__(connect)
        self._word: Final = word

    def report(self, event: ShoeEvent, now_ns: int) -> None:
        """Say it, if there is a word for it."""
        said = self._word(event)
        if self._connection is not None and said is not None:
            self._connection.report(said)

    def serve(self, data: bytes, now_ns: int, obey: Callable[[ShoeOrder], str | None]) -> None:
        """Nothing can be said to this shoe."""
