"""The requirements of a shuffler that takes commands: one deal, with everything ordered that it has to refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from daemon.tools.selftest.checks import Check, failed, left_out, passed
from daemon.tools.selftest.people import Person
from daemon.tools.selftest.wire import Wire
from protocols.felt_link import messages as m
from protocols.felt_link.frame import Ack
from protocols.felt_link.limits import COMMAND_AGAIN_NS, HELLO_NS, SILENCE_NS

MOTION_NS: Final = 90_000_000_000
"""Three times what the slowest single-deck machine needs for a shuffle."""
_S: Final = 1_000_000_000
_CARDS: Final = 5
OF_A_DEAL: Final = ("FL-31", "FL-32", "FL-38", "FL-39", "FL-40", "FL-41", "FL-42")
_REMEDY: Final = "Read sections 6 and 7 of protocols/felt_link/SPEC.md."


async def judge_deal(wire: Wire, person: Person, next_id: Callable[[], str]) -> dict[str, Check]:
    """Drive one deal, and return the checks of its requirements. Acknowledge all of its events."""
    deal = _Deal(wire, person, next_id)
    try:
        await deal.run()
    except _StuckError as stuck:
        for number in OF_A_DEAL:
            deal.found.setdefault(number, left_out(number, str(stuck)))
    return deal.found


class _StuckError(Exception):
    """The deal cannot go on. The text says why."""


class _Deal:
    def __init__(self, wire: Wire, person: Person, next_id: Callable[[], str]) -> None:
        self.found: Final[dict[str, Check]] = {}
        self._wire: Final = wire
        self._person: Final = person
        self._next_id: Final = next_id
        self._acknowledged = 0
        self._mark = 0  # how many messages there were before the present step

    async def run(self) -> None:
        wire = self._wire
        if not await wire.until(lambda: wire.since(0, m.Hello), SILENCE_NS + 3 * HELLO_NS):
            raise _StuckError("the device said no hello.")
        hello = wire.since(0, m.Hello)[-1]
        wire.beats_seq = self._acknowledged = hello.first_kept - 1
        wire.send(m.Welcome(1, hello.boot, hello.first_kept - 1))
        await self._expect("FL-31", m.SetMode(_CARDS), m.ModeChanged)
        await self._expect("FL-31", m.SetMode(_CARDS), m.ModeChanged)
        await self._shuffle()
        self._rule("FL-41", await self._refusal(m.Dispense(2)), m.Refusal.POSITION)
        self._rule("FL-38", await self._refusal(m.Lock()), None)
        for motion in (m.Dispense(1), m.EjectRemainder(), m.Reshuffle()):
            self._rule("FL-38", await self._refusal(motion), m.Refusal.LOCKED)
        self._rule("FL-38", await self._refusal(m.Unlock()), None)
        await self._expect("FL-39", m.Dispense(1), m.PacketDispensed)
        self._rule("FL-40", await self._refusal(m.Dispense(2)), m.Refusal.BUSY)
        await self._by_hand("Take the packet out of the tray.", m.PacketRemoved)
        await self._expect("FL-39", m.EjectRemainder(), m.RemainderEjected)
        self._rule("FL-42", await self._refusal(m.Dispense(2)), m.Refusal.NO_DECK)
        self._rule("FL-42", await self._refusal(m.EjectRemainder()), m.Refusal.NO_DECK)
        await self._by_hand("Put a whole deck into the machine.", m.ShuffleStarted)
        self.found["FL-32"] = passed("FL-32", "")
        await self._come(m.ShuffleFinished, MOTION_NS)

    async def _shuffle(self) -> None:
        refusal = await self._refusal(m.Reshuffle())
        if refusal is not None:
            raise _StuckError(f"it refused to shuffle ({refusal}): see what the machine shows.")
        if not await self._come(m.ShuffleStarted, 2 * _S):
            await self._by_hand("Put a whole deck into the machine.", m.ShuffleStarted)
        if not await self._come(m.ShuffleFinished, MOTION_NS):
            raise _StuckError("it did not report the end of a shuffle.")

    async def _refusal(self, command: m.WireCommand) -> str | None:
        """Order a command, and return the word of its refusal, or None if it was accepted."""
        wire, order = self._wire, m.Order(self._next_id(), command)
        self._mark = mark = len(wire.came)
        wire.send(order)
        await wire.until(lambda: wire.since(mark, m.WireAnswer), COMMAND_AGAIN_NS)
        answers = wire.since(mark, m.WireAnswer)
        if not answers:
            raise _StuckError(f"{type(command).__name__} was not answered.")
        return answers[0].refusal

    def _rule(self, number: str, refusal: str | None, wanted: str | None) -> None:
        known = self.found.get(number)
        if known is not None and known.remedy:
            return  # a failure stays one
        said = f"it answered {refusal or 'accepted'}, and not {wanted or 'accepted'}."
        self.found[number] = passed(number, "") if refusal == wanted else failed(number, said, _REMEDY)

    async def _expect(self, number: str, command: m.WireCommand, event: type[m.WireEvent]) -> None:
        """Order a command that has to be done, and wait for its event."""
        self._rule(number, await self._refusal(command), None)
        if not await self._come(event, MOTION_NS if number == "FL-39" else 2 * _S):
            self.found[number] = failed(number, f"after {type(command).__name__} no such event came.", _REMEDY)
            raise _StuckError(f"{type(command).__name__} had no end.")

    async def _by_hand(self, request: str, event: type[m.WireEvent]) -> None:
        self._mark = len(self._wire.came)
        await self._person.does(request, lambda patience_s: self._come(event, round((patience_s or 600) * _S)))
        if not self._has(event):
            raise _StuckError(f"this was not done: {request}")

    async def _come(self, event: type[m.WireEvent], within_ns: int) -> bool:
        return await self._wire.until(lambda: self._has(event), within_ns)

    def _has(self, event: type[m.WireEvent]) -> bool:
        """Return whether the event came in this step. Acknowledge everything that has come in order."""
        numbered = [came.message for came in self._wire.came if isinstance(came.message, m.Numbered)]
        numbers = {one.seq for one in numbered}
        while self._acknowledged + 1 in numbers:
            self._acknowledged += 1
        if self._wire.beats_seq != self._acknowledged:
            self._wire.beats_seq = self._acknowledged
            self._wire.send_frame(Ack(self._acknowledged))
        step = self._wire.since(self._mark, m.Numbered)
        return any(isinstance(one.event, event) for one in step)
