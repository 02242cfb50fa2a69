"""What both ends of a felt-link connection share: reading, writing and knowing when the other was last heard.

Theory of operation. The line keeps the order of bytes; it may lose, damage or repeat them, at either end and
at any time, and it may be cut. The device speaks first: it repeats a hello until a host welcomes it, so a host
never has to write to a port that it does not know. In the welcome the host says what it has on disk, and the
device sends everything after that. From then on:

- Events flow to the host under numbers, at most a window of them beyond the last acknowledged. The host hands
  on only the one that is next in order. Behind a hole it asks for the missing one again, and the device goes
  back to it; a lost tail is found by the device's beat, which names the last number sent, or by its timer.
- An acknowledgement means "on disk", so it is sent when the application says so and not before. It is
  cumulative. A lost one is repaired by the next beat of the host, which repeats it.
- Orders flow to the device one at a time, each repeated until it is answered. The device remembers ids and
  answers, so a repeated order is answered and not done again.
- Both ends beat when they have nothing else to say. Whoever hears nothing sound for the silence limit goes
  back to the beginning: the host falls quiet, the device says hello. Nothing is lost by that, since both
  memories outlive the connection.

`HostConnection` and `DeviceConnection` hold the two state machines; their transition tables are exhaustive.
"""

from __future__ import annotations

from collections import deque
from typing import Final, Generic, TypeVar

from protocols.codec import Gap, Garbage
from protocols.felt_link.frame import AnyFrame, FrameReader, encode
from protocols.felt_link.messages import Message
from protocols.felt_link.wording import to_frame

EventT = TypeVar("EventT")


class Line(Generic[EventT]):
    """The bytes in, the bytes out and the events between; one end's state machine is built on it."""

    __slots__ = ("_events", "_heard_ns", "_now_ns", "_out", "_reader", "_said_ns")

    def __init__(self, now_ns: int) -> None:
        self._reader: Final = FrameReader()
        self._events: Final[deque[EventT | Garbage | Gap]] = deque()
        self._out: Final = bytearray()
        self._heard_ns: int | None = None
        self._now_ns = now_ns
        self._said_ns = now_ns

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

    def _take(self, found: AnyFrame | Garbage) -> None:
        if isinstance(found, Garbage):
            self._emit(found)
            self._on_damage(found, self._now_ns)
        else:
            self._heard_ns = self._now_ns
            self._on_frame(found, self._now_ns)

    def _on_damage(self, damage: Garbage, now_ns: int) -> None:
        raise NotImplementedError

    def _on_frame(self, frame: AnyFrame, now_ns: int) -> None:
        raise NotImplementedError

    def _emit(self, event: EventT | Garbage | Gap) -> None:
        self._events.append(event)

    def _say(self, message: Message, now_ns: int) -> None:
        self._say_frame(to_frame(message), now_ns)

    def _say_frame(self, frame: AnyFrame, now_ns: int) -> None:
        self._out.extend(encode(frame))
        self._said_ns = now_ns
