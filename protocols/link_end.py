"""What one end of any of our links does alike: frames taken in order, each acted upon when its turn comes."""

from __future__ import annotations

from collections import deque
from typing import Final, Generic, Protocol, TypeVar

from protocols.codec import Gap, Garbage

FrameT = TypeVar("FrameT")
FrameT_co = TypeVar("FrameT_co", covariant=True)
EventT = TypeVar("EventT")


class Reader(Protocol[FrameT_co]):
    """Takes bytes, gives frames and damage in order; together they are all the bytes that it took."""

    def feed(self, data: bytes) -> None:
        """More bytes from the line."""

    def next(self) -> FrameT_co | Garbage | None:
        """The next frame or piece of damage, or None until there are more bytes."""


class LinkEnd(Generic[FrameT, EventT]):
    """The bytes in, the bytes out and the events between; a protocol's end is built on it."""

    __slots__ = ("_events", "_heard_ns", "_now_ns", "_out", "_reader")

    def __init__(self, reader: Reader[FrameT], now_ns: int) -> None:
        self._reader: Final = reader
        self._events: Final[deque[EventT | Garbage | Gap]] = deque()
        self._out: Final = bytearray()
        self._heard_ns: int | None = None
        self._now_ns = now_ns

    @property
    def heard_ns(self) -> int | None:
        """When the other end last said something sound."""
        return self._heard_ns

    def receive(self, data: bytes, now_ns: int) -> None:
        """Take bytes from the line."""
        self._now_ns = now_ns
        self._reader.feed(data)

    def next_event(self) -> EventT | Garbage | Gap | None:
        """The next thing understood, in order. A frame is acted upon when its turn comes, and no sooner."""
        while not self._events:
            found = self._reader.next()
            if found is None:
                return None
            self._take(found)
        return self._events.popleft()

    def data_to_send(self) -> bytes:
        """Bytes due on the line now."""
        data = bytes(self._out)
        self._out.clear()
        return data

    def next_timeout_ns(self) -> int | None:
        """When `handle_timeout` is due; a link without beats and answers waits for nothing."""
        return None

    def handle_timeout(self, now_ns: int) -> None:
        """Do whatever is due."""

    def _take(self, found: FrameT | Garbage) -> None:
        if isinstance(found, Garbage):
            self._emit(found)
            self._on_damage(found, self._now_ns)
        else:
            self._heard_ns = self._now_ns
            self._on_frame(found, self._now_ns)

    def _on_damage(self, damage: Garbage, now_ns: int) -> None:
        """It was told already; an end that can ask for a repetition does so here."""

    def _on_frame(self, frame: FrameT, now_ns: int) -> None:
        raise NotImplementedError

    def _emit(self, event: EventT | Garbage | Gap) -> None:
        self._events.append(event)
