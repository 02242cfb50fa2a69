"""Both ends of the line to an input box: the host asks again and again, and the box answers.

Theory of operation. A box says nothing by itself. So the host reads all inputs every POLL_NS, one question at a time,
and a contact that is closed for two readings is seen. An answer carries the number of its question. One that comes for
another question is old, and is left alone. A question that is not answered in ANSWER_NS_MAX is asked again under a new
number. What happens between two readings leaves no trace: a contact that has to be heard stays closed for longer.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from protocols.link_end import LinkEnd
from protocols.listening import Listener, Saying
from protocols.modbus_tcp.frame import Frame, FrameReader, encode
from protocols.modbus_tcp.messages import (
    ILLEGAL_ADDRESS,
    ILLEGAL_FUNCTION,
    ILLEGAL_VALUE,
    INPUTS_MAX,
    Inputs,
    Message,
    ReadInputs,
    Refused,
    UnknownPdu,
    read,
    write,
)

UNIT: Final = 1
"""A box on TCP is addressed by its IP address. The papers recommend 255 and accept others; boxes answer to 1."""
POLL_NS: Final = 20_000_000
"""A foot on a switch closes it for a tenth of a second at least: five readings."""
ANSWER_NS_MAX: Final = 1_000_000_000
_TRANSACTIONS: Final = 1 << 16

BoxEvent: TypeAlias = Inputs | Refused | UnknownPdu


class HostConnection(LinkEnd[Frame, BoxEvent]):
    """One connection of a host to one box. It begins to ask at once."""

    __slots__ = ("_asks", "_due_ns", "_transaction", "_waits")

    def __init__(self, now_ns: int, inputs: int = 8) -> None:
        super().__init__(FrameReader(), now_ns)
        self._asks: Final = write(ReadInputs(0, inputs))
        self._transaction = 0
        self._waits = False
        self._due_ns = now_ns
        self._ask(now_ns)

    def next_timeout_ns(self) -> int:
        """Return when the next question is due."""
        return self._due_ns

    def handle_timeout(self, now_ns: int) -> None:
        """Ask, when it is time or when no answer came."""
        if now_ns >= self._due_ns:
            self._ask(now_ns)

    def _ask(self, now_ns: int) -> None:
        self._transaction = (self._transaction + 1) % _TRANSACTIONS
        self._waits, self._due_ns = True, now_ns + ANSWER_NS_MAX
        self._out.extend(encode(Frame(self._transaction, UNIT, self._asks)))

    def _on_frame(self, frame: Frame, now_ns: int) -> None:
        said = read(frame)
        if isinstance(said, ReadInputs):
            self._emit(UnknownPdu(frame.pdu[0], len(frame.pdu)))  # another host is at the other end
        elif frame.transaction == self._transaction and self._waits:
            self._waits, self._due_ns = False, now_ns + POLL_NS
            self._emit(said)


class DeviceConnection(LinkEnd[Frame, ReadInputs]):
    """One connection of a box. Its owner sets `closed`, which is what it answers with."""

    __slots__ = ("closed",)

    def __init__(self, now_ns: int, closed: tuple[bool, ...] = (False,) * 8) -> None:
        super().__init__(FrameReader(), now_ns)
        self.closed = closed

    def _on_frame(self, frame: Frame, now_ns: int) -> None:
        asked = read(frame)
        self._out.extend(encode(Frame(frame.transaction, frame.unit, write(self._answer(asked, frame)))))
        if isinstance(asked, ReadInputs):
            self._emit(asked)

    def _answer(self, asked: Message, frame: Frame) -> Inputs | Refused:
        if not isinstance(asked, ReadInputs):
            return Refused(frame.pdu[0] & 0x7F, ILLEGAL_FUNCTION)
        if not 0 < asked.count <= INPUTS_MAX:
            return Refused(frame.pdu[0], ILLEGAL_VALUE)
        if asked.first + asked.count > len(self.closed):
            return Refused(frame.pdu[0], ILLEGAL_ADDRESS)
        return Inputs(self.closed[asked.first : asked.first + asked.count])


def listener() -> Listener[Frame]:
    """Return a listener at the beginning of a stream."""
    return Listener(FrameReader(), lambda frame: Saying(read(frame), (("transaction", frame.transaction),)))
