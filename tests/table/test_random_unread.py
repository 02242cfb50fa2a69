"""Big Raise where no device reads the players' cards, in any order: by machines that count, that do not, and by hand.

People enter what they like, right or wrong, as long as it can be so; what must hold is what is said of it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from daemon.rules.results import Outcome
from daemon.rules.wagers import WagerName
from daemon.table.big_raise.facts import CommunityShown, DealerHandShown, FoldSettled, UpCardShown
from daemon.table.big_raise.state import deal_of
from daemon.table.inputs import Decide, EnterCards, ReportIrregularity
from daemon.table.round_facts import CardsAsked, HandSettled, RoundSettled, StakeCorrected
from daemon.table.settings import SourceSettings
from daemon.table.state import Phase, Round
from daemon.table.vocabulary import COMMUNITY, DEALER, Actor, Decision, Evidence, Irregularity, SeatNumber, SourceKind
from drivers.events import Button, RemainderEjected
from protocols.cards import DECK, Card
from tests.table.playing import SHUFFLER, Table
from tests.table.test_by_hand import BATCH
from tests.table.test_procedure import PROPER, RandomBigRaise, RandomTable, make_ready, press_next, walked
from tests.table.test_view import cards_in

COUNTING = SourceSettings(SHUFFLER, takes_commands=True, reads_faces=False, counts=True)
BLIND = SourceSettings(SHUFFLER, takes_commands=True, reads_faces=False, counts=False)
PLACES = st.integers(COMMUNITY, 3)
ANY_CARDS = st.lists(st.sampled_from(DECK), min_size=1, max_size=6, unique=True)


def running(table: Table) -> Round:
    assert table.state.round is not None
    return table.state.round


def never_named(table: Table) -> list[Card]:
    """Cards that nobody has named in this round."""
    played = running(table)
    known = cards_in((played.hands, played.own))
    return [card for card in DECK if card not in known]


def fresh(table: Table, count: int) -> tuple[Card, ...]:
    """Such cards; in every third round two of them are a pair."""
    played, unknown = running(table), never_named(table)
    if played.number % 3 == 0 and count == 2:
        return next(two for two in itertools.combinations(unknown, 2) if two[0].rank == two[1].rank)
    return tuple(unknown[:: len(unknown) // count - 1][:count])


def enter(table: Table, seat: int, cards: tuple[Card, ...]) -> None:
    table.ask(EnterCards(SeatNumber(seat), cards), Actor.DEALER)


def decide_or_enter(table: Table) -> None:
    """The up card, then folds and raises in turn, and the hands that fold with something riding on them."""
    played = running(table)
    if deal_of(played).up_card is None:
        enter(table, DEALER, fresh(table, 1))
    for seat in played.players:
        if seat % 2:
            table.ask(Decide(seat, Decision.FOLD), Actor.PLAYER)
            if CardsAsked(seat) in table.new:
                enter(table, seat, fresh(table, 2))
            press_next(table)
        else:
            table.press(Button.PLAY_2 if played.number % 2 else Button.PLAY_4)
            if CardsAsked(seat) in table.new:
                enter(table, seat, fresh(table, 2))


def show(table: Table) -> None:
    deal = deal_of(running(table))
    up = () if deal.up_card is None else (deal.up_card,)
    enter(table, COMMUNITY if deal.dealer_shown else DEALER, () if deal.dealer_shown else (*up, *fresh(table, 2)))
    if table.state.round is not None and deal_of(table.state.round).dealer_shown:
        enter(table, COMMUNITY, fresh(table, 3))


def reconcile(table: Table) -> None:
    played = running(table)
    if played.showing is not None:
        enter(table, played.showing, fresh(table, 2))
    press_next(table)


def bet_and_deal_by_hand(table: Table) -> None:
    for seat in (1, 2):
        table.bet(seat, WagerName.ANTE)
    make_ready(table)
    table.device(RemainderEjected(52, None))
    table.press()


BY_PACKETS: dict[Phase, Callable[[Table], object]] = {
    **PROPER,
    Phase.DECIDING: decide_or_enter,
    Phase.SHOWING: show,
    Phase.RECONCILING: reconcile,
}
BY_HAND: dict[Phase, Callable[[Table], object]] = {
    **BY_PACKETS,
    Phase.BETTING: bet_and_deal_by_hand,
    Phase.DEALING: Table.press,
}


class AnyoneEnters(RandomTable):
    """People enter any cards for any place, and report anything."""

    @rule(seat=PLACES, cards=ANY_CARDS, role=st.sampled_from(Actor))
    def enter_anything(self, seat: int, cards: list[Card], role: Actor) -> None:
        self.table.ask(EnterCards(SeatNumber(seat), tuple(cards)), role)

    @rule(irregularity=st.sampled_from(Irregularity), seat=st.one_of(st.none(), PLACES))
    def report(self, irregularity: Irregularity, seat: int | None) -> None:
        self.table.ask(ReportIrregularity(irregularity, None if seat is None else SeatNumber(seat)), Actor.DEALER)


class RandomUnread(AnyoneEnters, RandomBigRaise):
    """A machine that counts and does not read."""

    source = COUNTING
    supervised = (*RandomBigRaise.supervised, Irregularity.RAISE_WITHOUT_PAIR)
    proper = BY_PACKETS
    wagers = (WagerName.TWO_CARD_BONUS, WagerName.ANTE)

    def __init__(self) -> None:
        super().__init__()
        self.table.set_mode(2)
        self.table.shuffle()

    @invariant()
    def nothing_was_seen_by_a_device_that_does_not_read(self) -> None:
        told = UpCardShown | DealerHandShown | CommunityShown | HandSettled
        evidence = {fact.evidence for fact in self.table.facts if isinstance(fact, told)}
        assert evidence <= {Evidence.ENTERED_BY_PERSON, Evidence.NOT_SHOWN}

    @invariant()
    def a_hand_that_was_not_shown_wins_nothing(self) -> None:
        unseen = [settled for settled in self.table.said(HandSettled) if settled.evidence is Evidence.NOT_SHOWN]
        assert {wager.outcome for settled in unseen for wager in settled.wagers} <= {Outcome.LOSE}

    @invariant()
    def no_play_bet_is_settled_that_its_cards_do_not_allow(self) -> None:
        for settled in self.table.said(HandSettled):
            stakes = {wager.wager: wager.stake_cents for wager in settled.wagers}
            ranks = {card.rank for card in settled.cards if isinstance(card, Card)}
            most = (4 if len(ranks) == 1 else 3) * stakes[WagerName.ANTE]
            assert stakes.get(WagerName.PLAY, 0) <= most

    @invariant()
    def no_hand_is_settled_before_the_houses_cards_lie_open(self) -> None:
        facts = [fact.data for fact in self.table.of_this_round()]
        settled = [place for place, fact in enumerate(facts) if isinstance(fact, HandSettled)]
        shown = [place for place, fact in enumerate(facts) if isinstance(fact, CommunityShown)]
        assert not settled or (len(shown) == 1 and shown[0] < settled[0])

    @invariant()
    def no_card_is_public_twice(self) -> None:
        facts = [fact.data for fact in self.table.of_this_round()]
        hands = [fact.cards for fact in facts if isinstance(fact, DealerHandShown | CommunityShown | HandSettled)]
        cards = [card for hand in hands for card in hand]
        assert len(cards) == len(set(cards))


class RandomBlind(RandomUnread):
    """One that does not count either."""

    source = BLIND


class RandomByHand(RandomUnread):
    """A deck that comes out whole."""

    source = BATCH
    proper = BY_HAND

    @invariant()
    def no_round_waits_for_the_machine(self) -> None:
        assert self.table.state.settings.source.kind is SourceKind.BATCH
        assert self.table.state.phase not in (Phase.DEALT, Phase.COLLECTING, Phase.INTERRUPTED)


@pytest.mark.parametrize("machine", [RandomUnread, RandomBlind, RandomByHand])
def test_a_good_dealer_comes_through_with_folds_unseen_and_bonuses_and_raises_without_a_pair(
    machine: type[RandomUnread],
) -> None:
    """What the random tables go on with leads to the end of rounds of every kind."""
    walk = machine()
    for step in range(200):
        if walk.table.state.phase is Phase.BETTING and step % 2:
            walk.table.bet(1, WagerName.TWO_CARD_BONUS)
        walk.proper[walk.table.state.phase](walk.table)
    settled: list[HandSettled | FoldSettled] = [*walk.table.said(HandSettled), *walk.table.said(FoldSettled)]
    assert len(walk.table.said(RoundSettled)) > 3
    assert {hand.evidence for hand in settled} == {Evidence.ENTERED_BY_PERSON, Evidence.NOT_SHOWN}
    assert walk.table.said(StakeCorrected)


TestRandomUnread = walked(RandomUnread, tables=30)
TestRandomBlind = walked(RandomBlind, tables=30)
TestRandomByHand = walked(RandomByHand, tables=30)
