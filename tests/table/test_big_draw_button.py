"""Big Draw's button with two sides, clause by clause (big-draw.md, "The button")."""

from __future__ import annotations

import pytest

from daemon.rules.big_draw import Variant
from daemon.rules.money import Breakage, Cents, MoneyRule
from daemon.rules.wagers import WagerName
from daemon.table.betting import CHANGES_MAX
from daemon.table.big_draw.facts import ButtonMove, ButtonMoved, GameChosen
from daemon.table.big_draw.inputs import MoveButton, PassButton
from daemon.table.facts import ButtonRefused
from daemon.table.inputs import ClearBets, Configured
from daemon.table.round_facts import BetPlaced, DealerPrompted, HandDealt
from daemon.table.state import Phase
from daemon.table.view import public
from daemon.table.vocabulary import Actor, SeatNumber
from drivers.events import Button, DeckLoaded, ShuffleFinished
from tests.support.sentences import Says
from tests.table.big_draw_playing import NOTHING, TWO_PAIR, BigDrawTable, big_draw_settings
from tests.table.playing import TODAY


def asked(button: int = 1) -> BigDrawTable:
    """A round is open, and the player with the button is asked."""
    table = BigDrawTable()
    if button != 1:
        assert table.move_button(button).accepted
    return table.waiting()


def dealt_to(table: BigDrawTable) -> list[int]:
    return [fact.seat for fact in table.said(HandDealt)]


def played(table: BigDrawTable, *seats: int) -> BigDrawTable:
    """The rest of a round in which these seats bet and nobody draws."""
    table.chosen().bets(*seats).press()
    table.give_all()
    assert table.state.round is not None
    for seat in table.state.round.players:
        assert table.draw_cards(seat, 0).accepted, table.answer
    table.through_first_5().collect()
    while table.state.phase is Phase.RECONCILING:
        table.press(Button.NEXT)
    assert table.phase() is Phase.CHOOSING
    table.shuffle()
    return table


def test_it_moves_one_spot_a_round_from_left_to_right() -> None:
    table = played(asked(), 1, 2)
    assert table.button_at() == 2
    assert table.last(ButtonMoved) == ButtonMoved(SeatNumber(2), ButtonMove.NEXT_ROUND)


def test_from_the_last_spot_it_goes_back_to_the_first() -> None:
    assert played(asked(5), 5, 2).button_at() == 1


def test_it_counts_as_having_been_at_a_seat_that_then_does_not_bet() -> None:
    table = played(asked(2), 1, 4)
    assert dealt_to(table) == [4, 1]
    assert table.button_at() == 3


def test_the_dealer_passes_it_on_over_an_empty_seat() -> None:
    table = asked(4)
    assert table.ask(PassButton(SeatNumber(4)), Actor.DEALER, round_id=table.running()).accepted
    assert table.last(ButtonMoved) == ButtonMoved(SeatNumber(5), ButtonMove.PASSED, "kim", Actor.DEALER)


def test_the_player_with_the_button_gets_the_first_hand_then_the_next_seats_and_so_on_round() -> None:
    table = asked(4).chosen().bets(1, 2, 4, 5)
    table.press()
    assert dealt_to(table.give_all()) == [4, 5, 1, 2]


def test_who_does_not_want_to_choose_passes_it_to_the_next_spot(says: Says) -> None:
    table = asked(5)
    says(table.state.prompt)
    assert table.pass_button(5).accepted
    assert (table.button_at(), table.last(ButtonMoved).why) == (1, ButtonMove.PASSED)
    says(table.state.prompt)
    assert table.pass_button(1).accepted
    table.chosen().bets(1, 3, 5).press()
    assert dealt_to(table.give_all()) == [3, 5, 1]


def test_a_passed_button_moves_on_from_where_it_was_passed_to() -> None:
    table = asked()
    table.pass_button(1)
    assert played(table, 1, 3).button_at() == 3


def test_players_at_all_seats_do_not_pass_it_round_without_end(says: Says) -> None:
    """Each time stays on record, and the choice has no end of its own."""
    table = BigDrawTable(seats=2).waiting()
    for number in range(2 * CHANGES_MAX):
        assert table.ask(PassButton(SeatNumber(1 + number % 2)), Actor.PLAYER).accepted
    refused = table.ask(PassButton(SeatNumber(1)), Actor.PLAYER)
    assert refused.code == "too-many-changes"
    says(refused.message)
    assert table.ask(PassButton(SeatNumber(1)), Actor.DEALER).accepted
    assert table.choose(2).accepted


def test_it_cannot_be_passed_at_a_table_with_one_seat() -> None:
    assert BigDrawTable(seats=1).waiting().pass_button(1).code == "nobody-else"


def test_nobody_but_its_holder_chooses_or_passes() -> None:
    table = asked()
    assert table.choose(2).code == "not-the-button"
    assert table.pass_button(2).code == "not-the-button"
    assert table.choose(1).accepted


def test_clause_3_the_game_is_chosen_and_its_side_shown_before_any_bet(says: Says) -> None:
    table = asked()
    assert table.bet(1, WagerName.BIG_DRAW).code == "not-while-choosing"
    table.press()
    assert table.last(ButtonRefused).code == "not-while-choosing"
    assert table.choose(1, Variant.DEUCES_NEVER_LOSES).accepted
    says(table.state.prompt)
    assert table.bet(1, WagerName.BIG_DRAW).accepted
    kinds = [type(fact) for fact in table.facts if isinstance(fact, GameChosen | BetPlaced)]
    assert kinds == [GameChosen, BetPlaced]


def test_clause_3_a_choice_holds_until_the_round_ends() -> None:
    table = asked().chosen().bets(1)
    assert table.choose(1, Variant.DEUCES_NEVER_LOSES).code == "not-while-betting"
    assert table.pass_button(1).code == "not-while-betting"
    assert table.move_button(2).code == "not-while-betting"
    assert table.ask(ClearBets(SeatNumber(1)), Actor.PLAYER).accepted
    assert public(table.state).variant is Variant.FIVE_CARD_DRAW


def test_a_round_that_is_void_before_the_first_bet_begins_with_the_choice_again() -> None:
    table = asked().chosen()
    assert table.void().accepted
    assert (table.phase(), table.button_at(), public(table.state).variant) == (Phase.CHOOSING, 1, None)


def test_a_configuration_that_changed_while_a_game_is_chosen_comes_into_force_at_once() -> None:
    table = asked()
    table.take(Configured(table.state.at, TODAY, "journal-under-test", "rules-1", big_draw_settings(seats=3)))
    assert (table.state.settings.seats, table.state.settings_next) == (3, None)


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
    table = asked()
    table.press(Button.CHOICE_PASSED)
    table.press(key)
    assert (table.last(GameChosen).seat, table.last(GameChosen).variant) == (2, variant)


def test_its_keys_mean_nothing_once_a_game_is_chosen() -> None:
    table = BigDrawTable(TWO_PAIR).hands_out(1)
    table.press(Button.DEUCES_NEVER_LOSES)
    assert table.last(ButtonRefused).code == "key-means-nothing"


@pytest.mark.parametrize("phase", [Phase.IDLE, Phase.CHOOSING])
def test_the_dealer_can_move_it_until_a_game_is_chosen(phase: Phase) -> None:
    table = BigDrawTable() if phase is Phase.IDLE else asked()
    assert table.phase() is phase
    assert table.move_button(3).accepted
    assert table.button_at() == 3
    assert table.last(ButtonMoved) == ButtonMoved(SeatNumber(3), ButtonMove.BY_HAND, "kim", Actor.DEALER)


def test_moved_while_a_game_is_chosen_the_player_there_is_asked() -> None:
    table = asked()
    assert table.move_button(2).accepted
    assert table.last(DealerPrompted).seat == 2
    assert table.choose(1).code == "not-the-button"
    assert table.choose(2).accepted


def test_it_is_not_moved_once_cards_are_out() -> None:
    assert BigDrawTable(TWO_PAIR).hands_out(1).move_button(2).code == "not-while-deciding"


@pytest.mark.parametrize(("seat", "code"), [(1, "already-there"), (6, "no-such-seat"), (0, "no-such-seat")])
def test_where_it_cannot_be_moved(seat: int, code: str) -> None:
    assert asked().move_button(seat).code == code


def test_a_player_does_not_move_it() -> None:
    table = asked()
    assert table.ask(MoveButton(SeatNumber(2)), Actor.PLAYER).code == "not-permitted"


def test_a_void_round_is_not_played_so_the_button_stays() -> None:
    table = BigDrawTable(TWO_PAIR, NOTHING).hands_out(1, 2)
    table.void()
    assert table.button_at() == 1


def test_a_deck_that_is_disturbed_while_a_game_is_chosen_is_not_dealt() -> None:
    table = asked()
    table.device(DeckLoaded())
    table.chosen().bets(1).press()
    assert table.last(ButtonRefused).code == "deck-not-ready"
    table.device(ShuffleFinished(52))
    table.press()
    assert table.phase() is Phase.DEALING


def test_a_stake_has_to_be_payable_in_both_games() -> None:
    whole_dollars = MoneyRule(Cents(100), Breakage.EXACT)
    table = BigDrawTable(money=whole_dollars).opened()
    assert table.bet(1, WagerName.BIG_DRAW, 500).code == "cannot-be-paid-exactly"  # a flush pays 3 to 2 on one side
    assert table.bet(1, WagerName.BIG_DRAW, 400).accepted


def test_a_button_at_a_seat_that_the_table_has_no_longer_goes_to_the_first() -> None:
    table = asked(5)
    at, day, journal = table.state.at, table.state.day, table.state.journal
    table.take(Configured(at, day, journal, "rules-1", big_draw_settings(seats=3)))
    assert table.phase() is Phase.IDLE
    table.link_up()
    assert (table.phase(), table.button_at(), table.last(ButtonMoved).seat) == (Phase.CHOOSING, 1, 1)
    assert table.choose(5).code == "not-the-button"
    assert table.choose(1).accepted
