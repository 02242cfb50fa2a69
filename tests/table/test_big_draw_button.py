"""Big Draw's button with two sides, clause by clause (big-draw.md, "The button")."""

from __future__ import annotations

import pytest

from daemon.rules.big_draw import Variant
from daemon.rules.money import Breakage, Cents, MoneyRule
from daemon.rules.wagers import WagerName
from daemon.table.big_draw.facts import ButtonMove, ButtonMoved, GameChosen
from daemon.table.big_draw.inputs import MoveButton
from daemon.table.facts import ButtonRefused
from daemon.table.round_facts import HandDealt
from daemon.table.state import Phase
from daemon.table.view import public
from daemon.table.vocabulary import Actor, SeatNumber
from drivers.events import Button, DeckLoaded, ShuffleFinished
from tests.support.sentences import Says
from tests.table.big_draw_playing import NOTHING, TWO_PAIR, BigDrawTable


def asked(*seats: int, button: int = 1) -> BigDrawTable:
    """These seats have bets, and the button's holder is asked."""
    table = BigDrawTable().opened()
    if button != 1:
        assert table.move_button(button).accepted
    table.bets(*seats).press()
    assert table.phase() is Phase.CHOOSING
    return table


def dealt_to(table: BigDrawTable) -> list[int]:
    return [fact.seat for fact in table.said(HandDealt)]


def played(table: BigDrawTable) -> BigDrawTable:
    """The rest of a round in which nobody draws."""
    assert table.state.round is not None
    first = table.state.round.players[0]
    assert table.choose(first).accepted, table.answer
    table.give_all()
    for seat in table.state.round.players:
        assert table.draw_cards(seat, 0).accepted, table.answer
    table.through_first_5().collect()
    while table.state.phase is Phase.RECONCILING:
        table.press(Button.NEXT)
    assert table.phase() is Phase.BETTING
    table.shuffle()
    return table


def test_it_moves_one_spot_a_round_from_left_to_right() -> None:
    table = played(asked(1, 2))
    assert table.button_at() == 2
    assert table.last(ButtonMoved) == ButtonMoved(SeatNumber(2), ButtonMove.NEXT_ROUND)


def test_from_the_last_spot_it_goes_back_to_the_first() -> None:
    assert played(asked(5, 2, button=5)).button_at() == 1


def test_empty_seats_are_passed_over(says: Says) -> None:
    table = asked(1, 4, button=2)
    assert table.button_at() == 4
    assert table.last(ButtonMoved) == ButtonMoved(SeatNumber(4), ButtonMove.EMPTY_SEAT)
    says(table.state.prompt)


def test_after_the_last_spot_a_seat_at_the_first_is_next() -> None:
    assert asked(2, 3, button=4).button_at() == 2


def test_the_player_with_the_button_gets_the_first_hand_then_the_next_seats_and_so_on_round() -> None:
    table = asked(1, 2, 4, 5, button=4)
    table.choose(4)
    assert dealt_to(BigDrawTable.give_all(table)) == [4, 5, 1, 2]


def test_who_does_not_want_to_choose_passes_it_to_the_next_player_in_turn() -> None:
    table = asked(1, 3, 5, button=5)
    assert table.pass_button(5).accepted
    assert (table.button_at(), table.last(ButtonMoved).why) == (1, ButtonMove.PASSED)
    assert table.pass_button(1).accepted
    assert table.button_at() == 3
    table.choose(3)
    assert dealt_to(table.give_all()) == [3, 5, 1]


def test_a_passed_button_moves_on_from_where_it_was_passed_to() -> None:
    table = asked(1, 3)
    table.pass_button(1)
    assert played(table).button_at() == 4


def test_it_cannot_be_passed_when_nobody_else_plays() -> None:
    assert asked(3).pass_button(3).code == "nobody-else"


def test_nobody_but_its_holder_chooses_or_passes() -> None:
    table = asked(1, 2)
    assert table.choose(2).code == "not-the-button"
    assert table.pass_button(2).code == "not-the-button"
    assert table.choose(1).accepted


def test_the_game_is_chosen_after_the_bets_and_before_the_cards() -> None:
    table = BigDrawTable().opened().bets(1)
    assert table.choose(1).code == "not-while-betting"
    table.press()
    assert dealt_to(table) == []
    assert table.bet(2, WagerName.BIG_DRAW).code == "not-while-choosing"
    assert table.choose(1, Variant.DEUCES_NEVER_LOSES).accepted
    assert table.choose(1).code == "not-while-dealing"


def test_the_side_is_public() -> None:
    table = asked(2)
    assert (public(table.state).button, public(table.state).variant) == (2, None)
    table.choose(2, Variant.DEUCES_NEVER_LOSES)
    assert public(table.state).variant is Variant.DEUCES_NEVER_LOSES
    assert table.last(GameChosen) == GameChosen(SeatNumber(2), Variant.DEUCES_NEVER_LOSES, "kim", Actor.PLAYER)


@pytest.mark.parametrize(
    ("key", "variant"),
    [
        (Button.FIVE_CARD_DRAW, Variant.FIVE_CARD_DRAW),
        (Button.DEUCES_NEVER_LOSES, Variant.DEUCES_NEVER_LOSES),
    ],
)
def test_the_dealer_can_say_it_by_key(key: Button, variant: Variant) -> None:
    table = asked(1, 2)
    table.press(Button.CHOICE_PASSED)
    table.press(key)
    assert (table.last(GameChosen).seat, table.last(GameChosen).variant) == (2, variant)


def test_its_keys_mean_nothing_once_a_game_is_chosen() -> None:
    table = BigDrawTable(TWO_PAIR).hands_out(1)
    table.press(Button.DEUCES_NEVER_LOSES)
    assert table.last(ButtonRefused).code == "key-means-nothing"


@pytest.mark.parametrize("phase", [Phase.IDLE, Phase.BETTING, Phase.CHOOSING])
def test_the_dealer_can_move_it_until_cards_are_out(phase: Phase) -> None:
    table = BigDrawTable()
    if phase is not Phase.IDLE:
        table.opened()
    if phase is Phase.CHOOSING:
        table.bets(1, 3).press()
    assert table.phase() is phase
    assert table.move_button(3).accepted
    assert table.button_at() == 3
    assert table.last(ButtonMoved) == ButtonMoved(SeatNumber(3), ButtonMove.BY_HAND, "kim", Actor.DEALER)


def test_moved_to_an_empty_seat_while_a_game_is_chosen_it_goes_on_to_the_next_player() -> None:
    table = asked(1, 3)
    assert table.move_button(2).accepted
    assert table.button_at() == 3
    assert table.choose(3).accepted
    assert dealt_to(table.give_all()) == [3, 1]


def test_it_is_not_moved_once_cards_are_out() -> None:
    assert BigDrawTable(TWO_PAIR).hands_out(1).move_button(2).code == "not-while-deciding"


@pytest.mark.parametrize(("seat", "code"), [(1, "already-there"), (6, "no-such-seat"), (0, "no-such-seat")])
def test_where_it_cannot_be_moved(seat: int, code: str) -> None:
    assert BigDrawTable().opened().move_button(seat).code == code


def test_a_player_does_not_move_it() -> None:
    table = BigDrawTable().opened()
    assert table.ask(MoveButton(SeatNumber(2)), Actor.PLAYER).code == "not-permitted"


def test_a_void_round_is_not_played_so_the_button_stays() -> None:
    table = BigDrawTable(TWO_PAIR, NOTHING).hands_out(1, 2)
    table.void()
    assert table.button_at() == 1


def test_a_deck_that_is_disturbed_while_a_game_is_chosen_is_not_dealt() -> None:
    table = asked(1)
    table.device(DeckLoaded())
    assert table.choose(1).code == "deck-not-ready"
    table.device(ShuffleFinished(52))
    assert table.choose(1).accepted


def test_a_stake_has_to_be_payable_in_both_games() -> None:
    whole_dollars = MoneyRule(Cents(100), Breakage.EXACT)
    table = BigDrawTable(money=whole_dollars).opened()
    assert table.bet(1, WagerName.BIG_DRAW, 500).code == "cannot-be-paid-exactly"  # a flush pays 3 to 2 on one side
    assert table.bet(1, WagerName.BIG_DRAW, 400).accepted
