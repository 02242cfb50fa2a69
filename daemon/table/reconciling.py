"""Reconciling, in the game's order: a seat's hand lies open, its spots are taken and paid, then the next.

In steps the table follows the dealer, who presses NEXT when a seat is done; or it runs through at once. A hand that
no device read is asked for when its seat's turn comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from daemon.frozen import replace
from daemon.rules.limits import Limits
from daemon.rules.results import Outcome
from daemon.table import alerts, entering, lifecycle
from daemon.table.draft import Draft, Refusal
from daemon.table.findings import stop_if_found
from daemon.table.inputs import EnterCards, Request
from daemon.table.round_facts import (
    DealerPrompted,
    HandSettled,
    PromptStep,
    SeatReconciled,
    SettledWager,
    WinToVerify,
)
from daemon.table.said import THEN_NEXT, Clause, Said, SaidId
from daemon.table.sentences import in_english
from daemon.table.settings import LargeWins, PayingStyle, Reconciling
from daemon.table.state import Phase, Round
from daemon.table.vocabulary import PromptAction, SeatNumber


def begin(draft: Draft) -> None:
    """Settle what is known and was not settled before, and open the first hand.

    Where winners share what the deal may pay, all hands of theirs are known before the first of them is settled.
    """
    draft.move_to(Phase.RECONCILING)
    before = {settled.seat for settled in draft.round.settled}
    hands = [hand for hand in draft.round.hands if hand.seat not in before and not hand.drawn]
    now = draft.play.settle(draft.state, hands)
    known = before | {settled.seat for settled in now}
    left = (seat for seat in draft.play.reconciled_in(draft.round) if seat not in draft.round.reconciled)
    unknown = next((seat for seat in left if seat not in known and _shares(draft.round, seat)), None)
    if unknown is not None:
        ask_cards(draft, unknown)
        return
    draft.round = replace(draft.round, settled=(*draft.round.settled, *now))
    _next_seat(draft)


def _shares(played: Round, seat: SeatNumber) -> bool:
    """Return whether a bet of this seat that is not settled is one on which the deal pays so much and no more."""
    said = {result.wager.wager for result in played.said if result.seat == seat}
    limited = {limit.wager for limit in played.limits.aggregates}
    return any(stake.wager in limited - said for stake in played.stakes_of(seat))


def _next_seat(draft: Draft) -> None:
    """Open seats until the dealer, or a person who reads cards, is waited for."""
    while True:
        seat = next(
            (seat for seat in draft.play.reconciled_in(draft.round) if seat not in draft.round.reconciled), None
        )
        if seat is None:
            draft.play.after_reconciling(draft)
            return
        if not _open_seat(draft, seat) or waits_for_next(draft):
            return
        mark_done(draft, seat)


def _open_seat(draft: Draft, seat: SeatNumber) -> bool:
    """Show a seat's hand and what it comes to; False when its cards have to be entered first."""
    draft.round = replace(draft.round, showing=seat)
    settled = next((hand for hand in draft.round.settled if hand.seat == seat), None)
    if settled is None:
        ask_cards(draft, seat)
        return False
    draft.say(settled)
    lifecycle.book(draft, seat, settled.wagers)
    verify_large_wins(draft, seat, settled.wagers)
    steps = tuple(step for wager in settled.wagers for step in spot_steps(wager, draft.state.settings.paying))
    what = _at_seat(settled, len(steps), draft.state.settings.paying)
    prompt_results(draft, what, of=len(settled.wagers), steps=steps, seat=seat)
    return True


def ask_cards(draft: Draft, seat: SeatNumber) -> None:
    """Nobody can know this hand before it lies open."""
    draft.round = replace(draft.round, showing=seat)
    entering.ask(draft, seat, Said(SaidId.ENTER_HAND, seat))


def mark_done(draft: Draft, seat: SeatNumber) -> None:
    """Note that the dealer is done with a seat."""
    draft.round = replace(draft.round, reconciled=(*draft.round.reconciled, seat), showing=None)
    draft.say(SeatReconciled(seat))


def resume(draft: Draft) -> None:
    """Go on at the seat that lay open when the round was held; what has been said of it is not said again."""
    draft.move_to(Phase.RECONCILING)
    seat = draft.round.showing
    hand = None if seat is None else draft.round.hand_of(seat)
    if seat is None:
        _next_seat(draft)
    elif _is_settled(draft, seat):
        go_on_with(draft, Said(SaidId.GO_ON_WITH_SEAT, seat), seat)
    elif hand is not None and hand.faces is not None:
        draft.play.allow(draft, hand)
        settle_entered(draft, seat)
    else:
        _open_seat(draft, seat)


def is_open(draft: Draft, seat: SeatNumber) -> bool:
    """Return whether this hand lies open and its cards are waited for."""
    return seat == draft.round.showing and not _is_settled(draft, seat)


def _is_settled(draft: Draft, seat: SeatNumber) -> bool:
    return any(settled.seat == seat for settled in draft.round.settled)


def next_pressed(draft: Draft, _: object) -> Refusal | None:
    """Go on: the dealer is done with the seat that lies open."""
    seat = draft.round.showing
    if seat is None or not _is_settled(draft, seat):
        return Refusal("cards-missing", Clause(SaidId.CARDS_FIRST, seat))
    refusal = not_verified(draft)
    if refusal is not None:
        return refusal
    mark_done(draft, seat)
    _next_seat(draft)
    return None


def enter_cards(draft: Draft, request: Request) -> Refusal | None:
    """Enter the hand that lies open, as a person read it."""
    action = request.action
    assert isinstance(action, EnterCards)
    if not is_open(draft, action.seat):
        return entering.not_asked(action.seat)
    refusal = entering.unusable(draft, action, entering.cards_wanted(draft.round, action.seat))
    if refusal is not None:
        return refusal
    hand = entering.put_cards(draft, action, request)
    if not stop_if_found(draft, draft.play.found_in(draft, hand)):
        settle_entered(draft, action.seat)
    return None


def settle_entered(draft: Draft, seat: SeatNumber) -> None:
    """Settle the hand that lies open, now that it is known, or have those entered first that share with it."""
    if _shares(draft.round, seat):
        begin(draft)
        return
    hand = draft.round.hand_of(seat)
    assert hand is not None
    draft.round = replace(draft.round, settled=(*draft.round.settled, *draft.play.settle(draft.state, (hand,))))
    if _open_seat(draft, seat) and not waits_for_next(draft):
        mark_done(draft, seat)
        _next_seat(draft)


def verify_large_wins(draft: Draft, seat: SeatNumber, wagers: Sequence[SettledWager]) -> None:
    """Raise an alert for a win above the threshold, before it is paid."""
    limits: Limits = draft.round.limits
    holds = draft.state.settings.large_wins is LargeWins.HOLD
    for wager in wagers:
        if wager.pays_cents > limits.verify_over:
            draft.say(WinToVerify(seat, wager.wager, wager.pays_cents, limits.verify_over))
            draft.raise_alert(alerts.verify_win(draft.round.id, seat, wager, draft.play.spot_names, holds=holds))


def prompt_results(
    draft: Draft, *said: Said, of: int, steps: tuple[PromptStep, ...], seat: SeatNumber | None = None
) -> None:
    """Tell the dealer what to do for the results that were just said, so many. Where a win is held, that waits."""
    every = (*said, THEN_NEXT) if waits_for_next(draft) else said
    told = DealerPrompted(in_english(every, steps, draft.play.spot_names), seat, steps, every)
    draft.round = replace(draft.round, when_verified=told, untold=of)
    tell_when_verified(draft)


def tell_when_verified(draft: Draft) -> None:
    """Tell the dealer what waited for large wins to be verified, or that they still have to be."""
    told, held = draft.round.when_verified, alerts.wins_held(draft.state)
    if told is not None and held:
        wins = tuple(
            Clause(SaidId.WINS, win.seat, hand=win.wager.hand, cents=win.wager.pays_cents, spot=win.wager.wager)
            for win in held
        )
        draft.prompt(Said(SaidId.VERIFY_FIRST, because=wins), seat=told.seat)
    elif told is not None:
        draft.round = replace(draft.round, when_verified=None, untold=0)
        draft.tell(told)


def go_on_with(draft: Draft, said: Said, seat: SeatNumber | None = None) -> None:
    """Go on where results were said before the round stood still."""
    if draft.round.when_verified is None:
        draft.prompt(said, THEN_NEXT, seat=seat)
    else:
        tell_when_verified(draft)


def not_verified(draft: Draft) -> Refusal | None:
    """Refuse to go on while a large win is held."""
    if not alerts.wins_held(draft.state):
        return None
    return Refusal("verify-first", Clause(SaidId.VERIFIED_FIRST, text=draft.state.prompt))


def spot_steps(wager: SettledWager, style: PayingStyle, seat: SeatNumber | None = None) -> tuple[PromptStep, ...]:
    """Return what the hands do at one spot. Of a part lost, pick and pay takes first, lay and pay gives back first.

    The steps name a seat where the prompt is not about one.
    """

    def step(action: PromptAction, amount_cents: int) -> PromptStep:
        return PromptStep(wager.wager, action, amount_cents, seat, hand=wager.hand, colour=wager.colour)

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


def _at_seat(settled: HandSettled, steps: int, style: PayingStyle) -> Said:
    if style is PayingStyle.PICK_AND_PAY:
        return Said(SaidId.DO_AND_PICK_UP, settled.seat, steps=steps)
    return Said(SaidId.LAY_AND_DO, settled.seat, later_steps=steps)


def waits_for_next(draft: Draft) -> bool:
    """Return whether the dealer says when results are paid: in steps, or because one of them is held."""
    return draft.state.settings.reconciling is Reconciling.STEP or bool(alerts.wins_held(draft.state))
