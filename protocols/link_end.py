"""The common part of both ends of all our links: it takes frames in order, and acts on each when its turn comes."""

from __future__ import annotations

from collections import deque
from typing import Final, Generic, Protocol, TypeVar

from protocols.codec import Gap, Garbage

FrameT = TypeVar("FrameT")
FrameT_co = TypeVar("FrameT_co", covariant=True)
EventT = TypeVar("EventT")


class Reader(Protocol[FrameT_co]):
    """Takes bytes, and returns frames and damage in order. What means nothing between frames is skipped."""

    def __len__(self) -> int:
        """Return how many bytes wait for more."""

    @property
    def span(self) -> range:
        """Return where in the stream the last frame or piece of damage was."""

    def feed(self, data: bytes) -> None:
        """Take more bytes from the line."""

    def next(self) -> FrameT_co | Garbage | None:
        """Return the next frame or piece of damage, or None until there are more bytes."""


class LinkEnd(Generic[FrameT, EventT]):
    """Bytes in, bytes out, and the events between. Each protocol's end extends it."""

    __slots__ = ("_events", "_heard_ns", "_now_ns", "_out", "_reader")

    def __init__(self, reader: Reader[FrameT], now_ns: int) -> None:
        self._reader: Final = reader
        self._events: Final[deque[EventT | Garbage | Gap]] = deque()
        self._out: Final = bytearray()
        self._heard_ns: int | None = None
        self._now_ns = now_ns

    @property
    def heard_ns(self) -> int | None:
        """Return when the other end last sent something sound."""
        return self._heard_ns

    def receive(self, data: bytes, now_ns: int) -> None:
        """Take bytes from the line."""
        self._now_ns = now_ns
        self._reader.feed(data)

    def next_event(self) -> EventT | Garbage | Gap | None:
        """Return the next event, in order. Act on a frame only when its turn comes."""
        while not self._events:
            found = self._reader.next()
            if found is None:
                return None
            self._on_found(found)
        return self._events.popleft()

    def data_to_send(self) -> bytes:
        """Return the bytes due on the line now."""
        data = bytes(self._out)
        self._out.clear()
        return data

    def next_timeout_ns(self) -> int | None:
        """Return when `handle_timeout` is due. A link without beats and answers waits for nothing."""
        return None

    def handle_timeout(self, now_ns: int) -> None:
        """Do what is due."""

    def _on_found(self, found: FrameT | Garbage) -> None:
        if isinstance(found, Garbage):
            self._emit(found)
            self._on_damage(found, self._now_ns)
        else:
            self._heard_ns = self._now_ns
            self._on_frame(found, self._now_ns)

    def _on_damage(self, damage: Garbage, now_ns: int) -> None:
        """Do nothing more. An end that can ask for a repetition does so here."""

    def _on_frame(self, frame: FrameT, now_ns: int) -> None:
        raise NotImplementedError

    def _emit(self, event: EventT | Garbage | Gap) -> None:
        self._events.append(event)
