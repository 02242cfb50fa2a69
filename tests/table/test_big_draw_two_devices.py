"""Big Draw from a shuffler and then from a shoe: hands out of the one, draws out of the other, one deck in both."""

from __future__ import annotations

from dataclasses import replace

import pytest

from daemon.rules.big_draw import DrawStyle
from daemon.rules.wagers import WagerName
from daemon.table.big_draw.options import BigDrawAtTable
from daemon.table.facts import DeviceAnomaly
from daemon.table.round_facts import (
    DeckAccounted,
    HandDealt,
    HandSettled,
    IrregularityFound,
    RoundSettled,
    RoundVoided,
    ShoeChangeDue,
)
from daemon.table.settings import SourceSettings
from daemon.table.state import Phase
from daemon.table.vocabulary import DeckProof, Irregularity, Ruling
from drivers.commands import SetMode
from drivers.events import (
    Button,
    CardDrawn,
    Confidence,
    DeckLoaded,
    DeviceEvent,
    EventsLost,
    LinkUp,
    PacketDispensed,
    PacketRemoved,
    Restarted,
)
from protocols.cards import DECK, Misread
from tests.support.sentences import Says
from tests.table.big_draw_playing import BOTH, FOR_DRAWS, JACKS, NOTHING, TWO_PAIR, BigDrawTable
from tests.table.playing import IDENTITY, SEES_ALL
from tests.table.test_view import cards_in

BIG_DRAW = (WagerName.BIG_DRAW,)
OPTIONS = BigDrawAtTable(draws_from=FOR_DRAWS)
FACE_UP = BigDrawAtTable(draw=DrawStyle.FACE_UP, draws_from=FOR_DRAWS)
BLIND = replace(SEES_ALL, reads_faces=False, counts=False)


def hands(*seats: int, wagers: tuple[WagerName, ...] = BIG_DRAW, **changes: object) -> BigDrawTable:
    """Hands are out of the shuffler; the first player is asked how many cards to draw."""
    asked: dict[str, object] = {"options": OPTIONS}
    table = BigDrawTable(TWO_PAIR, NOTHING, JACKS, **(asked | changes))
    table.from_draw_shoe(LinkUp(IDENTITY, "boot-s", resumed=True))
    return table.hands_out(*seats, wagers=wagers)


def drawing(*draws: tuple[int, int], **changes: object) -> BigDrawTable:
    """The rest of the deck is in the shoe, and the first draw is due."""
    return hands(*(seat for seat, _ in draws), **changes).drawing(*draws).eject_into_shoe()  # type: ignore[arg-type]


def test_the_rest_of_the_deck_is_collected_and_proven_before_the_first_draw(says: Says) -> None:
    table = hands(1, 2).drawing((1, 2), (2, 1))
    assert table.phase() is Phase.DEALT
    table.eject_into_shoe()
    told = table.last(DeckAccounted)
    assert (told.proof, told.dealt, told.remaining) == (DeckProof.READ, 10, 42)
    assert table.phase() is Phase.DEALING
    says(table.state.prompt)


def test_draws_come_out_of_the_shoe_and_the_shuffler_is_told_no_size_for_them() -> None:
    table = drawing((1, 2), (2, 5))
    for _ in range(7):
        table.drawn_card()
    assert [(fact.seat, fact.count) for fact in table.said(HandDealt) if fact.drawn] == [(1, 2), (2, 5)]
    assert {command for command in table.commands if isinstance(command, SetMode)} == {SetMode(5)}
    assert cards_in(tuple(table.facts)) == set()


def test_a_whole_round() -> None:
    table = hands(1, 2, wagers=BOTH).drawing((1, 0), (2, 5)).through_first_5().eject_into_shoe()
    for _ in range(5):
        table.drawn_card()
    table.next_all()
    assert [fact.seat for fact in table.said(HandSettled)] == [1, 2]
    assert (len(table.said(RoundSettled)), table.said(ShoeChangeDue), table.state.shoe) == (1, [], None)


def test_a_hand_that_is_entered_has_to_have_every_drawn_card() -> None:
    table = drawing((1, 2))
    table.drawn_card()
    table.drawn_card()
    drawn = table.drawn_by(1)
    assert table.enter(1, TWO_PAIR).code == "not-this-hand"
    assert table.enter(1, (*TWO_PAIR[:3], *drawn)).accepted


def test_when_nobody_draws_the_shoe_stays_empty() -> None:
    table = drawing((1, 0))
    assert (table.phase(), table.state.shoe) == (Phase.RECONCILING, None)


def test_face_up_each_hand_is_settled_with_its_draw() -> None:
    table = drawing((1, 5), (2, 5), options=FACE_UP)
    for _ in range(5):
        table.drawn_card()
    assert [fact.seat for fact in table.said(HandSettled)] == [1]
    table.press(Button.NEXT)
    for _ in range(5):
        table.drawn_card()
    table.next_all()
    assert (len(table.said(HandSettled)), len(table.said(RoundSettled))) == (2, 1)


def test_a_card_that_was_dealt_cannot_come_out_of_the_shoe() -> None:
    table = drawing((1, 2))
    table.drawn_card(TWO_PAIR[0])
    assert table.last(IrregularityFound).irregularity is Irregularity.CARD_TOO_OFTEN
    assert len(table.said(RoundVoided)) == 1


def test_a_card_too_many_is_out_of_turn() -> None:
    table = drawing((1, 1))
    table.drawn_card()
    table.drawn_card()
    assert table.last(IrregularityFound).irregularity is Irregularity.CARD_OUT_OF_TURN
    assert table.phase() is Phase.HELD


@pytest.mark.parametrize("when", ["hands", "rest"])
def test_a_card_out_of_a_shoe_that_holds_nothing_of_the_round_is_on_record_and_moves_nothing(when: str) -> None:
    table = hands(1) if when == "hands" else hands(1).drawing((1, 2))
    before = table.state.round
    table.from_draw_shoe(CardDrawn(TWO_PAIR[0], Confidence.CHECKED))
    assert isinstance(table.new[0], DeviceAnomaly)
    assert table.state.round == before


def test_what_the_shuffler_does_with_its_next_deck_is_not_this_rounds() -> None:
    table = drawing((1, 2))
    table.device(DeckLoaded())
    assert table.phase() is Phase.DEALING


def test_a_hole_in_the_shoes_record_interrupts_the_draws(says: Says) -> None:
    table = drawing((1, 2))
    table.drawn_card()
    table.from_draw_shoe(EventsLost(None, "gone"))
    assert table.phase() is Phase.INTERRUPTED
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.phase() is Phase.DEALING
    says(table.state.prompt)
    table.drawn_card()
    assert table.phase() is Phase.RECONCILING


def test_a_hole_in_its_record_before_it_holds_the_deck_does_not() -> None:
    table = hands(1)
    table.from_draw_shoe(EventsLost(None, "gone"))
    assert table.phase() is Phase.DECIDING


def test_a_drawn_card_without_a_name_is_entered() -> None:
    table = drawing((1, 2), supervised=(Irregularity.UNREADABLE_CARD,))
    table.drawn_card(Misread.UNREADABLE)
    assert table.phase() is Phase.HELD
    (free,) = table.draw(1)
    assert table.enter(1, (free,)).accepted  # type: ignore[arg-type]
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.phase() is Phase.DEALING


def test_a_shuffler_that_neither_reads_nor_counts_is_counted_by_a_person_before_the_draws() -> None:
    table = hands(1, source=BLIND, stub_count_rounds_max=1).drawing((1, 2)).eject_into_shoe()
    assert table.phase() is Phase.COUNTING
    table.stub(47)
    assert table.phase() is Phase.DEALING


@pytest.mark.parametrize("source", [replace(SEES_ALL, reads_faces=False), BLIND], ids=["counts", "blind"])
def test_a_drawn_card_goes_to_the_draw_where_the_shuffler_named_no_card_of_the_hand(source: SourceSettings) -> None:
    table = hands(1, source=source, stub_count_rounds_max=1).drawing((1, 2)).eject_into_shoe()
    if table.phase() is Phase.COUNTING:
        table.stub(47)
    table.drawn_card()
    table.drawn_card()
    assert [(fact.seat, fact.count) for fact in table.said(HandDealt) if fact.drawn] == [(1, 2)]
    assert table.phase() is Phase.RECONCILING


def test_no_card_goes_out_while_the_shoe_is_missing() -> None:
    table = BigDrawTable(TWO_PAIR, options=OPTIONS).opened().bets(1, wagers=BIG_DRAW)
    table.press()
    assert table.phase() is Phase.BETTING
    table.from_draw_shoe(LinkUp(IDENTITY, "boot-s", resumed=True))
    table.press()
    assert table.phase() is Phase.DEALING


def test_a_packet_out_of_the_shuffler_while_the_draws_stand_still_belongs_to_nobody() -> None:
    """The deck is proven by then. Taken for the draw, six cards in it ended the daemon at the ruling."""
    table = drawing((1, 5), (2, 0))
    table.from_draw_shoe(Restarted("boot-2"))
    assert table.phase() is Phase.INTERRUPTED
    table.dispense(3, [*DECK[:6]])
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.phase() is Phase.DEALING


@pytest.mark.parametrize("drawn", [0, 2, 5])
@pytest.mark.parametrize(
    "event",
    [PacketDispensed(3, 5, DECK[:5]), PacketDispensed(3, 1, None), PacketDispensed(9, 5, DECK[:5]), PacketRemoved(3)],
    ids=["the draw", "another number of cards", "one too many", "taken"],
)
def test_nor_does_one_while_they_are_drawn(event: DeviceEvent, drawn: int) -> None:
    """Taken for the draw, a whole one ended feltd, again at each start; and a short one voided at a dealer's will."""
    table = hands(1, 2, wagers=BOTH).drawing((1, 0), (2, 5)).through_first_5().eject_into_shoe()
    for _ in range(drawn):
        table.drawn_card()
    before = table.state
    table.device(event)
    assert (table.state.phase, table.state.round) == (before.phase, before.round)
    for _ in range(5 - drawn):
        table.drawn_card()
    table.next_all()
    assert len(table.said(RoundSettled)) == 1


def test_a_round_after_a_void_is_proven_by_its_own_cards() -> None:
    """The shoe was loaded and no draw had come, so its ledger stayed: ten dealt cards were ten in every later round."""
    table = drawing((1, 2), (2, 5))
    table.void()
    table.put_back()
    assert table.state.shoe is None
    table.deck = list(table.whole_deck)
    table.shuffle()
    table.chosen().bets(1, wagers=BIG_DRAW).press()
    table.give_all().drawing((1, 2)).eject_into_shoe()
    assert table.said(IrregularityFound) == []
    assert table.last(DeckAccounted).dealt == 5
    assert table.phase() is Phase.DEALING
