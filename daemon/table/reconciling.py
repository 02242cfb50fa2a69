"""Reconciling, in the game's order: a seat's hand lies open, its spots are taken and paid, then the next.

In steps the table follows the dealer, who presses NEXT when a seat is done; or it runs through at once. A hand that
no device read is asked for when its seat's turn comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from daemon.rules.limits import Limits
from daemon.rules.money import dollars
from daemon.rules.results import Outcome
from daemon.table import alerts, entering, lifecycle
from daemon.table.findings import act_on
from daemon.table.inputs import EnterCards, Request
from daemon.table.round_facts import (
    HandSettled,
    PromptStep,
    SeatReconciled,
    SettledWager,
    WinToVerify,
)
from daemon.table.settings import PayingStyle, Reconciling
from daemon.table.state import Phase
from daemon.table.turn import Refusal, Turn
from daemon.table.vocabulary import PromptAction, SeatNumber


def begin(turn: Turn) -> None:
    """Settle what is known and was not settled before, and open the first hand."""
    turn.move_to(Phase.RECONCILING)
    before = {settled.seat for settled in turn.round.settled}
    hands = [hand for hand in turn.round.hands if hand.seat not in before and not hand.drawn]
    turn.set_round(settled=(*turn.round.settled, *turn.play.settle(turn.state, hands)))
    _next_seat(turn)


def _next_seat(turn: Turn) -> None:
    """Open seats until the dealer, or a person who reads cards, is waited for."""
    while True:
        seat = next((seat for seat in turn.play.reconciled_in(turn.round) if seat not in turn.round.reconciled), None)
        if seat is None:
            turn.play.reconciled(turn)
            return
        if not _open_seat(turn, seat) or turn.state.settings.reconciling is Reconciling.STEP:
            return
        _seat_done(turn, seat)


def _open_seat(turn: Turn, seat: SeatNumber) -> bool:
    """Show a seat's hand and what it comes to; False when its cards have to be entered first."""
    turn.set_round(showing=seat)
    settled = next((hand for hand in turn.round.settled if hand.seat == seat), None)
    if settled is None:
        ask_cards(turn, seat)
        return False
    turn.say(settled)
    lifecycle.book(turn, seat, settled.wagers)
    verify_large_wins(turn, seat, settled.wagers)
    turn.prompt(_sentence(turn, settled), *_steps(settled, turn.state.settings.paying), seat=seat)
    return True


def ask_cards(turn: Turn, seat: SeatNumber) -> None:
    """Nobody can know this hand before it lies open."""
    turn.set_round(showing=seat)
    entering.ask(turn, seat, f"Seat {seat}: turn the hand over and enter its cards.")


def _seat_done(turn: Turn, seat: SeatNumber) -> None:
    turn.set_round(reconciled=(*turn.round.reconciled, seat), showing=None)
    turn.say(SeatReconciled(seat))


def resume(turn: Turn) -> None:
    """Go on at the seat that lay open when the round was held; what has been said of it is not said again."""
    turn.move_to(Phase.RECONCILING)
    seat = turn.round.showing
    hand = None if seat is None else turn.round.hand_of(seat)
    if seat is None:
        _next_seat(turn)
    elif _is_settled(turn, seat):
        turn.prompt(f"Go on with seat {seat}. Then next.", seat=seat)
    elif hand is not None and hand.faces is not None:
        turn.play.allow(turn, hand)
        settle_entered(turn, seat)
    else:
        _open_seat(turn, seat)


def is_open(turn: Turn, seat: SeatNumber) -> bool:
    """Whether this hand lies open and its cards are waited for."""
    return seat == turn.round.showing and not _is_settled(turn, seat)


def _is_settled(turn: Turn, seat: SeatNumber) -> bool:
    return any(settled.seat == seat for settled in turn.round.settled)


def next_pressed(turn: Turn, _: object) -> Refusal | None:
    """The dealer is done with the seat that lies open."""
    seat = turn.round.showing
    if seat is None or not _is_settled(turn, seat):
        return Refusal("cards-missing", f"enter the cards of seat {seat} first")
    _seat_done(turn, seat)
    _next_seat(turn)
    return None


def enter_cards(turn: Turn, request: Request) -> Refusal | None:
    """A person read the hand that lies open."""
    action = request.action
    assert isinstance(action, EnterCards)
    if not is_open(turn, action.seat):
        return entering.not_asked(action.seat)
    refusal = entering.unusable(turn, action, entering.cards_wanted(turn.round, action.seat))
    if refusal is not None:
        return refusal
    hand = entering.put_cards(turn, action, request)
    if not act_on(turn, turn.play.found_in(turn, hand)):
        settle_entered(turn, action.seat)
    return None


def settle_entered(turn: Turn, seat: SeatNumber) -> None:
    """The hand that lies open is known now."""
    hand = turn.round.hand_of(seat)
    assert hand is not None
    turn.set_round(settled=(*turn.round.settled, *turn.play.settle(turn.state, (hand,))))
    if _open_seat(turn, seat) and turn.state.settings.reconciling is Reconciling.THROUGH:
        _seat_done(turn, seat)
        _next_seat(turn)


def verify_large_wins(turn: Turn, seat: SeatNumber, wagers: Sequence[SettledWager]) -> None:
    """A win above the threshold is looked at before it is paid."""
    limits: Limits = turn.round.limits
    for wager in wagers:
        if wager.pays_cents > limits.verify_over:
            turn.say(WinToVerify(seat, wager.wager, wager.pays_cents, limits.verify_over))
            turn.raise_alert(alerts.verify_win(turn.round.id, seat, wager))


def _steps(settled: HandSettled, style: PayingStyle) -> tuple[PromptStep, ...]:
    return tuple(step for wager in settled.wagers for step in _spot_steps(wager, style))


def _spot_steps(wager: SettledWager, style: PayingStyle) -> tuple[PromptStep, ...]:
    """What the hands do at one spot. Of a part lost, pick and pay takes first, lay and pay gives back first."""

    def step(action: PromptAction, amount_cents: int) -> PromptStep:
        return PromptStep(wager.wager, action, amount_cents, hand=wager.hand)

    match wager.outcome:
        case Outcome.WIN:
            return (step(PromptAction.PAY, wager.pays_cents),)
        case Outcome.LOSE:
            return (step(PromptAction.TAKE, wager.stake_cents),)
        case Outcome.PUSH | Outcome.VOID:
            return (step(PromptAction.RETURN, wager.returned_cents),)
        case Outcome.PARTIAL:
            take, leave = step(PromptAction.TAKE, -wager.pays_cents), step(PromptAction.RETURN, wager.returned_cents)
            return (take, leave) if style is PayingStyle.PICK_AND_PAY else (leave, take)
        case _:
            assert_never(wager.outcome)


def _sentence(turn: Turn, settled: HandSettled) -> str:
    style = turn.state.settings.paying
    words = [
        f"{step.action.value} {dollars(step.amount_cents)} on {turn.play.spot_names[step.spot]}{hand_words(step)}"
        for step in _steps(settled, style)
        if step.amount_cents
    ]
    cards = "pick up the hand" if style is PayingStyle.PICK_AND_PAY else "lay the hand"
    ordered = [*words, cards] if style is PayingStyle.PICK_AND_PAY else [cards, *words]
    return f"Seat {settled.seat}: {', '.join(ordered)}. Then next."


def hand_words(step: PromptStep) -> str:
    """Which of a seat's hands a stake lies on, where it has several."""
    return "" if step.hand is None else f" of hand {step.hand}"
