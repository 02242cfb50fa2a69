"""Big Draw from a shoe after a hand shuffle, clause by clause: where each card goes, and a card that is not right."""

from __future__ import annotations

import pytest

from daemon.rules.big_draw import DealStyle, DrawStyle
from daemon.rules.wagers import WagerName
from daemon.table.big_draw.options import BigDrawAtTable
from daemon.table.inputs import EnterCards
from daemon.table.round_facts import (
    DealerPrompted,
    DeckAccounted,
    HandDealt,
    HandSettled,
    IrregularityFound,
    RoundSettled,
    RoundVoided,
    StubCountAsked,
)
from daemon.table.state import Phase
from daemon.table.view import public
from daemon.table.vocabulary import Actor, DeckProof, Evidence, Irregularity, PromptAction, Ruling, SeatNumber
from drivers.commands import DeviceCommand
from drivers.events import Button, CardReturned, Confidence, EventsLost, ReadFailed
from protocols.cards import Card, Misread
from tests.support.sentences import Says
from tests.table.big_draw_playing import A_SHOE, BOTH, JACKS, NOTHING, TWO_PAIR, BigDrawTable
from tests.table.test_view import cards_in

ROUND_THE_TABLE = BigDrawAtTable(deal=DealStyle.ONE_AT_A_TIME)
FACE_UP = BigDrawAtTable(draw=DrawStyle.FACE_UP)
BIG_DRAW = (WagerName.BIG_DRAW,)
UNREADABLE = (Irregularity.UNREADABLE_CARD,)


def chosen(*seats: int, wagers: tuple[WagerName, ...] = BIG_DRAW, **changes: object) -> BigDrawTable:
    """A game is chosen and bets are closed; the first card is due."""
    asked: dict[str, object] = {"source": A_SHOE}
    table = BigDrawTable(TWO_PAIR, NOTHING, JACKS, **(asked | changes)).loaded()
    table.bets(*seats, wagers=wagers).press()
    return table


def finished(table: BigDrawTable) -> BigDrawTable:
    table.next_all()
    assert len(table.said(RoundSettled)) == 1
    return table


# --- where the cards go ---


def test_no_round_opens_before_a_deck_is_loaded(says: Says) -> None:
    table = BigDrawTable(source=A_SHOE)
    table.link_up()
    says(table.state.prompt)


def test_five_at_once_go_to_one_seat_after_the_other() -> None:
    table = chosen(1, 2).cards(10)
    assert (table.dealt_to(1), table.dealt_to(2)) == (TWO_PAIR, NOTHING)
    assert [(fact.seat, fact.count) for fact in table.said(HandDealt)] == [(1, 5), (2, 5)]
    assert table.phase() is Phase.DECIDING


def test_one_at_a_time_they_go_round_the_table_from_the_button_on() -> None:
    table = BigDrawTable(TWO_PAIR, NOTHING, source=A_SHOE, options=ROUND_THE_TABLE)
    table.move_button(2)
    table.loaded().bets(1, 2, wagers=BIG_DRAW).press()
    table.cards(10)
    dealt = (*TWO_PAIR, *NOTHING)
    assert (table.dealt_to(2), table.dealt_to(1)) == (dealt[0::2], dealt[1::2])


def test_the_dealer_is_told_where_each_card_goes(says: Says) -> None:
    table = chosen(1, 2, options=ROUND_THE_TABLE)
    says(table.state.prompt)
    table.card()
    assert table.last(DealerPrompted).seat == 2
    says(table.last(DealerPrompted).sentence)


def test_draws_go_to_one_player_after_the_other_and_who_stands_gets_none(says: Says) -> None:
    table = chosen(1, 2, 3, options=ROUND_THE_TABLE).cards(15).drawing((1, 2), (2, 0), (3, 1))
    says(table.state.prompt)
    table.cards(3)
    assert [(fact.seat, fact.count) for fact in table.said(HandDealt) if fact.drawn] == [(1, 2), (3, 1)]


def test_nothing_is_ordered_of_a_shoe() -> None:
    table = chosen(1).cards(5).drawing((1, 5)).cards(5)
    assert table.commands == list[DeviceCommand]()


def test_cards_out_of_the_shoe_are_hidden_like_any_other() -> None:
    table = chosen(1, 2).cards(10).drawing((1, 5), (2, 3)).cards(7)
    assert cards_in(public(table.state)) == cards_in(tuple(table.facts)) == set()


def test_a_round_goes_as_from_a_shuffler() -> None:
    table = chosen(1, 2, wagers=BOTH).cards(10).drawing((1, 0), (2, 5))
    assert table.phase() is Phase.FIRST_FIVE
    table.press(Button.NEXT)
    table.press(Button.NEXT)
    assert table.phase() is Phase.DEALING
    settled = finished(table.cards(5)).last(RoundSettled)
    assert [fact.seat for fact in table.said(HandSettled)] == [1, 2]
    assert settled.stakes_cents == 2000


def test_face_up_each_hand_is_settled_with_its_draw() -> None:
    table = chosen(1, 2, options=FACE_UP).cards(10).drawing((1, 5), (2, 5)).cards(5)
    assert (table.phase(), [fact.seat for fact in table.said(HandSettled)]) == (Phase.RECONCILING, [1])
    table.press(Button.NEXT)
    table.cards(5)
    assert [fact.seat for fact in finished(table).said(HandSettled)] == [1, 2]


def test_the_deck_is_shuffled_again_for_the_next_round() -> None:
    finished(table := chosen(1).cards(5).drawing((1, 0)))
    assert (table.phase(), table.state.shoe) == (Phase.IDLE, None)
    table.deck = list(table.whole_deck)
    assert table.loaded().phase() is Phase.BETTING


# --- what is left in the shoe: nobody reads it ---


def test_until_a_count_is_due_the_ledger_is_all_that_is_known() -> None:
    table = chosen(1).cards(5).drawing((1, 5)).cards(5)
    told = table.last(DeckAccounted)
    assert (told.proof, told.dealt, told.remaining) == (DeckProof.NOT_DUE, 10, None)


def test_a_stub_count_is_asked_for_when_it_is_due() -> None:
    table = chosen(1, stub_count_rounds_max=1).cards(5).drawing((1, 5)).cards(5)
    assert (table.phase(), len(table.said(StubCountAsked))) == (Phase.COUNTING, 1)
    table.stub(42)
    told = table.last(DeckAccounted)
    assert (told.proof, told.dealt, told.remaining) == (DeckProof.STUB_COUNTED, 10, 42)


def test_a_stub_of_another_number_voids() -> None:
    table = chosen(1, stub_count_rounds_max=1).cards(5).drawing((1, 5)).cards(5)
    table.stub(41)
    assert table.last(RoundVoided).irregularity is Irregularity.DECK_NOT_PROVEN


# --- cards that are not right ---


def test_a_card_too_many_is_out_of_turn() -> None:
    table = chosen(1).cards(6)
    assert table.last(IrregularityFound).irregularity is Irregularity.CARD_OUT_OF_TURN
    assert table.phase() is Phase.HELD
    table.rule(Ruling.VOID)
    assert table.state.shoe is None


def test_a_card_for_a_player_who_stood_is_out_of_turn() -> None:
    table = chosen(1, wagers=BOTH, stub_count_rounds_max=1).cards(5).drawing((1, 0))
    table.press(Button.NEXT)
    assert table.phase() is Phase.COUNTING
    table.card()
    table.rule(Ruling.VOID)
    voided = table.last(RoundVoided)
    assert voided.irregularity is Irregularity.CARD_OUT_OF_TURN
    assert [(step.action, step.amount_cents) for step in voided.undone] == [(PromptAction.TAKE, 2000)]


@pytest.mark.parametrize("phase", [Phase.BETTING, Phase.CHOOSING])
def test_a_card_before_green_stops_the_round_and_it_goes_on_there(phase: Phase) -> None:
    supervised = (Irregularity.CARD_OUT_OF_TURN,)
    table = BigDrawTable(source=A_SHOE, supervised=supervised).with_deck()
    if phase is Phase.BETTING:
        table.chosen().bets(1, wagers=BIG_DRAW)
    table.card()
    assert table.phase() is Phase.HELD
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.phase() is phase


def test_a_card_that_comes_twice_is_one_too_often() -> None:
    table = chosen(1).cards(4)
    table.card(TWO_PAIR[0])
    assert table.last(IrregularityFound).irregularity is Irregularity.CARD_TOO_OFTEN
    assert len(table.said(RoundVoided)) == 1


def test_a_card_of_which_the_shoe_says_two_things_is_none() -> None:
    table = chosen(1, supervised=(Irregularity.DISPUTED_CARD,)).cards(3)
    table.card(NOTHING[0], Confidence.DISPUTED)
    assert (table.phase(), len(table.dealt_to(1))) == (Phase.HELD, 3)


def test_a_card_that_went_back_is_irregular() -> None:
    table = chosen(1).cards(5).drawing((1, 1))
    table.device(CardReturned(None))
    assert table.last(IrregularityFound).irregularity is Irregularity.CARD_RETURNED
    assert table.phase() is Phase.HELD


def unreadable(*, at: int, options: BigDrawAtTable = ROUND_THE_TABLE) -> BigDrawTable:
    """After so many cards one comes that the shoe cannot read."""
    table = chosen(1, 2, supervised=UNREADABLE, options=options).cards(at)
    table.draw(1)
    table.card(Misread.UNREADABLE)
    assert table.phase() is Phase.HELD
    return table


def test_a_card_without_a_name_is_entered_with_its_hand_as_it_lies(says: Says) -> None:
    table = unreadable(at=2, options=BigDrawAtTable())
    assert table.rule(Ruling.CONTINUE).code == "card-unplaced"
    assert table.enter(1, TWO_PAIR[:3]).accepted
    assert table.rule(Ruling.CONTINUE).accepted
    says(table.state.prompt)
    table.cards(7).drawing((1, 0), (2, 0))
    assert finished(table).said(HandSettled)[0].evidence is Evidence.ENTERED_BY_PERSON
    assert table.last(DeckAccounted).proof is DeckProof.CONFIRMED


def test_it_is_taken_only_where_it_was_due(says: Says) -> None:
    table = unreadable(at=2)
    first, second = table.dealt_to(1), table.dealt_to(2)
    free = next(card for card in table.deck if isinstance(card, Card))
    assert table.enter(2, (*second, free)).code == "not-due-there"
    assert table.enter(1, (second[0], free)).code == "differs-from-record"
    assert table.enter(1, (*first, first[0])).code == "card-too-often"
    assert table.enter(3, (free,)).code == "no-such-hand"
    assert table.enter(1, (*first, free)).accepted
    assert table.rule(Ruling.CONTINUE).accepted
    says(table.state.prompt)


def test_a_card_that_lies_face_down_elsewhere_is_taken_and_found_by_the_proof() -> None:
    table = unreadable(at=2)
    assert table.enter(1, (*table.dealt_to(1), *table.dealt_to(2))).accepted
    assert table.rule(Ruling.CONTINUE).accepted
    table.cards(7)
    assert table.last(IrregularityFound).irregularity is Irregularity.DUPLICATE_CARD


def test_a_drawn_card_without_a_name_is_entered_with_the_draw() -> None:
    table = chosen(1, supervised=UNREADABLE).cards(5).drawing((1, 3)).cards(1)
    table.card(Misread.UNREADABLE)
    free = next(card for card in table.deck if isinstance(card, Card))
    assert table.enter(1, (*table.drawn_by(1), free)).accepted
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.drawn_by(1)[1] == free


def test_an_unread_card_that_nothing_made_due_is_put_aside_by_the_ruling() -> None:
    table = chosen(1, supervised=UNREADABLE).cards(5)
    table.draw(1)
    table.device(ReadFailed("smudged"))
    table.card(Misread.UNREADABLE)
    assert table.phase() is Phase.HELD
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.phase() is Phase.DECIDING
    table.drawing((1, 5)).cards(5)
    assert finished(table).last(DeckAccounted).dealt == 11


@pytest.mark.parametrize("phase", [Phase.BETTING, Phase.CHOOSING, Phase.FIRST_FIVE, Phase.RECONCILING])
def test_it_is_put_aside_wherever_none_is_due(phase: Phase) -> None:
    wagers = BOTH if phase is Phase.FIRST_FIVE else BIG_DRAW
    table = BigDrawTable(TWO_PAIR, source=A_SHOE, supervised=UNREADABLE).with_deck()
    if phase is not Phase.CHOOSING:
        table.chosen().bets(1, wagers=wagers)
    if phase in (Phase.FIRST_FIVE, Phase.RECONCILING):
        table.press()
        table.cards(5).drawing((1, 1))
    if phase is Phase.RECONCILING:
        table.card()
    assert table.phase() is phase
    table.device(ReadFailed("smudged"))
    table.card(Misread.UNREADABLE)
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.phase() is phase


def test_a_card_that_was_said_to_be_unread_and_was_due_is_not_put_aside() -> None:
    table = chosen(1, supervised=UNREADABLE).cards(4)
    table.draw(1)
    table.device(ReadFailed("smudged"))
    table.card(Misread.UNREADABLE)
    assert table.rule(Ruling.CONTINUE).code == "card-unplaced"
    assert table.enter(1, TWO_PAIR).accepted
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.phase() is Phase.DECIDING


def test_a_dealer_cannot_find_another_hand_by_what_is_refused() -> None:
    """A card that lies face down elsewhere would be refused as one that has come already."""
    table = unreadable(at=5, options=BigDrawAtTable())
    guesses = [EnterCards(SeatNumber(2), (guess,)) for guess in (TWO_PAIR[0], NOTHING[0])]
    assert {table.ask(guess, Actor.DEALER).code for guess in guesses} == {"not-permitted"}
    assert table.ask(guesses[1]).accepted


def test_nobody_learns_a_hand_by_guessing_it() -> None:
    """Which cards lie face down in a packet that is whole is confirmed to nobody."""
    table = chosen(1, 2, supervised=UNREADABLE).cards(5)
    table.card(Misread.UNREADABLE)
    assert table.enter(1, TWO_PAIR).code == table.enter(1, NOTHING).code == "nothing-missing"


def test_after_a_hole_in_the_record_a_supervisor_confirms_what_lies_there_and_the_deal_goes_on(says: Says) -> None:
    table = chosen(1, 2).cards(7)
    table.device(EventsLost(None, "gone"))
    assert table.phase() is Phase.INTERRUPTED
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.phase() is Phase.DEALING
    says(table.state.prompt)


def test_a_card_that_left_unseen_is_entered_with_the_hand_in_which_it_lies() -> None:
    table = chosen(1, 2).cards(7)
    table.draw(1)
    table.device(EventsLost(1, "gone"))
    assert table.enter(2, NOTHING[:3]).accepted
    assert table.rule(Ruling.CONTINUE).accepted
    table.cards(2)
    assert (table.phase(), table.dealt_to(2)) == (Phase.DECIDING, NOTHING)


def test_a_held_round_with_nothing_to_undo_is_over_with_its_void() -> None:
    table = BigDrawTable(source=A_SHOE, supervised=UNREADABLE).loaded()
    table.device(ReadFailed("smudged"))
    assert table.phase() is Phase.HELD
    assert table.void().accepted
    assert table.phase() is Phase.CHOOSING  # of the next round
    assert len(table.said(RoundVoided)) == 1
