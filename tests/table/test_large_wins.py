"""A win above the threshold is held until a supervisor has cleared it (games/README.md, "Limits")."""

from __future__ import annotations

import pytest

from daemon.rules.limits import Day, Limits, LimitSchedule
from daemon.rules.money import Cents
from daemon.rules.wagers import WagerName
from daemon.table.big_draw.facts import FirstFiveSettled
from daemon.table.big_raise.facts import FoldSettled
from daemon.table.facts import AlertCleared
from daemon.table.round_facts import DealerPrompted, HandSettled, PromptStep, RoundSettled, RoundVoided
from daemon.table.settings import LargeWins, Reconciling
from daemon.table.state import Phase
from daemon.table.view import public
from daemon.table.vocabulary import Actor, Decision, PromptAction, Ruling, SeatNumber
from drivers.events import Button
from tests.support.sentences import Says
from tests.table.big_draw_playing import BigDrawTable
from tests.table.blackjack_playing import Blackjack
from tests.table.playing import TODAY, Table
from tests.table.test_a_round import NOTHING_MUCH, ROYAL, table_with
from tests.table.test_big_draw_first_5 import ROYAL as ROYAL_DEALT
from tests.table.test_big_raise import NO_PAIR, PAIR, decide
from tests.table.test_big_raise_clauses import with_bonuses

ALERT = "verify-t7-1-seat-1-poker_hand"


def won(**changes: object) -> Table:
    """Seat 1 wins 5,000.00, the other seats nothing much. Seat 1 is reconciled last."""
    table = table_with(ROYAL, NOTHING_MUCH, **changes).reconciling(1, 2)
    if table.state.settings.reconciling is Reconciling.STEP:
        table.press(Button.NEXT)
    return table


def test_clause_6_the_prompt_says_not_to_pay_and_next_is_refused_until_a_supervisor_has_cleared_it(says: Says) -> None:
    table = won()
    says(table.state.prompt)
    assert table.last(DealerPrompted).steps == ()
    answer = table.command_press(Button.NEXT)
    assert answer.code == "verify-first"
    says(answer.message)
    assert table.clear(ALERT, Actor.DEALER).code == "not-permitted"
    assert table.clear(ALERT).accepted
    says(table.state.prompt)
    pay = PromptStep(WagerName.POKER_HAND, PromptAction.PAY, 500_000)
    assert (table.last(DealerPrompted).steps, table.last(DealerPrompted).seat) == ((pay,), 1)
    assert table.command_press(Button.NEXT).accepted
    assert len(table.said(RoundSettled)) == 1


def test_clause_6_the_alert_blocks_the_next_round() -> None:
    table = won()
    assert table.state.blocked_by == (ALERT,)


def test_clause_6_a_table_that_runs_through_stops_at_the_seat_and_waits_for_next() -> None:
    table = table_with(NOTHING_MUCH, ROYAL, reconciling=Reconciling.THROUGH).reconciling(1, 2)
    assert [fact.seat for fact in table.said(HandSettled)] == [2]
    table.clear("verify-t7-1-seat-2-poker_hand")
    assert table.state.prompt.endswith("Then next.")
    assert [fact.seat for fact in table.said(HandSettled)] == [2]
    table.press(Button.NEXT)
    assert len(table.said(RoundSettled)) == 1


def test_clause_6_a_house_may_only_be_told() -> None:
    table = won(large_wins=LargeWins.TELL)
    assert table.state.prompt.endswith("Then next.")
    assert (table.state.alerts[0].alert, table.state.blocked_by) == (ALERT, ())
    table.press(Button.NEXT)
    assert len(table.said(RoundSettled)) == 1


@pytest.mark.parametrize("cleared_first", [True, False])
def test_a_round_that_stands_still_meanwhile_goes_on_at_the_same_place(cleared_first: bool) -> None:
    table = won()
    before = table.state.prompt
    table.press(Button.VOID)
    stopped = table.state.prompt
    if cleared_first:
        table.clear(ALERT)
        assert table.state.prompt == stopped
    assert table.rule(Ruling.CONTINUE).accepted
    assert (table.state.prompt == before) is not cleared_first
    if not cleared_first:
        table.clear(ALERT)
    assert table.last(DealerPrompted).steps[0].amount_cents == 500_000
    assert table.command_press(Button.NEXT).accepted


def test_a_void_pays_nobody_so_nothing_is_left_to_verify() -> None:
    table = won()
    table.void()
    assert table.state.alert(table.state.alerts[0].alert) is not None
    table.put_back()
    assert [fact.alert for fact in table.said(AlertCleared)] == ["void-t7-1", ALERT]
    assert table.phase() is Phase.BETTING


def at_the_spots(table: Table) -> list[tuple[int | None, WagerName, PromptAction, int]]:
    """What the dealer does for a void, as its prompt says it and a ruling foretold it."""
    voided = table.last(RoundVoided)
    assert table.state.prompted.steps == voided.steps
    return [(step.seat, step.spot, step.action, step.amount_cents) for step in voided.steps]


@pytest.mark.parametrize("cleared", [True, False])
def test_a_void_takes_back_no_win_that_was_held_and_gives_its_stake_back(*, cleared: bool) -> None:
    """The dealer was told not to pay 5,000.00, and to take them back."""
    table = won()
    if cleared:
        table.clear(ALERT)
    table.void()
    lies = (1, WagerName.POKER_HAND, PromptAction.RETURN, 500)
    paid = (1, WagerName.POKER_HAND, PromptAction.TAKE, 500_000)
    assert at_the_spots(table) == [paid if cleared else lies, (2, WagerName.POKER_HAND, PromptAction.RETURN, 500)]
    undone = {(step.seat, step.action, step.amount_cents) for step in table.last(RoundVoided).undone}
    assert undone == {(1, PromptAction.TAKE, 500_000), (2, PromptAction.RETURN, 500)}  # what was said, in the books
    undo = public(table.state).ask
    assert undo is not None
    assert set(undo.undo) <= set(undo.steps)


def test_a_win_that_was_verified_while_the_round_stood_still_was_not_paid_either() -> None:
    table = won()
    table.press(Button.VOID)
    table.clear(ALERT)
    assert table.rule(Ruling.VOID).accepted
    assert at_the_spots(table)[0] == (1, WagerName.POKER_HAND, PromptAction.RETURN, 500)


def test_a_void_of_a_first_5_that_was_held_gives_both_stakes_back() -> None:
    table = BigDrawTable(ROYAL_DEALT).opened().bets(1, stake=2500)
    table.press()
    table.give_all().drawing((1, 0))
    table.void()
    back = PromptAction.RETURN
    assert at_the_spots(table) == [(1, WagerName.BIG_DRAW, back, 2500), (1, WagerName.FIRST_5, back, 2500)]


def test_a_void_of_a_fold_whose_bonus_was_held_gives_both_stakes_back() -> None:
    limits = LimitSchedule(((Day(0), Limits(verify_over=Cents(2000))),))
    table = with_bonuses(PAIR, NO_PAIR, limits=limits)
    decide(table, 1, Decision.FOLD)
    table.void()
    assert {action for _, _, action, _ in at_the_spots(table)} == {PromptAction.RETURN}
    assert [spot for seat, spot, _, _ in at_the_spots(table) if seat == 1] == [
        WagerName.ANTE,
        WagerName.TWO_CARD_BONUS,
    ]


def test_two_wins_of_one_seat_are_both_verified_before_it_is_paid(says: Says) -> None:
    limits = LimitSchedule(((TODAY, Limits(verify_over=Cents(900))),))
    table = Blackjack(limits=limits).deal("8c 9c 8d 8s")
    table.says(1, Decision.SPLIT, "Tc").says(1, Decision.STAND, "Td").says(1, Decision.STAND).finish()
    says(table.state.prompt)
    table.clear("verify-t7-1-seat-1-blackjack-hand-1")
    says(table.state.prompt)
    assert table.command_press(Button.NEXT).code == "verify-first"
    table.clear("verify-t7-1-seat-1-blackjack-hand-2")
    assert table.command_press(Button.NEXT).accepted


@pytest.mark.parametrize("reconciling", Reconciling)
def test_first_5_is_held_before_any_draw(reconciling: Reconciling) -> None:
    table = BigDrawTable(ROYAL_DEALT, reconciling=reconciling).opened().bets(1, stake=2500)
    table.press()
    table.give_all().drawing((1, 0))
    assert (table.phase(), table.last(FirstFiveSettled).wager.pays_cents) == (Phase.FIRST_FIVE, 500_000)
    assert table.command_press(Button.NEXT).code == "verify-first"
    assert table.clear("verify-t7-1-seat-1-first_5").accepted
    assert table.last(DealerPrompted).steps == (
        PromptStep(WagerName.FIRST_5, PromptAction.PAY, 500_000, SeatNumber(1)),
    )
    assert table.command_press(Button.NEXT).accepted
    assert table.phase() is not Phase.FIRST_FIVE


@pytest.mark.parametrize("reconciling", Reconciling)
def test_a_bonus_that_is_paid_at_a_fold_is_held_before_the_next_player_is_asked(reconciling: Reconciling) -> None:
    limits = LimitSchedule(((Day(0), Limits(verify_over=Cents(2000))),))
    table = with_bonuses(PAIR, NO_PAIR, limits=limits, reconciling=reconciling)
    decide(table, 1, Decision.FOLD)
    assert len(table.said(FoldSettled)) == 1
    assert decide(table, 2, Decision.FOLD).code == "fold-first"
    assert table.command_press(Button.NEXT).code == "verify-first"
    table.clear("verify-t7-1-seat-1-two_card_bonus")
    assert table.command_press(Button.NEXT).accepted
    assert table.last(DealerPrompted).seat == 2
