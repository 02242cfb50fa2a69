"""A blackjack table and its shoe: the first cards burned, the cut card, and when the shoe is changed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from daemon.table.blackjack.house import shoe_rules
from daemon.table.facts import AlertRaised, DeviceAnomaly
from daemon.table.inputs import CloseTable
from daemon.table.round_facts import (
    CardBurned,
    CutCardOut,
    RoundSettled,
    ShoeChangeDue,
)
from daemon.table.shoe import Shoe
from daemon.table.state import Phase
from daemon.table.vocabulary import Decision
from drivers.events import (
    Button,
    CutCardDrawn,
    DeckLoaded,
)
from protocols.cards import Card, Misread
from tests.support.sentences import Says
from tests.table.blackjack_playing import Blackjack, blackjack_settings, house_of

FIRST_CARDS = "5c 9c 6d 9s"
ANY_CARD = Card.parse("2h")


def test_the_first_cards_are_burned_before_a_round_opens_and_are_in_no_fact(says: Says) -> None:
    table = Blackjack(house_of(burn_cards=2))
    assert table.phase() is Phase.IDLE
    says(table.state.prompt)
    table.card(ANY_CARD)
    says(table.state.prompt)
    table.card(Misread.UNREADABLE)
    assert [(fact.burned, fact.still_due) for fact in table.said(CardBurned)] == [(1, 1), (2, 0)]
    assert table.phase() is Phase.BETTING


def test_a_shoe_loaded_while_bets_are_taken_is_burned_before_the_deal() -> None:
    table = Blackjack(house_of(burn_cards=1))
    table.card(ANY_CARD)
    table.stake(1)
    assert table.load().accepted
    table.press(Button.GREEN)
    assert table.phase() is Phase.BETTING
    table.card(ANY_CARD)
    table.press(Button.GREEN)
    assert table.phase() is Phase.DEALING


def test_the_round_of_the_cut_card_is_the_last_of_the_shoe(says: Says) -> None:
    table = Blackjack().deal("5c 9c Td")
    table.device(CutCardDrawn(3))
    assert table.last(CutCardOut).after == 3
    table.cards("9s")
    table.says(1, Decision.STAND).finish()
    assert len(table.said(RoundSettled)) == 1
    assert table.last(ShoeChangeDue).cards_gone == 4
    assert table.phase() is Phase.IDLE
    says(table.state.prompt)
    assert table.load().accepted
    assert table.phase() is Phase.BETTING


def test_each_card_that_is_drawn_between_rounds_is_told_of(says: Says) -> None:
    """A dealer drew one by mistake, and behind its alert as many more as suited the player: the supervisor saw one."""
    table = Blackjack().deal("5c 9c Td 9s")
    table.ask(CloseTable())
    table.says(1, Decision.STAND).finish()
    for number, card in enumerate(("6c", "7c", "6c"), start=5):
        table.cards(card)
        assert f"card {number} " in table.last(AlertRaised).message
    (standing,) = table.state.alerts
    says(standing.message)


def test_a_cut_card_between_two_rounds_makes_the_next_one_the_last() -> None:
    table = Blackjack()
    table.device(CutCardDrawn(0))
    table.stake(1)
    table.void()
    table.put_back()
    assert table.phase() is Phase.BETTING  # no card was dealt in it
    table.deal("5c 9c Td 9s").says(1, Decision.STAND).finish()
    assert table.state.shoe is None


def test_a_shoe_that_a_full_table_could_empty_is_changed_before_the_next_round() -> None:
    """Players drew one deck to its end, behind a cut card that never came, and the void gave them all stakes back."""
    table = Blackjack(house_of(decks=1), seats=6)
    table.deal("5c 9c Td 9s").says(1, Decision.STAND).finish()
    assert table.state.shoe is not None  # 48 cards are left
    first_cards = "2c 2d 2h 3c 3d 3h Kc 4d 4h 4s Kd Ks Js 8c"
    table.deal(first_cards, *range(1, 7))
    for seat in range(1, 7):
        table.says(seat, Decision.STAND)
    table.finish()
    assert len(table.said(RoundSettled)) == 2
    assert table.last(ShoeChangeDue).cards_gone == 18
    assert table.phase() is Phase.IDLE


@pytest.mark.parametrize(("seats", "cards_left"), [(1, 10), (6, 35), (9, 50)])
def test_a_shoe_holds_a_round_of_a_full_table_or_is_changed(seats: int, cards_left: int) -> None:
    rules = shoe_rules(blackjack_settings(house_of(decks=1), seats=seats))
    enough = Shoe(1, unnamed=52 - cards_left, of_this_round=4)
    assert enough.after_round(rules) == replace(enough, of_this_round=0)
    assert replace(enough, unnamed=53 - cards_left).after_round(rules) is None
    untouched = Shoe(1, burned=45, unnamed=45)  # no round was dealt from it: changing it would not end
    assert untouched.after_round(rules) == untouched


def test_a_second_cut_card_is_only_put_on_record() -> None:
    table = Blackjack().deal("5c 9c Td")
    table.device(CutCardDrawn(3))
    (fact,) = table.device(CutCardDrawn(3))
    assert isinstance(fact, DeviceAnomaly)


def test_a_shoe_is_not_changed_in_mid_round() -> None:
    table = Blackjack().deal(FIRST_CARDS)
    assert table.load().code == "not-while-deciding"


def test_a_shoe_that_says_that_it_was_loaded_in_mid_round_interrupts_it() -> None:
    table = Blackjack().deal(FIRST_CARDS)
    table.device(DeckLoaded())
    assert table.phase() is Phase.INTERRUPTED


def test_the_cards_of_a_void_round_are_shuffled_again_and_the_shoe_with_them() -> None:
    table = Blackjack().deal("5c 9c")
    table.void()
    assert table.state.shoe is None
    before_any_card = Blackjack()
    before_any_card.stake(1)
    before_any_card.void()
    assert before_any_card.state.shoe is not None
