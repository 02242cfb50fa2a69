"""The device's end of felt-link. `connection` explains how the link works.

    SEEKING --welcome--> LINKED --silence, refusal--> SEEKING

A device that seeks repeats its hello and obeys nothing. A second welcome while it is linked means that the
host started again: the device goes back to what that host has on disk.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final

from protocols.codec import Garbage
from protocols.errors import LocalProtocolError
from protocols.felt_link import messages as m
from protocols.felt_link.connection import FeltLinkConnection
from protocols.felt_link.events import DeviceSideEvent, HostOddity, Linked, Ordered, Unlinked
from protocols.felt_link.frame import Ack, AnyFrame, Frame, Nak
from protocols.felt_link.limits import BEAT_NS, HELLO_NS, RETRANSMIT_NS, SILENCE_NS, VERSIONS, WINDOW_EVENTS
from protocols.felt_link.memory import DeviceMemory
from protocols.felt_link.wording import from_frame


class DeviceLinkState(Enum):
    """The state of a device's link."""

    SEEKING = "seeking"
    LINKED = "linked"


class DeviceLinkInput(Enum):
    """What changes the state."""

    WELCOMED = "welcomed"
    REFUSED = "refused"
    SILENCE = "silence"


DEVICE_TRANSITIONS: Final[Mapping[tuple[DeviceLinkState, DeviceLinkInput], DeviceLinkState]] = {
    (DeviceLinkState.SEEKING, DeviceLinkInput.WELCOMED): DeviceLinkState.LINKED,
    (DeviceLinkState.SEEKING, DeviceLinkInput.REFUSED): DeviceLinkState.SEEKING,
    (DeviceLinkState.SEEKING, DeviceLinkInput.SILENCE): DeviceLinkState.SEEKING,
    (DeviceLinkState.LINKED, DeviceLinkInput.WELCOMED): DeviceLinkState.LINKED,
    (DeviceLinkState.LINKED, DeviceLinkInput.REFUSED): DeviceLinkState.SEEKING,
    (DeviceLinkState.LINKED, DeviceLinkInput.SILENCE): DeviceLinkState.SEEKING,
}


class DeviceConnection(FeltLinkConnection[DeviceSideEvent]):
    """One connection of a device. Its memory outlives it: give the same one to the next connection.

    The device's program records what happens with `report_event`, and answers each `Ordered` with `answer`.
    """

    __slots__ = ("_identity", "_memory", "_next_to_send", "_progress_ns", "_state")

    def __init__(self, identity: m.Identity, memory: DeviceMemory, now_ns: int) -> None:
        super().__init__(now_ns)
        self._identity: Final = identity
        self._memory: Final = memory
        self._state = DeviceLinkState.SEEKING
        self._next_to_send = memory.first_kept
        self._progress_ns = now_ns
        self._say_hello(now_ns)

    @property
    def state(self) -> DeviceLinkState:
        """Return the state of the link."""
        return self._state

    def report_event(self, event: m.WireEvent, now_ns: int) -> int:
        """Keep an event, and send it when the window allows. Return its number."""
        seq = self._memory.record(event)
        self._send_window(now_ns)
        return seq

    def answer(self, command_id: str, refusal: str | None, now_ns: int) -> None:
        """Accept an order, or refuse it with a word."""
        known = self._memory.remembered(command_id)
        if known is None or known.is_answered:
            raise LocalProtocolError(f"no order {command_id} waits for an answer")
        known.is_answered, known.refusal = True, refusal
        if self._state is DeviceLinkState.LINKED:
            self._say(m.WireAnswer(command_id, refusal), now_ns)

    def next_timeout_ns(self) -> int | None:
        """Return when the next hello, beat, retransmission or the silence limit is due."""
        if self._state is DeviceLinkState.SEEKING:
            return self._said_ns + HELLO_NS
        due = [self._said_ns + BEAT_NS, self._silent_at_ns()]
        if self._is_waiting_for_ack():
            due.append(self._progress_ns + RETRANSMIT_NS)
        return min(due)

    def handle_timeout(self, now_ns: int) -> None:
        """Do what is due."""
        if self._state is DeviceLinkState.LINKED and now_ns >= self._silent_at_ns():
            self._move(DeviceLinkInput.SILENCE)
            self._emit(Unlinked("the host is silent"))
            self._say_hello(now_ns)
        elif self._state is DeviceLinkState.LINKED:
            self._retransmit_when_due(now_ns)
            self._beat_when_due(now_ns)
        elif now_ns >= self._said_ns + HELLO_NS:
            self._say_hello(now_ns)

    def _silent_at_ns(self) -> int:
        heard_ns = self._heard_ns if self._heard_ns is not None else self._said_ns
        return heard_ns + SILENCE_NS

    def _is_waiting_for_ack(self) -> bool:
        return self._next_to_send > self._memory.first_kept

    def _retransmit_when_due(self, now_ns: int) -> None:
        if self._is_waiting_for_ack() and now_ns >= self._progress_ns + RETRANSMIT_NS:
            self._go_back(self._memory.first_kept, now_ns)

    def _beat_when_due(self, now_ns: int) -> None:
        if now_ns >= self._said_ns + BEAT_NS:
            self._say(m.Beat(self._next_to_send - 1), now_ns)

    def _say_hello(self, now_ns: int) -> None:
        memory = self._memory
        self._say(m.Hello(VERSIONS, self._identity, memory.boot, memory.first_kept, memory.next_seq), now_ns)

    def _move(self, moved_by: DeviceLinkInput) -> None:
        self._state = DEVICE_TRANSITIONS[self._state, moved_by]

    def _go_back(self, seq: int, now_ns: int) -> None:
        self._next_to_send = seq
        self._progress_ns = now_ns
        self._send_window(now_ns)

    def _send_window(self, now_ns: int) -> None:
        if self._state is not DeviceLinkState.LINKED:
            return
        memory = self._memory
        if not self._is_waiting_for_ack():
            self._progress_ns = now_ns
        for seq in range(self._next_to_send, min(memory.next_seq, memory.first_kept + WINDOW_EVENTS)):
            self._say(m.Numbered(seq, seq <= memory.sent_seq, memory.event(seq)), now_ns)
            memory.sent_seq = max(memory.sent_seq, seq)
            self._next_to_send = seq + 1

    def _on_damage(self, damage: Garbage, now_ns: int) -> None:
        """Do nothing: the host repeats its orders until they are answered, and its acknowledgements with each beat."""

    def _on_frame(self, frame: AnyFrame, now_ns: int) -> None:
        match frame:
            case Frame():
                self._on_message(from_frame(frame), now_ns)
            case Ack(seq) if self._state is DeviceLinkState.LINKED:
                self._on_ack(seq, now_ns)
            case Nak(expected, _) if self._state is DeviceLinkState.LINKED:
                self._on_nak(expected, now_ns)
            case Ack() | Nak():
                pass  # meant for a link that is over

    def _on_message(self, message: m.Reading, now_ns: int) -> None:
        match message:
            case m.Welcome():
                self._on_welcome(message, now_ns)
            case m.Refuse(reason, _):
                self._move(DeviceLinkInput.REFUSED)
                self._emit(Unlinked(f"refused by the host: {reason}"))
            case _ if self._state is DeviceLinkState.LINKED:
                self._on_linked_message(message, now_ns)
            case _:
                pass  # meant for a link that is over

    def _on_linked_message(self, message: m.Reading, now_ns: int) -> None:
        match message:
            case m.Beat(seq):
                self._on_ack(seq, now_ns)
            case m.Order():
                self._on_order(message, now_ns)
            case m.BadOrder(command_id, refusal):
                self._say(m.WireAnswer(command_id, refusal), now_ns)
            case _:
                self._emit(HostOddity("unexpected-message"))

    def _on_welcome(self, welcome: m.Welcome, now_ns: int) -> None:
        memory = self._memory
        oddity = self._wrong_with(welcome)
        if oddity is not None:
            self._emit(HostOddity(oddity))
            return
        memory.acknowledge(welcome.seq)
        self._move(DeviceLinkInput.WELCOMED)
        self._emit(Linked(memory.first_kept - 1))
        self._say(m.Beat(memory.first_kept - 1), now_ns)
        self._go_back(memory.first_kept, now_ns)

    def _wrong_with(self, welcome: m.Welcome) -> str | None:
        if welcome.version not in VERSIONS:
            return "version-not-offered"
        if welcome.boot != self._memory.boot:
            return "another-boot"  # it answers a hello from before the device restarted
        return "acknowledged-unsent" if welcome.seq > self._memory.sent_seq else None

    def _on_ack(self, seq: int, now_ns: int) -> None:
        memory = self._memory
        if seq > memory.sent_seq:
            self._emit(HostOddity("acknowledged-unsent"))
            return
        if seq < memory.first_kept:
            return
        memory.acknowledge(seq)
        # While linked the window reaches past everything that was ever sent, and no more than that is acknowledged.
        assert self._next_to_send >= memory.first_kept
        self._progress_ns = now_ns
        self._send_window(now_ns)

    def _on_nak(self, expected: int, now_ns: int) -> None:
        if expected < self._memory.first_kept:
            self._emit(HostOddity("asked-for-acknowledged"))
        elif expected < self._next_to_send:
            self._go_back(expected, now_ns)

    def _on_order(self, order: m.Order, now_ns: int) -> None:
        known = self._memory.remembered(order.id)
        if known is None:
            self._memory.begin_command(order.id, order.command)
            self._emit(Ordered(order.id, order.command))
        elif known.command != order.command:
            self._say(m.WireAnswer(order.id, m.Refusal.ID_REUSED), now_ns)
        elif known.is_answered:
            self._say(m.WireAnswer(order.id, known.refusal), now_ns)
