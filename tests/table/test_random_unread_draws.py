"""Big Draw where no device reads a card, in any order: by machines that count and that do not, face down and face up.

What is known of a hand is what people said of it, at First 5, while the round stood still, or after the draw. They say
what they like as long as it can be so; what must hold is that nothing else is ever said of a card.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from daemon.table.big_draw.facts import FirstFiveSettled
from daemon.table.big_draw.hands import draw_of
from daemon.table.big_draw.options import BigDrawAtTable
from daemon.table.big_draw.state import deal_of
from daemon.table.facts import FactData
from daemon.table.round_facts import HandSettled, IrregularityFound, RoundSettled
from daemon.table.state import Hand, Phase
from daemon.table.vocabulary import Evidence, Irregularity
from protocols.cards import DECK, Card
from tests.table.playing import FactT, Table
from tests.table.test_big_draw_walk import RandomBigDraw, RandomFaceDown, RandomFaceUp
from tests.table.test_procedure import SEATS, press_next, walked
from tests.table.test_random_unread import BLIND, COUNTING, AnyoneEnters, enter, never_named, running

HAND_CARDS = 5
FIVE_CARDS = st.lists(st.sampled_from(DECK), min_size=HAND_CARDS, max_size=HAND_CARDS, unique=True)


def _of(kind: type[FactT], facts: list[FactData]) -> list[FactT]:
    return [fact for fact in facts if isinstance(fact, kind)]


def _named(hand: Hand | None) -> tuple[Card, ...]:
    return () if hand is None else tuple(face for face in hand.faces or () if isinstance(face, Card))


def _first_5(table: Table) -> None:
    """In every second round a player claims a win, and shows it."""
    played = running(table)
    if deal_of(played).first_5 is None and played.number % 2:
        enter(table, played.players[0], tuple(never_named(table)[:HAND_CARDS]))
    press_next(table)


def _turn_over(table: Table) -> None:
    """A hand that is asked for has what is known of it, and else cards that nobody has named."""
    played = running(table)
    seat = played.showing
    if seat is not None and all(settled.seat != seat for settled in played.settled):
        new = _named(played.drawn_by(seat))
        kept = _named(played.hand_of(seat))[: HAND_CARDS - draw_of(played, seat).cards]
        others = never_named(table)[:: 1 + played.number % 7]
        enter(table, seat, (*kept, *new, *others[: HAND_CARDS - len(kept) - len(new)]))
    press_next(table)


def _count(table: Table) -> None:
    table.stub(52 - sum(packet.cards for packet in running(table).plan))


BY_HAND: dict[Phase, Callable[[Table], object]] = {
    **RandomBigDraw.proper,
    Phase.FIRST_FIVE: _first_5,
    Phase.RECONCILING: _turn_over,
    Phase.COUNTING: _count,
}


class RandomUnreadDraws(AnyoneEnters, RandomBigDraw):
    """Whatever can be left to a supervisor is, so that rounds stand still in every phase and go on."""

    source = COUNTING
    supervised = tuple(each for each in Irregularity if each is not Irregularity.WRONG_COUNT)
    proper = BY_HAND

    def __init__(self) -> None:
        super().__init__()
        self.table.set_mode(HAND_CARDS)
        self.table.shuffle()

    @rule(steps=st.integers(10, 30))
    def go_far(self, steps: int) -> None:
        """As far as the hands that are turned over."""
        for _ in range(steps):
            self.proper[self.table.state.phase](self.table)

    @rule(seat=SEATS, cards=FIVE_CARDS)
    def turn_over_any_five(self, seat: int, cards: list[Card]) -> None:
        """A whole hand where one is asked for: chance alone hardly ever enters five cards at the right seat."""
        played = self.table.state.round
        if played is not None:
            enter(self.table, played.showing or seat, tuple(cards))

    @invariant()
    def a_hand_after_the_draw_is_of_cards_that_its_player_had(self) -> None:
        """As far as anybody knows them: all cards drawn, and of those dealt all that were not given up."""
        played = self.table.state.round
        for settled in played.settled if played is not None else ():
            assert played is not None
            dealt, drawn = _named(played.hand_of(settled.seat)), _named(played.drawn_by(settled.seat))
            assert set(drawn) <= set(settled.cards)
            kept = HAND_CARDS - draw_of(played, settled.seat).cards
            assert not dealt or len(set(settled.cards) & set(dealt)) == kept

    @invariant()
    def nothing_was_seen_by_a_device_that_does_not_read(self) -> None:
        assert {hand.evidence for hand in self.table.said(HandSettled)} <= {Evidence.ENTERED_BY_PERSON}

    @invariant()
    def no_card_is_public_in_two_hands(self) -> None:
        """Unless a supervisor has had a round go on in which it was found."""
        facts = [fact.data for fact in self.table.of_this_round()]
        if any(fact.irregularity is Irregularity.DUPLICATE_CARD for fact in _of(IrregularityFound, facts)):
            return
        shown = [(fact.seat, fact.cards) for fact in facts if isinstance(fact, HandSettled | FirstFiveSettled)]
        owners = {(seat, card) for seat, cards in shown for card in cards}
        assert len(owners) == len({card for _, card in owners})


class RandomUnreadFaceDown(RandomUnreadDraws, RandomFaceDown):
    """All draws go out, then every hand is turned over."""


class RandomUnreadFaceUp(RandomUnreadDraws, RandomFaceUp):
    """Each hand is turned over with its draw, and a First 5 bet that stands alone waits for the draws."""


class RandomUnreadWaiting(RandomUnreadDraws, RandomFaceDown):
    """The same bet waits where all draws are face down."""

    options = BigDrawAtTable(first_5_alone_waits=True)


class RandomBlindFaceDown(RandomUnreadFaceDown):
    """Nobody but people counts either."""

    source = BLIND


class RandomBlindFaceUp(RandomUnreadFaceUp):
    """Nor between the draws."""

    source = BLIND


MACHINES = (RandomUnreadFaceDown, RandomUnreadFaceUp, RandomUnreadWaiting, RandomBlindFaceDown, RandomBlindFaceUp)


@pytest.mark.parametrize("machine", MACHINES)
def test_a_good_dealer_comes_through_with_first_5_said_and_unsaid(machine: type[RandomUnreadDraws]) -> None:
    """What the random tables go on with leads to the end of rounds of every kind."""
    walk = machine()
    for _ in range(200):
        walk.proper[walk.table.state.phase](walk.table)
    assert len(walk.table.said(RoundSettled)) > 3
    assert {hand.evidence for hand in walk.table.said(HandSettled)} == {Evidence.ENTERED_BY_PERSON}
    assert any(first.cards for first in walk.table.said(FirstFiveSettled))
    assert any(not first.cards for first in walk.table.said(FirstFiveSettled))


TestUnreadFaceDown = walked(RandomUnreadFaceDown, tables=15)
TestUnreadFaceUp = walked(RandomUnreadFaceUp, tables=15)
TestUnreadWaiting = walked(RandomUnreadWaiting, tables=15)
TestBlindFaceDown = walked(RandomBlindFaceDown, tables=15)
TestBlindFaceUp = walked(RandomBlindFaceUp, tables=15)
