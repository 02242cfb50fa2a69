"""What a device really said: the last raw bytes of a line in both directions, with their times."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from drivers.events import Stamp

TAP_BYTES_MAX: Final = 1_048_576  # about twenty minutes of heartbeats, or several rounds of dealing
CHUNK_COST: Final = 200  # what Python needs to keep one chunk, beside its bytes


class Direction(Enum):
    """Who said it."""

    FROM_DEVICE = "from-device"
    TO_DEVICE = "to-device"


@dataclass(frozen=True, slots=True)
class Tapped:
    """One chunk. It can name cards, so the repr leaves the bytes out."""

    direction: Direction
    at: Stamp
    data: bytes = field(repr=False)


class Tap:
    """A ring that keeps the newest chunks up to a number of bytes of memory; one listener hears them as they come."""

    __slots__ = ("_bytes", "_bytes_max", "_hear", "_kept")

    def __init__(self, bytes_max: int = TAP_BYTES_MAX) -> None:
        self._bytes_max: Final = bytes_max
        self._bytes = 0
        self._hear: Callable[[Tapped], None] | None = None
        self._kept: Final[deque[Tapped]] = deque()

    def listen(self, hear: Callable[[Tapped], None]) -> None:
        """Have every chunk heard from now on, by whoever needs more of them than the ring keeps."""
        self._hear = hear

    def record(self, direction: Direction, data: bytes, at: Stamp) -> None:
        """Keep a chunk, and let the oldest go."""
        tapped = Tapped(direction, at, data)
        if self._hear is not None:
            self._hear(tapped)
        self._kept.append(tapped)
        self._bytes += len(data) + CHUNK_COST
        while self._bytes > self._bytes_max:
            self._bytes -= len(self._kept.popleft().data) + CHUNK_COST

    def kept(self) -> tuple[Tapped, ...]:
        """Everything that is kept, the oldest first."""
        return tuple(self._kept)
