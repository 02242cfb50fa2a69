"""Keeps the last raw bytes of a line in both directions, with their times."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import field
from enum import Enum
from typing import Final

from drivers.events import Stamp
from protocols.frozen import dataclass

TAP_BYTES_MAX: Final = 1_048_576  # about twenty minutes of heartbeats, or several rounds of dealing
CHUNK_COST: Final = 200  # what Python needs to keep one chunk, beside its bytes


class Direction(Enum):
    """Who sent the bytes."""

    FROM_DEVICE = "from-device"
    TO_DEVICE = "to-device"


@dataclass(frozen=True, slots=True)
class Tapped:
    """One chunk. It can name cards, so the repr leaves the bytes out."""

    direction: Direction
    at: Stamp
    data: bytes = field(repr=False)


class Tap:
    """A ring that keeps the newest chunks up to a number of bytes of memory. One listener gets each chunk at once."""

    __slots__ = ("_bytes", "_bytes_max", "_kept", "_on_chunk")

    def __init__(self, bytes_max: int = TAP_BYTES_MAX) -> None:
        self._bytes_max: Final = bytes_max
        self._bytes = 0
        self._on_chunk: Callable[[Tapped], None] | None = None
        self._kept: Final[deque[Tapped]] = deque()

    def listen(self, on_chunk: Callable[[Tapped], None]) -> None:
        """Call `on_chunk` with every chunk from now on. A recorder needs more chunks than the ring keeps."""
        self._on_chunk = on_chunk

    def record(self, direction: Direction, data: bytes, at: Stamp) -> None:
        """Keep a chunk, and drop the oldest chunks beyond the limit."""
        tapped = Tapped(direction, at, data)
        if self._on_chunk is not None:
            self._on_chunk(tapped)
        self._kept.append(tapped)
        self._bytes += len(data) + CHUNK_COST
        while self._bytes > self._bytes_max:
            self._bytes -= len(self._kept.popleft().data) + CHUNK_COST

    def kept(self) -> tuple[Tapped, ...]:
        """Return all chunks that are kept, the oldest first."""
        return tuple(self._kept)
