"""The transition table: every phase is reached and left, and every input moves or is refused with a reason."""

from __future__ import annotations

import os
from collections.abc import Callable
from unittest import TestCase

import pytest
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from daemon.rules.big_50 import Big50House
from daemon.rules.big_raise import BigRaiseHouse
from daemon.rules.house import House
from daemon.rules.limits import Day, Limits, LimitSchedule
from daemon.rules.money import Cents
from daemon.rules.wagers import GameName, WagerName
from daemon.table.games import PROCEDURES
from daemon.table.inputs import ClearBets, CloseTable, Decide, OpenTable, OrderReshuffle
from daemon.table.procedure import Reported
from daemon.table.round_facts import HandSettled, RoundSettled, RoundVoided
from daemon.table.state import Deck, Phase
from daemon.table.vocabulary import Actor, Decision, Evidence, Irregularity, Ruling, SeatNumber, SourceKind
from drivers.events import (
    Button,
    CameBack,
    EventsLost,
    FaultCleared,
    FaultKind,
    FaultRaised,
    LinkLost,
    ModeChanged,
    Restarted,
    WentStale,
)
from protocols.cards import DECK, Card, Misread, parse_cards
from tests.table.dealers_hands import DealersHands
from tests.table.playing import SEES_ALL, Table, settings

EVERY_PHASE = [(game, phase) for game, procedure in PROCEDURES.items() for phase in procedure.waits_for]


@pytest.mark.parametrize("game", PROCEDURES)
def test_every_phase_can_be_reached(game: GameName) -> None:
    reached, frontier = {Phase.IDLE, Phase.BETTING}, {Phase.IDLE, Phase.BETTING}
    while frontier:
        frontier = {after for phase in frontier for after in _after(game, phase)} - reached
        reached |= frontier
    assert reached == set(PROCEDURES[game].waits_for)


@pytest.mark.parametrize(("game", "phase"), [each for each in EVERY_PHASE if each[1] is not Phase.IDLE])
def test_no_phase_is_without_a_way_out(game: GameName, phase: Phase) -> None:
    assert _after(game, phase) - {phase}


def _after(game: GameName, phase: Phase) -> set[Phase]:
    return {after for _, to in PROCEDURES[game].rows[phase].leading_to() for after in to}


FROM_SHUFFLERS = (
    Reported.PACKET_DISPENSED,
    Reported.PACKET_REMOVED,
    Reported.REMAINDER_EJECTED,
    Reported.DECK_DISTURBED,
    Reported.EVIDENCE_LOST,
    Reported.ORDER_REFUSED,
    Reported.DEVICE_FAULT,
)
FROM_SHOES = (
    Reported.CARD_DRAWN,
    Reported.CUT_CARD_DRAWN,
    Reported.CARD_RETURNED,
    Reported.READ_FAILED,
    Reported.DECK_DISTURBED,
    Reported.EVIDENCE_LOST,
    Reported.DEVICE_FAULT,
)
DEALT_FROM = {
    game: FROM_SHOES if procedure.play.dealt_from == (SourceKind.SHOE,) else FROM_SHUFFLERS
    for game, procedure in PROCEDURES.items()
}


@pytest.mark.parametrize(
    ("game", "phase", "trigger"), [(game, phase, did) for game, phase in EVERY_PHASE for did in DEALT_FROM[game]]
)
def test_what_a_device_did_always_has_a_meaning(game: GameName, phase: Phase, trigger: Reported) -> None:
    assert trigger in PROCEDURES[game].rows[phase].reported


SEATS = st.integers(1, 3)
FACES = st.sampled_from([*DECK, *Misread])


def _prepare(table: Table) -> None:
    for alert in table.state.alerts:
        table.device(FaultCleared(FaultKind.JAM))
        table.clear(alert.alert)
    table.ask(OpenTable())
    table.link_up()
    table.set_mode(MODES[table.state.settings.game])


def make_ready(table: Table) -> None:
    """Nothing stands against a deal from a shuffled deck."""
    _prepare(table)
    if table.state.deck is not Deck.READY:
        table.deck = list(table.whole_deck)
        table.shuffle()


def _bet_and_deal(table: Table) -> None:
    for seat in (1, 2):
        for wager in MAIN_BETS[table.state.settings.game]:
            table.bet(seat, wager)
    make_ready(table)
    table.press()


def _next_hand(table: Table) -> None:
    hands = table.state.round.hands if table.state.round else ()
    if hands and not hands[-1].delivered:
        table.deliver(len(hands))
    else:
        table.dispense(len(hands) + 1)


def press_next(table: Table) -> None:
    """Every large win is verified, and the dealer goes on."""
    for alert in table.state.alerts:
        if alert.alert.startswith("verify-"):
            table.clear(alert.alert)
    table.press(Button.NEXT)


def _decide(table: Table) -> None:
    for seat in (1, 2):
        table.ask(Decide(SeatNumber(seat), Decision.FOLD), Actor.PLAYER)
        press_next(table)


LARGE_WINS = LimitSchedule(((Day(0), Limits(verify_over=Cents(900))),))
"""Hardly more than a stake, so that random dealers meet wins that are held."""
MODES = {GameName.BIG_50: 5, GameName.BIG_RAISE: 2, GameName.BIG_DRAW: 5}
MAIN_BETS = {
    GameName.BIG_50: (WagerName.POKER_HAND,),
    GameName.BIG_RAISE: (WagerName.ANTE,),
    GameName.BIG_DRAW: (WagerName.BIG_DRAW, WagerName.FIRST_5),
}
PROPER: dict[Phase, Callable[[Table], object]] = {
    Phase.IDLE: _prepare,
    Phase.BETTING: _bet_and_deal,
    Phase.DEALING: _next_hand,
    Phase.DEALT: Table.press,
    Phase.COLLECTING: Table.eject,
    Phase.COUNTING: lambda table: table.stub(42),
    Phase.DECIDING: _decide,
    Phase.SHOWING: lambda table: table.press(Button.NEXT),
    Phase.RECONCILING: press_next,
    Phase.HELD: lambda table: table.rule(Ruling.CONTINUE),
    Phase.INTERRUPTED: lambda table: table.rule(Ruling.CONTINUE),
    Phase.VOIDING: lambda table: table.press(Button.NEXT),
}


class RandomTable(RuleBasedStateMachine):
    """Any dealer, any shuffler, any supervisor, in any order."""

    options: House = Big50House()
    game = GameName.BIG_50
    hand_cards = 5
    source = SEES_ALL
    supervised: tuple[Irregularity, ...] = (Irregularity.UNREADABLE_CARD, Irregularity.MISSING_HAND)
    wagers = (WagerName.RANGE, WagerName.ANTE)
    limits = LARGE_WINS
    proper = PROPER
    deck = DECK

    def __init__(self) -> None:
        super().__init__()
        changes = {"game": self.game, "options": self.options, "source": self.source, "limits": self.limits}
        self.table = Table(settings(**changes, seats=3, supervised=self.supervised), self.deck)
        self.hands = DealersHands()
        self.table.link_up()
        if self.source is SEES_ALL:
            self.table.set_mode(MODES[self.game])
            self.table.shuffle()

    @rule(steps=st.integers(1, 9))
    def go_on_properly(self, steps: int) -> None:
        """What a good dealer would do next; without it chance alone hardly ever deals a hand."""
        for _ in range(steps):
            self.proper[self.table.state.phase](self.table)

    @rule(seat=SEATS, which=st.integers(0, 1), stake=st.integers(-1, 900))
    def bet(self, seat: int, which: int, stake: int) -> None:
        self.table.bet(seat, self.wagers[which], stake)

    @rule(seat=SEATS)
    def clear_bets(self, seat: int) -> None:
        self.table.ask(ClearBets(SeatNumber(seat)), Actor.PLAYER)

    @rule(seat=SEATS, decides=st.booleans())
    def somebody_else_acts_for(self, seat: int, decides: bool) -> None:
        """A player who has not bet there."""
        number, before = SeatNumber(seat), self.table.state.round
        action = Decide(number, Decision.FOLD) if decides else ClearBets(number)
        assert not self.table.ask(action, Actor.PLAYER, who="lee").accepted
        assert self.table.state.round == before

    @rule(button=st.sampled_from(Button))
    def press(self, button: Button) -> None:
        self.table.press(button)

    @rule()
    def good_packet(self) -> None:
        dealt = len(self.table.state.round.hands) if self.table.state.round else 0
        self.table.dispense(dealt + 1)

    @rule(position=st.integers(0, 4), faces=st.lists(FACES, min_size=4, max_size=6), count=st.integers(4, 6))
    def any_packet(self, position: int, faces: list[Card | Misread], count: int) -> None:
        self.table.dispense(position, list(faces), count=count)

    @rule(position=SEATS)
    def take(self, position: int) -> None:
        self.table.deliver(position)

    @rule()
    def eject(self) -> None:
        self.table.eject()

    @rule(count=st.sampled_from([51, 52, 52, 52, 53]))
    def shuffle(self, count: int) -> None:
        self.table.deck = list(self.table.whole_deck)
        self.table.shuffle(count)

    @rule(
        event=st.sampled_from(
            [
                LinkLost("pulled"),
                WentStale(9),
                CameBack(),
                Restarted("b"),
                EventsLost(None, "gone"),
                FaultRaised(FaultKind.JAM, ""),
                FaultCleared(FaultKind.JAM),
                ModeChanged(5),
                ModeChanged(7),
            ]
        )
    )
    def trouble(self, event: LinkLost | WentStale | CameBack | Restarted | EventsLost) -> None:
        self.table.device(event)

    @rule(resumed=st.booleans())
    def link_up(self, resumed: bool) -> None:
        self.table.link_up(resumed=resumed)

    @rule(ruling=st.sampled_from(Ruling))
    def rule_on_it(self, ruling: Ruling) -> None:
        self.table.rule(ruling)

    @rule(seat=SEATS, cards=st.sampled_from(["Ah Kh Qh Jh Th", "2c 2d 2h 2s 3c", "Ah Ah Kd Qd 2c", "Ah"]))
    def enter(self, seat: int, cards: str) -> None:
        self.table.enter(seat, parse_cards(cards))

    @rule()
    def clear_all_alerts(self) -> None:
        for alert in self.table.state.alerts:
            self.table.clear(alert.alert)

    @rule(action=st.sampled_from([OpenTable(), CloseTable(), OrderReshuffle()]))
    def manage(self, action: OpenTable | CloseTable | OrderReshuffle) -> None:
        self.table.ask(action)

    @rule(seat=SEATS, decision=st.sampled_from(Decision), stake=st.sampled_from([None, 1000, 1500, 2000]))
    def decide(self, seat: int, decision: Decision, stake: int | None) -> None:
        self.table.ask(Decide(SeatNumber(seat), decision, stake), Actor.PLAYER)

    @rule()
    def void(self) -> None:
        self.table.void()

    @invariant()
    def a_round_ends_once(self) -> None:
        opened = self.table.state.rounds_opened
        ended = len(self.table.said(RoundSettled)) + len(self.table.said(RoundVoided))
        running = self.table.state.round is not None and self.table.state.phase is not Phase.VOIDING
        assert ended + running == opened

    @invariant()
    def phase_and_round_agree(self) -> None:
        assert (self.table.state.round is None) == (self.table.state.phase is Phase.IDLE)

    @invariant()
    def what_was_settled_had_the_right_count(self) -> None:
        for settled in self.table.said(HandSettled):
            assert len(settled.cards) == (0 if settled.evidence is Evidence.NOT_SHOWN else self.hand_cards)

    @invariant()
    def no_hand_is_said_twice_in_a_round(self) -> None:
        if self.table.state.round is None:
            return
        seats = [fact.data.seat for fact in self.table.of_this_round() if isinstance(fact.data, HandSettled)]
        assert len(seats) == len(set(seats))

    @invariant()
    def who_does_what_prompts_tell_moves_what_the_books_have(self) -> None:
        self.hands.watch(self.table.steps)

    @invariant()
    def money_balances(self) -> None:
        for settled in self.table.said(RoundSettled):
            assert settled.stakes_cents == settled.returned_cents + settled.take_cents


class RandomBigRaise(RandomTable):
    """The same with decisions between the deal and the end."""

    options = BigRaiseHouse()
    game = GameName.BIG_RAISE
    hand_cards = 2


LONG = "FELTD_SOAK" in os.environ


def walked(machine: type[RuleBasedStateMachine], tables: int = 100) -> type[TestCase]:
    """The test case of a machine: the quick run plays the same tables everywhere, make soak new and many more."""
    machine.TestCase.settings = hypothesis_settings(
        max_examples=50 * tables if LONG else tables,
        stateful_step_count=60,
        deadline=None,
        database=None,
        derandomize=not LONG,
    )
    return machine.TestCase


TestRandomTable = walked(RandomTable)
TestRandomBigRaise = walked(RandomBigRaise)
