"""Reading along: what was said on a line, frame by frame, for a person who wants to see what a device really said.

A listener takes no part. It repeats nothing, drops no copy and draws no conclusion. It returns where in the stream each
frame began, its bytes, and its meaning.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Final, Generic, Protocol, TypeAlias, TypeVar

from protocols.codec import Garbage
from protocols.frozen import dataclass
from protocols.link_end import Reader

FrameT = TypeVar("FrameT")
UNFINISHED: Final = "unfinished when the bytes ended"

Marks: TypeAlias = tuple[tuple[str, object], ...]


@dataclass(frozen=True, slots=True)
class Saying:
    """What one frame says. The marks say more about the frame itself: its number, which copy it is."""

    said: object
    marks: Marks = ()


@dataclass(frozen=True, slots=True)
class Heard:
    """One frame or piece of damage, where it began, and its bytes. They can name cards, so the repr leaves them out."""

    offset: int
    data: bytes = field(repr=False)
    saying: Saying | Garbage


class Listening(Protocol):
    """A listener of any protocol."""

    def feed(self, data: bytes) -> None:
        """Take more bytes from the line."""

    def next(self) -> Heard | None:
        """Return the next frame or piece of damage, or None until there are more bytes."""

    def end(self) -> Heard | None:
        """Return what is left over when there are no more bytes, or None."""


class Listener(Generic[FrameT]):
    """One direction of a line, or both when they were recorded into one stream."""

    __slots__ = ("_offset", "_pending", "_reader", "_understand")

    def __init__(self, reader: Reader[FrameT], understand: Callable[[FrameT], Saying]) -> None:
        """`understand` gets the frames in order."""
        self._reader: Final = reader
        self._understand: Final = understand
        self._pending: Final = bytearray()
        self._offset = 0

    def feed(self, data: bytes) -> None:
        """Take more bytes from the line."""
        self._pending.extend(data)
        self._reader.feed(data)

    def next(self) -> Heard | None:
        """Return the next frame or piece of damage, or None until there are more bytes."""
        found = self._reader.next()
        if found is None:
            return None
        span = self._reader.span
        return self._heard(span, found if isinstance(found, Garbage) else self._understand(found))

    def end(self) -> Heard | None:
        """Return what is left over when there are no more bytes, or None."""
        stop = self._offset + len(self._pending)
        span = range(stop - len(self._reader), stop)
        return (
            self._heard(span, Garbage(bytes(self._pending[span.start - self._offset :]), UNFINISHED)) if span else None
        )

    def _heard(self, span: range, saying: Saying | Garbage) -> Heard:
        del self._pending[: span.start - self._offset]  # what is skipped between frames means nothing
        heard = Heard(span.start, bytes(self._pending[: len(span)]), saying)
        del self._pending[: len(span)]
        self._offset = span.stop
        return heard
