"""The host's end of felt-link. `connection` explains how the link works.

    LISTENING --hello--> GREETED --welcome--> LINKED --another hello--> GREETED
                                 --refuse---> REFUSED
    LINKED --silence--> LISTENING --the same hello--> LINKED

A host writes nothing before its application has read the hello and welcomed or refused the device. The same hello again
(the same device with the same store) is not news: the device missed our beats, or our welcome was lost. The host
welcomes it again at once, without an event for the application.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from enum import Enum
from typing import Final, assert_never

from protocols.codec import Gap, Garbage
from protocols.errors import LocalProtocolError
from protocols.felt_link import messages as m
from protocols.felt_link.connection import FeltLinkConnection
from protocols.felt_link.events import (
    FOREIGN_ORDER,
    Answered,
    Delivered,
    DeviceOddity,
    Dropped,
    Greeted,
    HostSideEvent,
    Standing,
)
from protocols.felt_link.frame import STX, Ack, AnyFrame, Frame, Nak
from protocols.felt_link.limits import (
    BEAT_NS,
    COMMAND_AGAIN_NS,
    HELLO_NS,
    NAK_AGAIN_NS,
    SILENCE_NS,
    VERSIONS,
    WINDOW_EVENTS,
)
from protocols.felt_link.memory import HostMemory
from protocols.felt_link.wording import from_frame

GREETINGS_AT_ONCE: Final = 4
"""So many new hellos are taken at once: a device may restart while its power flickers. More wait for HELLO_NS each."""


class HostLinkState(Enum):
    """The state of a host's link."""

    LISTENING = "listening"
    GREETED = "greeted"
    LINKED = "linked"
    REFUSED = "refused"


class HostLinkInput(Enum):
    """What changes the state: the first three come from the line and the clock, the last two from the application."""

    HELLO = "hello"
    SAME_HELLO = "same-hello"
    SILENCE = "silence"
    WELCOME = "welcome"
    REFUSE = "refuse"


HOST_TRANSITIONS: Final[Mapping[tuple[HostLinkState, HostLinkInput], HostLinkState]] = {
    (HostLinkState.LISTENING, HostLinkInput.HELLO): HostLinkState.GREETED,
    (HostLinkState.LISTENING, HostLinkInput.SAME_HELLO): HostLinkState.LINKED,
    (HostLinkState.LISTENING, HostLinkInput.SILENCE): HostLinkState.LISTENING,
    (HostLinkState.GREETED, HostLinkInput.HELLO): HostLinkState.GREETED,
    (HostLinkState.GREETED, HostLinkInput.SAME_HELLO): HostLinkState.GREETED,
    (HostLinkState.GREETED, HostLinkInput.SILENCE): HostLinkState.GREETED,
    (HostLinkState.GREETED, HostLinkInput.WELCOME): HostLinkState.LINKED,
    (HostLinkState.GREETED, HostLinkInput.REFUSE): HostLinkState.REFUSED,
    (HostLinkState.LINKED, HostLinkInput.HELLO): HostLinkState.GREETED,
    (HostLinkState.LINKED, HostLinkInput.SAME_HELLO): HostLinkState.LINKED,
    (HostLinkState.LINKED, HostLinkInput.SILENCE): HostLinkState.LISTENING,
    (HostLinkState.REFUSED, HostLinkInput.HELLO): HostLinkState.REFUSED,
    (HostLinkState.REFUSED, HostLinkInput.SAME_HELLO): HostLinkState.REFUSED,
    (HostLinkState.REFUSED, HostLinkInput.SILENCE): HostLinkState.REFUSED,
}
"""What the application may not do in a state is missing. What the line can do is there for every state."""


class HostConnection(FeltLinkConnection[HostSideEvent]):
    """One connection of the host. Its memory outlives it: give the same one to the next connection."""

    __slots__ = ("_greeted_ns", "_hello", "_memory", "_nak", "_ordered_ns", "_recent", "_state")

    def __init__(self, memory: HostMemory, now_ns: int) -> None:
        super().__init__(now_ns)
        self._memory: Final = memory
        self._state = HostLinkState.LISTENING
        self._hello: m.Hello | None = None
        self._greeted_ns: Final[deque[int]] = deque(maxlen=GREETINGS_AT_ONCE)
        self._nak: tuple[int, int] | None = None  # what was asked for again, and when
        self._ordered_ns: int | None = None
        self._recent: Final[dict[int, m.WireEvent | tuple[str, str]]] = {}

    @property
    def state(self) -> HostLinkState:
        """Return the state of the link."""
        return self._state

    def welcome(self, now_ns: int) -> None:
        """Work with the device that said hello."""
        hello = self._expect_greeting(HostLinkInput.WELCOME)
        if _common_version(hello) is None:
            raise LocalProtocolError("no protocol version in common: this device can only be refused")
        if self._standing(hello) is Standing.REUSED:
            raise LocalProtocolError("its store has the boot of another store: this device can only be refused")
        self._state = HOST_TRANSITIONS[self._state, HostLinkInput.WELCOME]
        self._take_place(hello)
        self._say_welcome(hello, now_ns)

    def refuse(self, reason: m.HostRefusal, detail: str, now_ns: int) -> None:
        """Refuse the device that said hello, and tell it why."""
        self._expect_greeting(HostLinkInput.REFUSE)
        self._state = HOST_TRANSITIONS[self._state, HostLinkInput.REFUSE]
        self._say(m.Refuse(reason, detail), now_ns)

    def acknowledge(self, boot: str, seq: int, now_ns: int) -> None:
        """Note that the journal has everything up to `seq`. Ignore a receipt of an earlier boot."""
        memory = self._memory
        if boot != memory.boot:
            return
        if seq > memory.delivered:
            raise LocalProtocolError(f"event {seq} cannot be on disk: {memory.delivered} was the last delivered")
        if seq > memory.on_disk:
            memory.on_disk = seq
            # Not linked: the next welcome says it. An Ack that is lost is repeated by our next beat.
            if self._state is HostLinkState.LINKED:
                self._say_frame(Ack(seq), now_ns)

    def order_command(self, command_id: str, command: m.WireCommand, now_ns: int) -> None:
        """Order a command, to be done once. Repeat it until it is answered, over this connection and later ones."""
        self._memory.queue(command_id, command)
        if self._state is HostLinkState.LINKED and self._ordered_ns is None:
            self._say_order(now_ns)

    def next_timeout_ns(self) -> int | None:
        """Return when the next beat, repeated order or the silence limit is due."""
        if self._state is not HostLinkState.LINKED:
            return None
        due = [self._said_ns + BEAT_NS, self._silent_at_ns()]
        if self._ordered_ns is not None:
            due.append(self._ordered_ns + COMMAND_AGAIN_NS)
        return min(due)

    def handle_timeout(self, now_ns: int) -> None:
        """Do what is due."""
        if self._state is not HostLinkState.LINKED:
            return
        if now_ns >= self._silent_at_ns():
            self._state = HOST_TRANSITIONS[self._state, HostLinkInput.SILENCE]
            self._ordered_ns = None
            return
        if self._ordered_ns is not None and now_ns >= self._ordered_ns + COMMAND_AGAIN_NS:
            self._say_order(now_ns)
        if now_ns >= self._said_ns + BEAT_NS:
            self._say(m.Beat(self._memory.on_disk), now_ns)

    def _silent_at_ns(self) -> int:
        return (self._heard_ns or 0) + SILENCE_NS

    def _expect_greeting(self, wanted: HostLinkInput) -> m.Hello:
        if (self._state, wanted) not in HOST_TRANSITIONS or self._hello is None:
            raise LocalProtocolError(f"{wanted.value} answers a hello, and none waits: the link is {self._state.value}")
        return self._hello

    def _on_damage(self, damage: Garbage, now_ns: int) -> None:
        if self._state is HostLinkState.LINKED and damage.data[0] == STX:
            self._ask_again("check", now_ns)

    def _on_frame(self, frame: AnyFrame, now_ns: int) -> None:
        match frame:
            case Frame():
                self._on_message(from_frame(frame), now_ns)
            case Ack() | Nak():
                self._oddity("unexpected-message", "the device acknowledged something; only hosts do")
            case _:
                assert_never(frame)

    def _on_message(self, message: m.Reading, now_ns: int) -> None:
        match message:
            case m.Hello():
                self._on_hello(message, now_ns)
            case _ if self._state is not HostLinkState.LINKED:
                pass  # the device is in the middle of an earlier link: it will notice our silence and say hello
            case m.Numbered() | m.Unintelligible():
                self._on_numbered(message, now_ns)
            case m.Beat(seq):
                if seq > self._memory.delivered:
                    self._ask_again("gap", now_ns)
            case m.WireAnswer(command_id, refusal):
                self._on_answer(command_id, refusal, now_ns)
            case m.Welcome() | m.Refuse() | m.Order() | m.BadOrder():
                self._oddity("unexpected-message", "the device says what only hosts say")
            case m.Meaningless(kind, reason):
                self._oddity("meaningless-message", f"{kind}: {reason}")
            case _:
                assert_never(message)

    def _on_hello(self, hello: m.Hello, now_ns: int) -> None:
        before, known = self._state, self._hello
        is_same_device = known is not None and _who(known) == _who(hello)
        is_same = is_same_device and self._standing(hello) is Standing.RESUMED
        if not is_same_device and self._is_too_often(now_ns):
            return  # a device that is not welcomed says it again
        self._hello = hello
        self._state = HOST_TRANSITIONS[before, HostLinkInput.SAME_HELLO if is_same else HostLinkInput.HELLO]
        if self._state is HostLinkState.LINKED:
            self._say_welcome(hello, now_ns)
        elif self._state is HostLinkState.GREETED and not (before is HostLinkState.GREETED and is_same_device):
            self._ordered_ns = None
            self._emit(Greeted(hello, _common_version(hello), self._standing(hello), self._missing(hello)))

    def _is_too_often(self, now_ns: int) -> bool:
        """Return whether new hellos come faster than a device sends them. Each one costs its application commits."""
        told = self._greeted_ns
        if len(told) == GREETINGS_AT_ONCE and now_ns < told[0] + GREETINGS_AT_ONCE * HELLO_NS:
            return True
        told.append(now_ns)
        return False

    def _standing(self, hello: m.Hello) -> Standing:
        memory = self._memory
        if memory.boot is None:
            return Standing.FIRST
        if memory.boot != hello.boot:
            return Standing.RESTARTED
        # A device keeps what is not acknowledged, and sends no more than a window of it. So one that keeps an event
        # from before the last window has counted anew, even if it has since counted past what we know.
        is_ours = hello.first_kept > memory.delivered - WINDOW_EVENTS and hello.next_seq > memory.delivered
        return Standing.RESUMED if is_ours else Standing.REUSED

    def _missing(self, hello: m.Hello) -> int:
        """Count the events that are gone: another host acknowledged them, or our disk is older than it was."""
        is_resumed = self._standing(hello) is Standing.RESUMED
        return max(0, hello.first_kept - 1 - self._memory.delivered) if is_resumed else 0

    def _take_place(self, hello: m.Hello) -> None:
        memory, standing, missing = self._memory, self._standing(hello), self._missing(hello)
        if missing:
            self._emit(Gap(missing, "the device no longer keeps them"))
            memory.on_disk = memory.delivered = hello.first_kept - 1
        if standing is Standing.RESUMED:
            return
        if standing is Standing.RESTARTED:
            self._drop_orders()
        memory.boot, memory.on_disk, memory.delivered = hello.boot, hello.first_kept - 1, hello.first_kept - 1
        self._recent.clear()

    def _drop_orders(self) -> None:
        for command_id in self._memory.commands:
            self._emit(Dropped(command_id))
        self._memory.commands.clear()

    def _say_welcome(self, hello: m.Hello, now_ns: int) -> None:
        version = _common_version(hello)
        if version is not None:
            self._say(m.Welcome(version, hello.boot, self._memory.on_disk), now_ns)
            self._say_order(now_ns)

    def _say_order(self, now_ns: int) -> None:
        first = next(iter(self._memory.commands.items()), None)
        self._ordered_ns = None if first is None else now_ns
        if first is not None:
            self._say(m.Order(*first), now_ns)

    def _on_answer(self, command_id: str, refusal: str | None, now_ns: int) -> None:
        if self._memory.commands.pop(command_id, None) is not None:
            self._emit(Answered(command_id, refusal))
            self._say_order(now_ns)
        elif command_id not in self._memory.given:
            self._oddity(FOREIGN_ORDER, f"it answered the order {command_id}, which was not given here")

    def _on_numbered(self, message: m.Numbered | m.Unintelligible, now_ns: int) -> None:
        """Deliver the event with the next number. Behind a hole, ask for the missing one again: this one follows it."""
        memory, seq = self._memory, message.seq
        if seq > memory.on_disk + WINDOW_EVENTS:
            self._oddity("window-exceeded", f"event {seq} came when {memory.on_disk} was the last acknowledged")
        elif seq == memory.delivered + 1:
            self._deliver(message)
        elif seq > memory.delivered + 1:
            self._ask_again("gap", now_ns)
        else:
            self._on_repeated(message, now_ns)

    def _deliver(self, message: m.Numbered | m.Unintelligible) -> None:
        seq = message.seq
        self._memory.delivered = seq
        self._nak = None
        self._recent[seq] = _content(message)
        self._recent.pop(seq - 2 * WINDOW_EVENTS, None)
        event = message.event if isinstance(message, m.Numbered) else message
        self._emit(Delivered(self._memory.boot or "", seq, message.resent, event))

    def _on_repeated(self, message: m.Numbered | m.Unintelligible, now_ns: int) -> None:
        first_time = self._recent.get(message.seq)
        if first_time is not None and first_time != _content(message):
            self._oddity("number-reused", f"event {message.seq} came again with another content")
        if message.seq <= self._memory.on_disk:
            self._say_frame(Ack(self._memory.on_disk), now_ns)

    def _ask_again(self, reason: str, now_ns: int) -> None:
        expected = self._memory.delivered + 1
        if self._nak is not None and self._nak[0] == expected and now_ns < self._nak[1] + NAK_AGAIN_NS:
            return
        self._nak = (expected, now_ns)
        self._memory.asked_again += 1
        self._say_frame(Nak(expected, reason), now_ns)

    def _oddity(self, code: str, detail: str) -> None:
        self._emit(DeviceOddity(code, detail))


def _common_version(hello: m.Hello) -> int | None:
    return max(set(hello.versions) & set(VERSIONS), default=None)


def _who(hello: m.Hello) -> tuple[tuple[int, ...], m.Identity, str]:
    return hello.versions, hello.identity, hello.boot


def _content(message: m.Numbered | m.Unintelligible) -> m.WireEvent | tuple[str, str]:
    return message.event if isinstance(message, m.Numbered) else (message.kind, message.text)
