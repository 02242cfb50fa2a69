"""Tests that move cards or change how a machine works: only with permission."""

from __future__ import annotations

from typing import Final

from daemon.tools.selftest import checks
from daemon.tools.selftest.asking import ask, meet
from daemon.tools.selftest.checks import Check, Measure, failed, left_out, passed
from daemon.tools.selftest.observed import Answer, Deal, Locking
from daemon.tools.selftest.people import Person
from daemon.tools.selftest.talk import DeviceUnderTest, Talk
from drivers.commands import DeviceCommand, Dispense, EjectRemainder, Lock, Reshuffle, SetMode, Unlock
from drivers.events import (
    DeviceEvent,
    PacketDispensed,
    PacketRemoved,
    RemainderEjected,
    ShuffleFinished,
    ShuffleStarted,
)
from protocols.cards import Card
from protocols.felt_link.messages import Refusal

CARDS_A_PACKET: Final = 5
MOTION_S: Final = 90.0
"""Three times what the slowest single-deck machine needs for a shuffle."""
BEGUN_S: Final = 2.0
"""A machine that has a whole deck begins at once. If it does not begin, it waits for one."""
_MS: Final = 1_000_000


async def lock(device: DeviceUnderTest) -> Locking:
    """Lock the machine, order a packet although it is locked, and unlock it."""
    async with device.talk() as talk:
        await _acknowledge_from_here(talk)
        locked = await ask(device, talk, Lock())
        ordered = await ask(device, talk, Dispense(1))
        return Locking(locked, ordered, await ask(device, talk, Unlock()))


async def deal(device: DeviceUnderTest, person: Person) -> Deal:
    """Shuffle, dispense one packet, eject the rest."""
    async with device.talk() as talk:
        await _acknowledge_from_here(talk)
        return await _Dealing(device, talk, person).deal()


async def _acknowledge_from_here(talk: Talk) -> None:
    """Acknowledge all events of this test: a daemon should not find them in the device afterwards."""
    talk.acknowledges = True
    await meet(talk)


class _Dealing:
    """One deal, step by step. The first step that fails ends it."""

    def __init__(self, device: DeviceUnderTest, talk: Talk, person: Person) -> None:
        self._device: Final = device
        self._talk: Final = talk
        self._person: Final = person
        self._first: Final = len(talk.reports)
        self._since = self._first  # the first report of the present step
        self._refused: tuple[str, str] | None = None
        self._stuck: str | None = None
        self._missed: str | None = None

    async def deal(self) -> Deal:
        """Run all steps, and return what came of them."""
        shuffle_ns = packet_ns = None
        if await self._do_command(SetMode(CARDS_A_PACKET)):
            shuffle_ns = await self._shuffle()
        if shuffle_ns is not None:
            packet_ns = await self._motion(Dispense(1), PacketDispensed)
        if packet_ns is not None and await self._by_hand("Take the packet out of the tray.", PacketRemoved):
            await self._motion(EjectRemainder(), RemainderEjected)
        happened = tuple(report.event for report in self._talk.reports[self._first :])
        return Deal(CARDS_A_PACKET, happened, shuffle_ns, packet_ns, self._refused, self._stuck, self._missed)

    async def _do_command(self, command: DeviceCommand) -> bool:
        self._since = len(self._talk.reports)
        answer = await ask(self._device, self._talk, command)
        if answer is not None and answer.refusal is None:
            return True
        self._refused = _step(command), "no answer" if answer is None else answer.refusal or ""
        return False

    async def _motion(self, command: DeviceCommand, ends_with: type[DeviceEvent]) -> int | None:
        """Do the command. Return how long it took until `ends_with` was reported."""
        began_ns = self._talk.now_ns
        return await self._end(command, ends_with, began_ns) if await self._do_command(command) else None

    async def _shuffle(self) -> int | None:
        """Shuffle, as soon as there is a whole deck. Return how long it took."""
        if not await self._do_command(Reshuffle()):
            return None
        has_begun = await self._talk.until(lambda: self._when(ShuffleStarted), BEGUN_S)
        if not has_begun and not await self._by_hand("Put a whole deck into the machine.", ShuffleStarted):
            return None
        return await self._end(Reshuffle(), ShuffleFinished, self._when(ShuffleStarted) or 0)

    async def _end(self, command: DeviceCommand, ends_with: type[DeviceEvent], began_ns: int) -> int | None:
        await self._talk.until(lambda: self._when(ends_with), MOTION_S)
        ended_ns = self._when(ends_with)
        if ended_ns is None:
            self._stuck = _step(command)
            return None
        return ended_ns - began_ns

    async def _by_hand(self, request: str, comes: type[DeviceEvent]) -> bool:
        await self._person.does(request, lambda patience_s: self._talk.until(lambda: self._when(comes), patience_s))
        if self._when(comes) is None:
            self._missed = request
        return self._missed is None

    def _when(self, kind: type[DeviceEvent]) -> int | None:
        """Return when the first event of a kind came in the present step."""
        reports = self._talk.reports[self._since :]
        return next((report.at.mono_ns for report in reports if isinstance(report.event, kind)), None)


def _step(command: DeviceCommand) -> str:
    return type(command).__name__


def judge_locking(locking: Locking) -> Check:
    """Check that a locked machine dispenses nothing, and can be unlocked."""
    steps = {"lock": locking.locked, "unlock": locking.unlocked}
    for name, answer in steps.items():
        if answer is None or answer.refusal is not None:
            return failed(
                checks.LOCK, f"{name}: {_word(answer)}.", "See what the machine shows; unlock it at its panel."
            )
    if locking.ordered is None or locking.ordered.refusal is None:
        said = f"a packet was ordered from the locked machine: {_word(locking.ordered)}."
        return failed(checks.LOCK, said, "Take the packet out. Show the vendor section 7 of felt-link's specification.")
    why = "" if locking.ordered.refusal == Refusal.LOCKED else f" (with {locking.ordered.refusal})"
    return passed(checks.LOCK, f"locked, it refuses a packet{why}. It was unlocked again.")


def _word(answer: Answer | None) -> str:
    return "no answer" if answer is None else "accepted" if answer.refusal is None else f"refused ({answer.refusal})"


def judge_deal(deal: Deal) -> Check:
    """Check that the machine obeyed, and that all cards are accounted for if it counts them."""
    figures = tuple(
        Measure(name, round(time_ns / _MS, 1))
        for name, time_ns in (("shuffle_ms", deal.shuffle_ns), ("packet_ms", deal.packet_ns))
        if time_ns is not None
    )
    if deal.refused is not None:
        said = f"{deal.refused[0]} was refused: {deal.refused[1]}."
        return failed(checks.DEAL, said, "See what the machine shows, put it right, and run it again.", *figures)
    if deal.stuck is not None:
        said = f"{deal.stuck} was accepted, but the machine did not report its end."
        return failed(checks.DEAL, said, "See what the machine shows; clear a jam, put in a whole deck.", *figures)
    if deal.missed is not None:
        return left_out(
            checks.DEAL, f"this was not done: {deal.missed} Take the packet out, and eject the rest by its key."
        )
    wrong = _wrong_with(deal)
    if wrong is not None:
        return failed(checks.DEAL, wrong, "Count the deck by hand; clean reader and counter.", *figures)
    return passed(
        checks.DEAL, "shuffled, dispensed a packet and ejected the rest; all cards are accounted for.", *figures
    )


def _wrong_with(deal: Deal) -> str | None:
    shuffled = [event for event in deal.happened if isinstance(event, ShuffleFinished)][-1]
    packet = [event for event in deal.happened if isinstance(event, PacketDispensed)][-1]
    rest = [event for event in deal.happened if isinstance(event, RemainderEjected)][-1]
    if packet.count is not None and packet.count != deal.cards_a_packet:
        return f"a packet of {deal.cards_a_packet} was ordered and {packet.count} cards came."
    if shuffled.count is not None and packet.count is not None and rest.count != shuffled.count - packet.count:
        return f"{shuffled.count} cards were shuffled, {packet.count} dispensed and {rest.count} ejected."
    faces = (*(packet.faces or ()), *(rest.faces or ()))
    if not all(isinstance(face, Card) for face in faces):
        return "some cards could not be read."
    return "a card was read twice." if len(set(faces)) < len(faces) else None
