"""The end of a link on which the shoe talks to whoever listens, and does not notice whether anybody does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, Protocol, TypeVar


class Talks(Protocol):
    """A device's connection, as far as its bytes go."""

    def data_to_send(self) -> bytes:
        """Bytes due on the line now."""


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
