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
- Both ends beat when they have nothing else to say. An end that hears nothing sound for the silence limit goes
  back to the beginning: the host falls quiet, the device says hello. Nothing is lost by that, since both
  memories outlive the connection.

`HostConnection` and `DeviceConnection` hold the two state machines; their transition tables are exhaustive.
"""

from __future__ import annotations

from typing import TypeVar

from protocols import link_end
from protocols.felt_link.frame import AnyFrame, FrameReader, encode
from protocols.felt_link.messages import Message
from protocols.felt_link.wording import to_frame

EventT = TypeVar("EventT")


class FeltLinkConnection(link_end.LinkEnd[AnyFrame, EventT]):
    """One end of a felt-link line. `HostConnection` and `DeviceConnection` extend it."""

    __slots__ = ("_said_ns",)

    def __init__(self, now_ns: int) -> None:
        super().__init__(FrameReader(), now_ns)
        self._said_ns = now_ns

    def _say(self, message: Message, now_ns: int) -> None:
        self._say_frame(to_frame(message), now_ns)

    def _say_frame(self, frame: AnyFrame, now_ns: int) -> None:
        self._out.extend(encode(frame))
        self._said_ns = now_ns
