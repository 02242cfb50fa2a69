"""Big Draw: First 5 is settled after the discards and before any draw.

First the losing bets are taken, of hands that stay face down; then the winning hands are exposed and paid, one by one,
from the right. Where no device read the hands, their players say who won: the dealer enters each winning hand, and
the dealer's NEXT says that nobody else won.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from daemon.rules.big_draw import HAND_CARDS
from daemon.rules.money import dollars
from daemon.rules.results import Outcome
from daemon.rules.wagers import WagerName
from daemon.table import entering, lifecycle, reconciling
from daemon.table.big_draw.discards import draws_at_all
from daemon.table.big_draw.facts import FirstFiveSettled
from daemon.table.big_draw.settlement import house_of, settle_first_5, wager_of
from daemon.table.big_draw.state import deal_of
from daemon.table.draft import Draft, Refusal
from daemon.table.inputs import EnterCards, Request
from daemon.table.round_facts import PromptStep
from daemon.table.settings import Reconciling
from daemon.table.state import Hand, Phase
from daemon.table.vocabulary import PromptAction, SeatNumber


def begin(draft: Draft) -> None:
    """Settle First 5, or go on with it where the round stood still."""
    draft.move_to(Phase.FIRST_FIVE)
    unread = _unread(draft)
    if deal_of(draft.round).first_5 is None and unread:
        seats = ", ".join(str(hand.seat) for hand in unread)
        draft.prompt(f"First 5, seat {seats}: enter every winning hand. Next: the others lose.")
    elif deal_of(draft.round).first_5_said:
        draft.prompt("Go on with First 5. Then next.")
    else:
        _work_out(draft)


def enter_cards(draft: Draft, request: Request) -> Refusal | None:
    """The dealer read a hand whose player says that it won."""
    action = request.action
    assert isinstance(action, EnterCards)
    if deal_of(draft.round).first_5 is not None or all(hand.seat != action.seat for hand in _unread(draft)):
        return entering.not_asked(action.seat)
    refusal = entering.unusable(draft, action, HAND_CARDS)
    if refusal is None:
        entering.put_cards(draft, action, request)
    return refusal


def next_pressed(draft: Draft, _: object) -> Refusal | None:
    """Go on: the dealer has done what the prompt said."""
    if deal_of(draft.round).first_5 is None:
        _work_out(draft)
    else:
        _say_next(draft)
    return None


def _unread(draft: Draft) -> list[Hand]:
    """Hands with a First 5 bet to be settled now, whose cards nobody has read."""
    return [hand for hand in draft.round.hands if hand.faces is None and _is_due(draft, hand.seat)]


def _is_due(draft: Draft, seat: SeatNumber) -> bool:
    """A hand that nobody may look at before all draws is not."""
    waits = house_of(draft.state.settings).first_5_alone_waits and not draws_at_all(draft.round, seat)
    return not waits and wager_of(draft.round, seat, WagerName.FIRST_5) is not None


def _work_out(draft: Draft) -> None:
    """All of them at once, because what one deal may pay is shared; then losing ones first, each from the right."""
    hands = [hand for hand in draft.round.hands if hand.faces is not None or _is_due(draft, hand.seat)]
    results = sorted(settle_first_5(draft.state, hands), key=_losing_first_from_the_right)
    due = tuple(result for result in results if _is_due(draft, result.seat))
    waiting = tuple(result for result in results if not _is_due(draft, result.seat))
    draft.round = replace(draft.round, own=replace(deal_of(draft.round), first_5=due, first_5_waiting=waiting))
    _say_next(draft)


def _losing_first_from_the_right(result: FirstFiveSettled) -> tuple[bool, int]:
    return _wins(result), -result.seat


def _wins(result: FirstFiveSettled) -> bool:
    return result.wager.outcome is not Outcome.LOSE


def _say_next(draft: Draft) -> None:
    """Say what is next: all losing bets together, then one winning hand after the other."""
    while page := _next_page(draft):
        _say(draft, page)
        if draft.state.settings.reconciling is Reconciling.STEP:
            return
    draft.round = replace(draft.round, own=replace(deal_of(draft.round), first_5_over=True))
    draft.play.dealt(draft)


def _next_page(draft: Draft) -> Sequence[FirstFiveSettled]:
    own = deal_of(draft.round)
    left = (own.first_5 or ())[own.first_5_said :]
    return tuple(result for result in left if not _wins(result)) or left[:1]


def _say(draft: Draft, page: Sequence[FirstFiveSettled]) -> None:
    draft.round = replace(
        draft.round, own=replace(deal_of(draft.round), first_5_said=deal_of(draft.round).first_5_said + len(page))
    )
    for result in page:
        draft.say(result)
        lifecycle.book(draft, result.seat, (result.wager,))
        reconciling.verify_large_wins(draft, result.seat, (result.wager,))
    sentence = _sentence(page, reconciling.then_next(draft))
    draft.prompt(sentence, *map(_step, page), seat=page[0].seat if _wins(page[0]) else None)


def _step(result: FirstFiveSettled) -> PromptStep:
    wins = _wins(result)
    amount = result.wager.pays_cents if wins else result.wager.stake_cents
    return PromptStep(WagerName.FIRST_5, PromptAction.PAY if wins else PromptAction.TAKE, amount, result.seat)


def _sentence(page: Sequence[FirstFiveSettled], then: str) -> str:
    first = page[0]
    if _wins(first):
        amount = dollars(first.wager.pays_cents)
        return f"Seat {first.seat}: expose the hand as dealt, pay {amount} on FIRST 5.{then}"
    seats = ", ".join(str(result.seat) for result in page)
    return f"Take the losing FIRST 5 of seat {seats}; those hands stay face down.{then}"
