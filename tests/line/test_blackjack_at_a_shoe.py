"""Blackjack dealt from each kind of shoe: emulated mechanism, its protocol, its driver, the table."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from daemon.rules.blackjack.house import BlackjackHouse
from daemon.rules.blackjack.record import settle_record
from daemon.rules.results import Settled
from daemon.table.blackjack.house import house_of
from daemon.table.blackjack.state import deal_of
from daemon.table.round_facts import (
    CardDealt,
    CutCardOut,
    IrregularityFound,
    RoundInterrupted,
    RoundOpened,
    RoundSettled,
    ShoeChangeDue,
)
from daemon.table.state import Phase
from daemon.table.vocabulary import Decision, Irregularity, Ruling
from drivers import events as e
from drivers.events import Button
from drivers.profile import Capability, Profile
from drivers.profiles import PROFILES
from protocols.angel_eye.options import AngelEyeOptions
from protocols.cards import Card
from sim_hardware.faults import FaultName, OnPacket
from sim_hardware.loop import run as run_virtually
from sim_hardware.pace import Pace
from sim_hardware.shoe import ShoeSettings
from sim_hardware.shoe_events import ShoeError
from sim_hardware.shoe_kinds import SHOE_KINDS, ShoeKind
from sim_hardware.shoe_rig import ShoeRig
from tests.drivers.emulated import IN_VIRTUAL_TIME, Listener, driven, on_memory, settings_for, started
from tests.support.sentences import Says
from tests.table.blackjack_playing import Blackjack
from tests.table.blackjack_witness import Witness

OPTIONS = BlackjackHouse(decks=2, burn_cards=1)
SHOE = ShoeSettings(seed=7, decks=2, behind_cut=40, referees=False, pace=Pace(0))
DREW = (e.CardDrawn, e.CutCardDrawn, e.ReadFailed, e.FaultRaised)
every_shoe = pytest.mark.parametrize("kind", SHOE_KINDS.values(), ids=SHOE_KINDS)


class Felt:
    """A table whose dealer works a real shoe; every player stands on 17 and hits below."""

    def __init__(self, rig: ShoeRig, heard: Listener) -> None:
        self.rig, self.heard = rig, heard
        self.table = Blackjack(OPTIONS, ready=False)
        self._taken = 0

    def hear(self) -> None:
        """Give the table what the driver reported meanwhile."""
        new = self.heard.events[self._taken :]
        self._taken += len(new)
        for event in new:
            self.table.device(event)

    def can(self, capability: Capability) -> bool:
        """Whether the table may count on this of the shoe."""
        return PROFILES[self.rig.kind.profile].can(capability)

    async def load(self) -> None:
        """Put decks in. Of a shoe that does not say so itself, tell the table."""
        before = self.heard.count(e.DeckLoaded)
        assert self.rig.load() is None
        if self.can(Capability.LOADS):
            await self.until(lambda: self.heard.count(e.DeckLoaded) > before)
        else:
            assert self.table.load().accepted

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Wait for the driver, then tell the table."""
        await self.heard.until(is_so)
        self.hear()

    async def draw(self) -> None:
        """One pull at the shoe, and whatever it says of it."""
        if not self.can(Capability.CUT_CARD) and self.rig.shoe.is_cut_card_next:
            self.rig.draw()  # the cut card, for which its line has no word
        before = len(self.heard.of(*DREW))
        assert self.rig.draw() is None
        await self.until(lambda: len(self.heard.of(*DREW)) > before)

    async def open(self) -> None:
        """Plugged in, loaded, burned."""
        await self.until(lambda: self.heard.count(e.LinkUp) == 1)
        await self.load()
        await self.draw()
        assert self.table.phase() is Phase.BETTING

    async def deal(self, *seats: int) -> None:
        """Stakes, and the first cards."""
        for seat in seats:
            self.table.stake(seat, side=200)
        self.table.press(Button.GREEN)
        while self.table.phase() is Phase.DEALING:
            await self.draw()

    async def play_out(self) -> None:
        """To the end of the round."""
        while self.table.phase() not in (Phase.IDLE, Phase.BETTING, Phase.HELD, Phase.INTERRUPTED):
            if "raw a card for" in self.table.state.prompt:
                await self.draw()
            elif self.table.phase() is Phase.DECIDING:
                self.decide()
            else:
                self.table.next()

    def decide(self) -> None:
        """What a simple player does."""
        assert self.table.state.round is not None
        deal = deal_of(self.table.state.round)
        player = deal.to_act
        assert player is not None
        assert player.play is not None
        low = player.play.hands[player.play.turn or 0].total.points < 17
        assert self.table.decide(player.seat, Decision.HIT if low else Decision.STAND).accepted

    def found(self) -> set[Irregularity]:
        return {fact.irregularity for fact in self.table.said(IrregularityFound)}


@asynccontextmanager
async def felt(
    kind: ShoeKind, weather: str = "memory", shoe: ShoeSettings = SHOE, profile: Profile | None = None
) -> AsyncIterator[Felt]:
    """A shoe of this kind, its driver, and the table."""
    meeting = on_memory(IN_VIRTUAL_TIME[weather])
    rig = ShoeRig(shoe, meeting.port, kind)
    settings = settings_for(rig, profile or PROFILES[kind.profile])
    async with started(rig), driven(settings, meeting.opening) as heard:
        yield Felt(rig, heard)


def play(story: Coroutine[object, object, None]) -> None:
    run_virtually(story)


def compare(table: Blackjack) -> None:
    """Every settled round is what the rules make of what a bystander heard of it."""
    house = house_of(table.state.settings)
    rounds = [list(group) for opens, group in itertools.groupby(table.facts, _opens()) if opens]
    settled = 0
    for facts in rounds:
        witness = Witness()
        witness.hear(facts)
        if not witness.settled:
            continue
        settled += 1
        for seat in witness.hands:
            result = settle_record(witness.record(seat), witness.wagers(seat), house)
            assert isinstance(result, Settled)
            assert witness.came_to(seat) == {
                wager.name: (wager.stake, wager.pays, wager.returned) for wager in result.wagers
            }
    assert settled == len(table.said(RoundSettled)) > 0


def _opens() -> Callable[[object], int]:
    """Number the rounds as they go by; before the first there is none."""
    count = 0

    def number(fact: object) -> int:
        nonlocal count
        count += isinstance(fact, RoundOpened)
        return count

    return number


WAYS = [
    pytest.param(kind, weather, id=f"{kind.protocol}-{weather}")
    for kind in SHOE_KINDS.values()
    for weather in ("memory", "byte-by-byte", "repeating")
    if weather != "repeating" or PROFILES[kind.profile].can(Capability.NUMBERS)
]


@pytest.mark.parametrize(("kind", "weather"), WAYS)
def test_a_shoe_is_dealt_to_its_cut_card_and_every_round_settles(kind: ShoeKind, weather: str) -> None:
    async def story() -> None:
        async with felt(kind, weather) as at:
            await at.open()
            while not at.rig.shoe.is_cut_card_out:
                await at.deal(1, 2, 3)
                await at.play_out()
            assert len(at.table.said(CutCardOut)) == at.can(Capability.CUT_CARD)
            # Where nothing tells of it, the shoe is over when a full table could draw it empty.
            assert len(at.table.said(ShoeChangeDue)) == 1
            assert at.table.phase() is Phase.IDLE
            assert at.found() == set()
            compare(at.table)
            await at.load()
            await at.draw()
            assert at.table.phase() is Phase.BETTING

    play(story())


@every_shoe
def test_a_shoe_unplugged_in_mid_round_interrupts_it_unless_it_has_kept_its_cards(kind: ShoeKind) -> None:
    async def story() -> None:
        async with felt(kind) as at:
            await at.open()
            await at.deal(1, 2)
            at.table.decide(1, Decision.HIT)
            at.rig.unplug()
            at.rig.draw()
            await at.until(lambda: at.heard.count(e.LinkLost) == 1)
            at.rig.replug()
            await at.until(lambda: at.heard.count(e.LinkUp) == 2)
            if at.can(Capability.KEEPS_EVENTS):
                await at.until(lambda: len(at.heard.faces) == 8)
                assert at.table.said(RoundInterrupted) == []
                assert at.table.last(CardDealt).position == 3
            else:
                assert at.table.phase() is Phase.INTERRUPTED
                lies = [fact.card for fact in at.table.said(CardDealt) if fact.seat == 1]
                hand = [face for face in (*lies, at.rig.shoe.drawn[-1].face) if isinstance(face, Card)]
                assert at.table.enter_hand(1, hand).accepted
                assert at.table.rule(Ruling.CONTINUE).accepted
            await at.play_out()
            compare(at.table)

    play(story())


WRONG = {
    FaultName.UNREADABLE_CARD: Irregularity.UNREADABLE_CARD,
    FaultName.EXTRA_CARD: Irregularity.CARD_OUT_OF_TURN,
    FaultName.PUT_BACK: Irregularity.CARD_RETURNED,
}
TELLS = [
    pytest.param(kind, fault, found, id=f"{kind.protocol}-{fault.value}")
    for kind in SHOE_KINDS.values()
    for fault, found in WRONG.items()
    if fault is not FaultName.PUT_BACK or PROFILES[kind.profile].can(Capability.RETURNS)
]


@pytest.mark.parametrize(("kind", "fault", "found"), TELLS)
def test_what_goes_wrong_at_the_shoe_stops_the_round(kind: ShoeKind, fault: FaultName, found: Irregularity) -> None:
    async def story() -> None:
        async with felt(kind) as at:
            await at.open()
            at.rig.arm(fault, OnPacket(7))  # the dealer's second card, after one that was burned
            await at.deal(1, 2)
            await at.until(lambda: True)
            assert found in at.found()
            assert at.table.phase() is (Phase.VOIDING if fault is FaultName.UNREADABLE_CARD else Phase.HELD)
            assert at.table.said(RoundSettled) == []

    play(story())


def test_a_locked_angel_eye_gives_cards_outside_its_game() -> None:
    async def story() -> None:
        async with felt(SHOE_KINDS["angel-eye-iiex"]) as at:
            await at.open()
            at.table.stake(1)
            at.table.press(Button.GREEN)
            at.rig.turn_lock(is_locked=True)
            await at.draw()
            assert at.found() == {Irregularity.CARD_OUTSIDE_GAME}

    play(story())


def test_an_angel_eye_that_referees_baccarat_stops_the_round_and_says_why(says: Says) -> None:
    """Nobody has seen one deal anything but baccarat: this is what a table meets that leaves it as it is."""

    async def story() -> None:
        async with felt(SHOE_KINDS["angel-eye-iiex"], shoe=replace(SHOE, referees=True)) as at:
            await at.open()
            await at.deal(1, 2, 3)  # eight cards, and a hand of baccarat has six at most
            await at.until(lambda: any(isinstance(one, e.CardDrawn) and one.outside for one in at.heard.events))
            assert at.rig.shoe.error is ShoeError.OVERDRAW
            (alert,) = (one for one in at.table.state.alerts if one.device is not None)
            says(alert.message)
            assert at.found() == {Irregularity.CARD_OUT_OF_TURN}  # the fault has held the round before it came
            assert at.table.phase() is Phase.HELD
            assert at.table.said(RoundSettled) == []
            assert at.table.clear(alert.alert).code == "cause-stands"
            assert at.rig.cancel_error() is None
            await at.until(lambda: at.heard.count(e.FaultCleared) == 1)
            assert at.table.clear(alert.alert).accepted

    play(story())


def test_a_locked_angel_eye_deals_where_the_house_has_said_so() -> None:
    shoe = SHOE_KINDS["angel-eye-iiex"]

    async def story() -> None:
        locked = replace(PROFILES[shoe.profile], options=AngelEyeOptions(deals_locked=True))
        async with felt(shoe, shoe=replace(SHOE, referees=True), profile=locked) as at:
            at.rig.turn_lock(is_locked=True)
            await at.open()
            for _ in range(3):
                await at.deal(1, 2, 3)
                await at.play_out()
            assert at.found() == set()
            compare(at.table)

    play(story())
