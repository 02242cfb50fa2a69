"""A void after results were said: what was paid is taken back, what was taken goes back, and the money balances."""

from __future__ import annotations

from daemon.rules.results import Outcome
from daemon.rules.wagers import WagerName
from daemon.table.round_facts import HandSettled, PromptStep, RoundVoided
from daemon.table.vocabulary import PromptAction, SeatNumber
from drivers.events import Button
from protocols.cards import DECK, parse_cards
from tests.table.playing import Table

FLUSH = parse_cards("2c 5c 7c 9c Jc")
NOTHING = parse_cards("2d 5h 7s 9h Kd")


def two_hands() -> Table:
    """A losing hand at seat 1; a winning one at seat 2, which is reconciled first."""
    first = (*NOTHING, *FLUSH)
    return Table(deck=(*first, *(card for card in DECK if card not in first))).reconciling(1, 2)


def undone(table: Table) -> list[tuple[int | None, PromptAction, int]]:
    return [(step.seat, step.action, step.amount_cents) for step in table.last(RoundVoided).undone]


def test_what_was_paid_is_taken_back() -> None:
    table = two_hands()
    (paid,) = table.last(HandSettled).wagers
    assert paid.outcome is Outcome.WIN
    table.void()
    assert table.last(RoundVoided).undone == (
        PromptStep(WagerName.POKER_HAND, PromptAction.TAKE, paid.pays_cents, SeatNumber(2)),
    )


def test_what_was_taken_goes_back_in_the_order_in_which_it_was_said() -> None:
    table = two_hands()
    table.press(Button.NEXT)
    table.void()
    assert undone(table) == [(2, PromptAction.TAKE, 5000), (1, PromptAction.RETURN, 500)]


def test_after_it_everybody_has_his_stake_and_nothing_else() -> None:
    table = two_hands()
    table.press(Button.NEXT)
    given = sum(wager.returned_cents for hand in table.said(HandSettled) for wager in hand.wagers)
    table.void()
    voided = table.last(RoundVoided)
    corrected = sum(
        step.amount_cents if step.action is PromptAction.RETURN else -step.amount_cents for step in voided.undone
    )
    assert given + corrected == voided.returned_cents == 1000


def test_a_void_before_any_result_undoes_nothing() -> None:
    table = Table().dealt(1, 2)
    table.void()
    assert table.last(RoundVoided).undone == ()
