"""Judges a device by the numbered requirements of felt-link's specification, for the vendor who built it.

Theory of operation. `Wire` is a host that can say anything, also what no sound host says. Most requirements are asked
over one connection, from the first hello on: what a device does before it is welcomed, then how it sends its events,
reads frames and answers commands. Nothing here moves a card, and only the lamp is switched. An event is acknowledged
only with permission. With permission to move, one deal is driven through what a machine has to refuse.

Where a requirement cannot be seen from outside, the verdict is `left-out` and says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from daemon.tools.capture.recorder import Outside
from daemon.tools.selftest.checks import Check, failed, left_out, passed
from daemon.tools.selftest.conformance_deal import OF_A_DEAL, judge_deal
from daemon.tools.selftest.people import Person
from daemon.tools.selftest.wire import Wire, opened
from drivers.profile import Capability, DeviceRole, DeviceSettings
from protocols.checksum import crc16
from protocols.felt_link import messages as m
from protocols.felt_link.frame import ETX, STX, Ack, Nak, encode
from protocols.felt_link.limits import (
    BEAT_NS,
    COMMAND_AGAIN_NS,
    FRAME_LENGTH_MAX,
    HELLO_NS,
    RETRANSMIT_NS,
    SEQ_MAX,
    SILENCE_NS,
    WINDOW_EVENTS,
)
from protocols.felt_link.requirements import REQUIREMENTS
from protocols.felt_link.wording import to_frame

_MS: Final = 1_000_000
_S: Final = 1_000_000_000
SOON_NS: Final = 300 * _MS
"""Longer than an answer takes at 38,400 baud, and shorter than any of the device's own timers."""
LATE_NS: Final = HELLO_NS // 2
"""How much later than specified a timer of the device may be."""
MEETING_NS: Final = SILENCE_NS + 3 * HELLO_NS
_MADE_BY_HAND: Final = {
    m.Capability.BUTTONS.value: f"Press a key of the device {WINDOW_EVENTS + 2} times.",
    m.Capability.STAKES.value: f"Lay a chip on any spot, wait, and take it away, {WINDOW_EVENTS // 2 + 1} times.",
}
"""What makes more events than may be on their way at once."""
_UNSENT: Final = 1_000  # beyond any number that the device has sent
_WRONG_VERSION: Final = 99
_UNSEEN: Final = {
    "FL-07": "a guessed card looks like a read one: show it with a worn card.",
    "FL-30": "filling the store needs a host that is silent for minutes: show it by a test of the device's program.",
    "FL-45": "nobody is asked to lay chips: show it with chips on the felt while the device loses its power.",
    "FL-46": "a guessed amount looks like a read one: show it with a chip that carries no value.",
    "FL-43": "a loss of power is not ours to make: show it by a test of the device's program.",
}
_REMEDY: Final = "Read section {} of protocols/felt_link/SPEC.md."


class Conformance:
    """All requirements, asked of one device."""

    def __init__(self, settings: DeviceSettings, outside: Outside, person: Person, run: str) -> None:
        """`run` tells this run's commands from those of other runs."""
        self._settings: Final = settings
        self._outside: Final = outside
        self._person: Final = person
        self._run: Final = run
        self._found: Final[dict[str, Check]] = {}
        self._contents: Final[dict[int, m.WireEvent | str]] = {}
        self._ordered = 0

    async def checks(self, *, moves: bool, acknowledges: bool) -> tuple[Check, ...]:
        """Ask everything that is allowed, and return a check for each requirement, in order."""
        async with opened(self._settings, self._outside) as wire:
            self._person.show_step("asking what it does before it is welcomed")
            hello = await self._before_the_welcome(wire)
            if hello is not None:
                hello = await self._with_events(wire, hello)
                self._person.show_step("asking how it sends its events")
                await self._events(wire, hello)
                self._person.show_step("asking how it reads frames and answers commands")
                await self._frames(wire)
                await self._commands(wire)
                await self._silence(wire)
                odd = [came.message for came in wire.came if isinstance(came.message, m.Unintelligible | m.Meaningless)]
                self._rule("FL-44", not odd, f"{len(odd)} messages have no meaning in this version.")
        if hello is not None:
            await self._over_another_connection(hello, acknowledges=acknowledges)
            if moves and self._is_driven:
                self._person.show_step("driving a deal through what it has to refuse")
                async with opened(self._settings, self._outside) as wire:
                    self._found.update(await judge_deal(wire, self._person, self._next_id))
        return tuple(self._found.get(one.number) or self._unasked(one.number) for one in REQUIREMENTS)

    @property
    def _is_driven(self) -> bool:
        profile = self._settings.profile
        return profile.role is DeviceRole.SHUFFLER and profile.can(Capability.COMMANDS)

    def _unasked(self, number: str) -> Check:
        if number in _UNSEEN:
            return left_out(number, _UNSEEN[number])
        if number in OF_A_DEAL and not self._is_driven:
            return left_out(number, "this is for a shuffler that takes commands.")
        return left_out(number, "this was not asked: see --move and --acknowledge, or the device said no hello.")

    def _rule(self, number: str, is_met: bool, otherwise: str) -> None:
        section = next(one.section for one in REQUIREMENTS if one.number == number)
        known = self._found.get(number)
        if known is None or not known.remedy:  # a failure stays one
            self._found[number] = passed(number, "") if is_met else failed(number, otherwise, _REMEDY.format(section))

    def _next_id(self) -> str:
        self._ordered += 1
        return f"conformance-{self._run}-{self._ordered}"

    # Before the welcome.

    async def _before_the_welcome(self, wire: Wire) -> m.Hello | None:
        """Return its hello, or None if it says none."""
        if not await wire.until(lambda: wire.since(0, m.Hello), MEETING_NS):
            self._rule("FL-08", False, f"no hello came in {MEETING_NS // _MS} ms.")
            return None
        hello = wire.since(0, m.Hello)[-1]
        mark = len(wire.came)
        again = await wire.until(lambda: wire.since(mark, m.Hello), HELLO_NS + LATE_NS)
        self._rule("FL-08", again, f"no second hello came within {(HELLO_NS + LATE_NS) // _MS} ms.")
        mark = len(wire.came)
        wire.send(m.Order(self._next_id(), m.SetLamp(lit=False)))
        await wire.last(SOON_NS)
        self._rule("FL-09", not _others(wire, mark), "it sent something else than hello, or answered a command.")
        for number, welcome in (
            ("FL-10", m.Welcome(1, "another" if hello.boot != "another" else "other", hello.first_kept - 1)),
            ("FL-11", m.Welcome(_WRONG_VERSION, hello.boot, hello.first_kept - 1)),
            ("FL-12", m.Welcome(1, hello.boot, min(hello.next_seq + _UNSENT, SEQ_MAX))),
        ):
            mark = len(wire.came)
            wire.send(welcome)
            await wire.last(SOON_NS)
            self._rule(number, not _others(wire, mark), "it took such a welcome for its own.")
        mark = len(wire.came)
        wire.send(m.Refuse(m.HostRefusal.DEVICE, "conformance test"))
        again = await wire.until(lambda: wire.since(mark, m.Hello), HELLO_NS + LATE_NS)
        self._rule("FL-16", again, "after a refusal it said no hello.")
        return wire.since(0, m.Hello)[-1]

    async def _with_events(self, wire: Wire, hello: m.Hello) -> m.Hello:
        """Have keys pressed if it holds no more events than may be on their way. Return its newest hello."""
        request = next((_MADE_BY_HAND[can] for can in hello.identity.capabilities if can in _MADE_BY_HAND), None)
        if request is not None and _held(hello) <= WINDOW_EVENTS:

            async def waiting(patience_s: float | None) -> bool:
                patience_ns = round((patience_s or 600) * _S)
                return await wire.until(lambda: _held(wire.since(0, m.Hello)[-1]) > WINDOW_EVENTS, patience_ns)

            await self._person.does(request, waiting)
        return wire.since(0, m.Hello)[-1]

    # Events.

    async def _events(self, wire: Wire, hello: m.Hello) -> None:
        before, window = hello.first_kept - 1, min(_held(hello), WINDOW_EVENTS)
        sent = await self._welcome(wire, hello, before)
        expected = list(range(hello.first_kept, hello.first_kept + window))
        is_beating = bool(wire.since(0, m.Beat))
        self._rule("FL-13", is_beating and [one.seq for one in sent][:window] == expected, _list("it sent", sent))
        await wire.last(2 * BEAT_NS)
        beats = wire.since(0, m.Beat)
        last = hello.first_kept - 1 + window
        self._rule("FL-18", bool(beats) and beats[-1].seq == last, f"its beat did not name event {last}.")
        if _held(hello) > WINDOW_EVENTS:
            most = max((one.seq for one in _numbered(wire, 0)), default=0)
            self._rule("FL-21", most <= before + WINDOW_EVENTS, f"event {most} came unacknowledged.")
        else:
            self._found["FL-21"] = left_out("FL-21", f"it holds no more than {WINDOW_EVENTS} events: press more keys.")
        again = await self._welcome(wire, hello, before)
        self._rule("FL-15", [one.seq for one in again][:window] == expected, _list("it sent", again))
        if not window:
            for number in ("FL-20", "FL-22", "FL-23", "FL-24", "FL-25", "FL-26", "FL-27"):
                self._found[number] = left_out(number, "it holds no event: press a key or restart it first.")
            return
        self._rule("FL-22", all(one.resent for one in again), "an event came again without R.")
        await self._repetitions(wire, hello, expected)

    async def _repetitions(self, wire: Wire, hello: m.Hello, expected: Sequence[int]) -> None:
        wire.send_frame(Ack(min(hello.next_seq + _UNSENT, SEQ_MAX)))
        again = await self._welcome(wire, hello, expected[0] - 1)
        self._rule("FL-23", [one.seq for one in again][: len(expected)] == list(expected), _list("it then sent", again))
        mark = len(wire.came)
        wire.send_frame(Nak(expected[0], "gap"))
        came = await wire.until(lambda: len(_numbered(wire, mark)) >= len(expected), SOON_NS)
        self._rule("FL-24", came, _list("asked for all again, it sent", _numbered(wire, mark)))
        mark = len(wire.came)
        wire.send_frame(Nak(min(hello.next_seq + _UNSENT, SEQ_MAX), "gap"))
        if expected[0] > 1:
            wire.send_frame(Nak(expected[0] - 1, "gap"))
        await wire.last(SOON_NS)
        self._rule("FL-25", not _numbered(wire, mark), "it answered a refusal of an event that it does not keep.")
        wire.send_frame(Nak(expected[-1], "gap"))
        await wire.last(SOON_NS)
        again = await self._welcome(wire, hello, expected[0] - 1)
        self._rule("FL-25", [one.seq for one in again][: len(expected)] == list(expected), _list("it then sent", again))
        mark = len(wire.came)
        await wire.last(RETRANSMIT_NS + LATE_NS)
        again = _numbered(wire, mark)
        self._rule("FL-26", [one.seq for one in again][:1] == list(expected[:1]), _list("by itself it sent", again))
        await self._note_contents(wire)

    async def _welcome(self, wire: Wire, hello: m.Hello, seq: int) -> list[m.Numbered | m.Unintelligible]:
        """Welcome the device, and return the events that it sends at once."""
        mark = len(wire.came)
        wire.beats_seq = seq
        wire.send(m.Welcome(1, hello.boot, seq))
        await wire.last(SOON_NS)
        return _numbered(wire, mark)

    async def _note_contents(self, wire: Wire) -> None:
        numbers = {one.seq for one in _numbered(wire, 0)}
        contents = {(one.seq, _content(one)) for one in _numbered(wire, 0)}
        has_holes = bool(numbers) and len(numbers) != max(numbers) - min(numbers) + 1
        self._rule("FL-20", not has_holes, "there is a hole in its numbers.")
        self._rule("FL-20", len(contents) == len(numbers), "one number came with two contents.")

    # Frames.

    async def _frames(self, wire: Wire) -> None:
        sound = self._order_bytes
        wrong = sound()
        wrong = wrong[:-1] + (b"0" if wrong[-1:] != b"0" else b"1")
        await self._read_as(wire, "FL-01", wrong, is_read=False)
        small = sound()
        while small[-4:].isdigit():  # only a check with a letter can have a small one
            small = sound()
        await self._read_as(wire, "FL-02", small[:-4] + small[-4:].lower(), is_read=False)
        body = f"DO|00||{self._next_id()}|lamp|0".encode() + bytes((ETX,))
        await self._read_as(wire, "FL-03", bytes((STX,)) + body + b"%04X" % crc16(body), is_read=False)
        await self._read_as(wire, "FL-04", b"\r\n" + sound() + b"\r\n\r\n" + sound() + b"\r\n", is_read=True, times=2)
        endless = bytes((STX,)) + b"A" * (FRAME_LENGTH_MAX + 1)
        await self._read_as(wire, "FL-05", endless + sound(), is_read=True)
        await self._read_as(wire, "FL-06", sound()[:-6] + sound(), is_read=True)

    def _order_bytes(self) -> bytes:
        return encode(to_frame(m.Order(self._next_id(), m.SetLamp(lit=False))))

    async def _read_as(self, wire: Wire, number: str, data: bytes, *, is_read: bool, times: int = 1) -> None:
        """Send bytes with harmless orders, and rule by whether they are answered."""
        mark = len(wire.came)
        wire.send_bytes(data)
        await wire.until(lambda: len(wire.since(mark, m.WireAnswer)) >= times, SOON_NS)
        answers = len(wire.since(mark, m.WireAnswer))
        self._rule(number, answers == (times if is_read else 0), f"{answers} answers came to such bytes.")

    # Commands.

    async def _commands(self, wire: Wire) -> None:
        known = self._next_id()
        first = await self._answer(wire, m.Order(known, m.SetLamp(lit=False)))
        self._rule("FL-33", first is not None, f"no answer came within {COMMAND_AGAIN_NS // _MS} ms.")
        again = await self._answer(wire, m.Order(known, m.SetLamp(lit=False)))
        self._rule("FL-34", again == first, f"it answered {_word(first)}, and then {_word(again)}.")
        other = await self._answer(wire, m.Order(known, m.SetLamp(lit=True)))
        self._rule("FL-35", _refused(other) == m.Refusal.ID_REUSED, f"it answered {_word(other)}.")
        for number, words, refusal in (
            ("FL-36", ("no-such-command",), m.Refusal.UNKNOWN_COMMAND),
            ("FL-37", ("lamp", "2"), m.Refusal.BAD_ARGUMENT),
        ):
            body = "|".join(("DO", "0", "", self._next_id(), *words)).encode() + bytes((ETX,))
            mark = len(wire.came)
            wire.send_bytes(bytes((STX,)) + body + b"%04X" % crc16(body))
            await wire.until(lambda mark=mark: wire.since(mark, m.WireAnswer), COMMAND_AGAIN_NS)  # type: ignore[misc]
            answer = next(iter(wire.since(mark, m.WireAnswer)), None)
            self._rule(number, _refused(answer) == refusal, f"it answered {_word(answer)}.")

    async def _answer(self, wire: Wire, order: m.Order) -> m.WireAnswer | None:
        mark = len(wire.came)
        wire.send(order)
        await wire.until(lambda: wire.since(mark, m.WireAnswer), COMMAND_AGAIN_NS)
        return next((answer for answer in wire.since(mark, m.WireAnswer) if answer.id == order.id), None)

    # Silence, and what outlives a connection.

    async def _silence(self, wire: Wire) -> None:
        mark, began_ns = len(wire.came), wire.now_ns
        await wire.last(3 * BEAT_NS)
        moments = [began_ns, *(came.at_ns for came in wire.came[mark:]), wire.now_ns]
        longest_ns = max(later - sooner for sooner, later in pairwise(moments))
        self._rule("FL-17", longest_ns < 2 * BEAT_NS, f"it was silent for {longest_ns // _MS} ms.")
        wire.beats_seq, mark = None, len(wire.came)
        said = await wire.until(lambda: wire.since(mark, m.Hello), SILENCE_NS + HELLO_NS + LATE_NS)
        self._rule("FL-19", said, "it said no hello to a host that had fallen silent.")

    async def _over_another_connection(self, before: m.Hello, *, acknowledges: bool) -> None:
        async with opened(self._settings, self._outside) as wire:
            if not await wire.until(lambda: wire.since(0, m.Hello), MEETING_NS):
                self._rule("FL-29", False, "no hello came over another connection.")
                return
            now = wire.since(0, m.Hello)[-1]
            self._rule("FL-29", now.boot == before.boot, f"its boot was {before.boot} and is {now.boot}.")
            if "FL-27" not in self._found:
                is_kept = now.first_kept == before.first_kept
                self._rule("FL-27", is_kept, f"its oldest event was {before.first_kept} and is {now.first_kept}.")
            if not acknowledges or now.first_kept == now.next_seq:
                why = "--acknowledge was not given." if not acknowledges else "it holds no event."
                for number in ("FL-14", "FL-28"):
                    self._found[number] = left_out(number, why)
                return
            sent = await self._welcome(wire, now, now.first_kept - 1)
            last = max((one.seq for one in sent), default=now.first_kept)
            wire.send_frame(Ack(last))
            await wire.last(SOON_NS)
            again = await self._welcome(wire, now, now.first_kept - 1)
            is_forgotten = all(one.seq > last for one in again)
            self._rule("FL-28", is_forgotten, f"event {last} and all before it were acknowledged, and came again.")
            mark = len(wire.came)
            await self._welcome(wire, now, now.first_kept - 1)
            self._rule("FL-14", bool(wire.since(mark, m.Beat)), "it left such a welcome alone.")


def _held(hello: m.Hello) -> int:
    return hello.next_seq - hello.first_kept


def _others(wire: Wire, mark: int) -> list[m.Reading]:
    return [came.message for came in wire.came[mark:] if not isinstance(came.message, m.Hello)]


def _numbered(wire: Wire, mark: int) -> list[m.Numbered | m.Unintelligible]:
    return [came.message for came in wire.came[mark:] if isinstance(came.message, m.Numbered | m.Unintelligible)]


def _content(one: m.Numbered | m.Unintelligible) -> m.WireEvent | str:
    return one.event if isinstance(one, m.Numbered) else f"{one.kind}|{one.text}"


def _list(what: str, events: Sequence[m.Numbered | m.Unintelligible]) -> str:
    return f"{what} {', '.join(str(one.seq) for one in events) or 'no event'}."


def _refused(answer: m.WireAnswer | None) -> str | None:
    return None if answer is None else answer.refusal


def _word(answer: m.WireAnswer | None) -> str:
    return "nothing" if answer is None else answer.refusal or "accepted"
