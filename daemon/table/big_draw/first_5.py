"""Big Draw: First 5 is settled after the discards and before any draw.

First the losing bets are taken, of hands that stay face down; then the winning hands are exposed and paid, one by one,
from the right. Where no device read the hands, their players say who won: the dealer enters each winning hand, and
his NEXT says that nobody else did.
"""

from __future__ import annotations

from collections.abc import Sequence

from daemon.rules.big_draw import HAND_CARDS
from daemon.rules.money import dollars
from daemon.rules.results import Outcome
from daemon.rules.wagers import WagerName
from daemon.table import entering, lifecycle, reconciling
from daemon.table.big_draw.discards import draws_at_all
from daemon.table.big_draw.facts import FirstFiveSettled
from daemon.table.big_draw.settlement import settle_first_5, wager_of
from daemon.table.inputs import EnterCards, Request
from daemon.table.round_facts import PromptStep
from daemon.table.settings import BigDrawSettings, Reconciling
from daemon.table.state import Hand, Phase
from daemon.table.turn import Refusal, Turn
from daemon.table.vocabulary import PromptAction, SeatNumber


def begin(turn: Turn) -> None:
    """Settle First 5, or go on with it where the round stood still."""
    turn.move_to(Phase.FIRST_FIVE)
    unread = _unread(turn)
    if turn.big_draw.first_5 is None and unread:
        seats = ", ".join(str(hand.seat) for hand in unread)
        turn.prompt(f"First 5, seat {seats}: enter every winning hand. Next: the others lose.")
    elif turn.big_draw.first_5_said:
        turn.prompt("Go on with First 5. Then next.")
    else:
        _work_out(turn)


def enter_cards(turn: Turn, request: Request) -> Refusal | None:
    """The dealer read a hand whose player says that it won."""
    action = request.action
    assert isinstance(action, EnterCards)
    if turn.big_draw.first_5 is not None or all(hand.seat != action.seat for hand in _unread(turn)):
        return entering.not_asked(action.seat)
    refusal = entering.unusable(turn, action, HAND_CARDS)
    if refusal is None:
        entering.put_cards(turn, action, request)
    return refusal


def next_pressed(turn: Turn, _: object) -> Refusal | None:
    """The dealer is done with what he was told."""
    if turn.big_draw.first_5 is None:
        _work_out(turn)
    else:
        _say_next(turn)
    return None


def _unread(turn: Turn) -> list[Hand]:
    """Hands with a First 5 bet to be settled now, whose cards nobody has read."""
    return [hand for hand in turn.round.hands if hand.faces is None and _is_due(turn, hand.seat)]


def _is_due(turn: Turn, seat: SeatNumber) -> bool:
    """A hand that nobody may look at before all draws is not."""
    options = turn.state.settings.options
    assert isinstance(options, BigDrawSettings)
    waits = options.first_5_alone_waits and not draws_at_all(turn.round, seat)
    return not waits and wager_of(turn.round, seat, WagerName.FIRST_5) is not None


def _work_out(turn: Turn) -> None:
    """All of them at once, because what one deal may pay is shared; then losing ones first, each from the right."""
    hands = [hand for hand in turn.round.hands if hand.faces is not None or _is_due(turn, hand.seat)]
    results = sorted(settle_first_5(turn.state, hands), key=_losing_first_from_the_right)
    due = tuple(result for result in results if _is_due(turn, result.seat))
    waiting = tuple(result for result in results if not _is_due(turn, result.seat))
    turn.set_big_draw(first_5=due, first_5_waiting=waiting)
    _say_next(turn)


def _losing_first_from_the_right(result: FirstFiveSettled) -> tuple[bool, int]:
    return _wins(result), -result.seat


def _wins(result: FirstFiveSettled) -> bool:
    return result.wager.outcome is not Outcome.LOSE


def _say_next(turn: Turn) -> None:
    """Say what is next: all losing bets together, then one winning hand after the other."""
    while page := _next_page(turn):
        _say(turn, page)
        if turn.state.settings.reconciling is Reconciling.STEP:
            return
    turn.set_big_draw(first_5_over=True)
    turn.play.dealt(turn)


def _next_page(turn: Turn) -> Sequence[FirstFiveSettled]:
    own = turn.big_draw
    left = (own.first_5 or ())[own.first_5_said :]
    return tuple(result for result in left if not _wins(result)) or left[:1]


def _say(turn: Turn, page: Sequence[FirstFiveSettled]) -> None:
    turn.set_big_draw(first_5_said=turn.big_draw.first_5_said + len(page))
    for result in page:
        turn.say(result)
        lifecycle.book(turn, result.seat, (result.wager,))
        reconciling.verify_large_wins(turn, result.seat, (result.wager,))
    turn.prompt(_sentence(page), *map(_step, page), seat=page[0].seat if _wins(page[0]) else None)


def _step(result: FirstFiveSettled) -> PromptStep:
    wins = _wins(result)
    amount = result.wager.pays_cents if wins else result.wager.stake_cents
    return PromptStep(WagerName.FIRST_5, PromptAction.PAY if wins else PromptAction.TAKE, amount, result.seat)


def _sentence(page: Sequence[FirstFiveSettled]) -> str:
    first = page[0]
    if _wins(first):
        amount = dollars(first.wager.pays_cents)
        return f"Seat {first.seat}: expose the hand as dealt, pay {amount} on FIRST 5. Then next."
    seats = ", ".join(str(result.seat) for result in page)
    return f"Take the losing FIRST 5 of seat {seats}; those hands stay face down. Then next."
