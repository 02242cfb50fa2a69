"""Big Draw: First 5 is settled after the discards and before any draw.

First the losing bets are taken, of hands that stay face down; then the winning hands are exposed and paid, one by one,
from the right. A player who has won announces it (`claim`). What follows from a winning hand that is not announced is
an option of the house, the same for every device. It is paid: where no device read the hands, the dealer looks at them
and enters each that wins, and NEXT says that nobody else won. Or it is lost: the dealer asks before anything is
settled, NEXT ends the announcing, and nobody looks at the other hands. A hand that was announced and not read is always
entered.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from daemon.frozen import replace
from daemon.rules.big_draw import HAND_CARDS
from daemon.rules.results import Outcome
from daemon.rules.wagers import WagerName
from daemon.table import entering, lifecycle, reconciling
from daemon.table.big_draw.discards import draws_at_all
from daemon.table.big_draw.facts import FirstFiveClaimed, FirstFiveSettled
from daemon.table.big_draw.inputs import Claim
from daemon.table.big_draw.options import Unannounced
from daemon.table.big_draw.settlement import house_of, settle_first_5, wager_of
from daemon.table.big_draw.state import deal_of
from daemon.table.draft import Draft, Refusal
from daemon.table.inputs import EnterCards, Request
from daemon.table.said import Clause, Said, SaidId
from daemon.table.state import Hand, Phase
from daemon.table.vocabulary import SeatNumber


def begin(draft: Draft) -> None:
    """Settle First 5, or go on with it where the round stood still."""
    draft.move_to(Phase.FIRST_FIVE)
    if deal_of(draft.round).first_5 is None and _asks(draft):
        draft.prompt(*_question(draft))
    elif deal_of(draft.round).first_5_said:
        reconciling.go_on_with(draft, Said(SaidId.FIRST_5_GO_ON))
    else:
        _work_out(draft)


def claim(draft: Draft, request: Request) -> Refusal | None:
    """Take a player's word that the hand won, or that of somebody at the table who speaks for the player."""
    action = request.action
    assert isinstance(action, Claim)
    refusal = _cannot_claim(draft, action.seat)
    if refusal is not None:
        return refusal
    own = deal_of(draft.round)
    draft.round = replace(draft.round, own=replace(own, claims=(*own.claims, action.seat)))
    draft.say(FirstFiveClaimed(action.seat, request.who, request.role))
    if draft.state.phase is Phase.FIRST_FIVE:
        draft.prompt(*_question(draft))
    return None


def _cannot_claim(draft: Draft, seat: SeatNumber) -> Refusal | None:
    own = deal_of(draft.round)
    if wager_of(draft.round, seat, WagerName.FIRST_5) is None:
        return Refusal("nothing-there", Clause(SaidId.NO_FIRST_5, seat))
    if not _is_due(draft, seat):
        return Refusal("not-offered", Clause(SaidId.NOBODY_LOOKS, seat))
    if own.first_5 is not None:
        return Refusal("too-late", Clause(SaidId.FIRST_5_SETTLED))
    if seat in own.claims:
        return Refusal("already-announced", Clause(SaidId.ALREADY_ANNOUNCED, seat))
    return None


def _asks(draft: Draft) -> bool:
    """Return whether the dealer is waited for before First 5 is settled."""
    return bool(_announced_unread(draft) or (_due_seats(draft) if _loses_unannounced(draft) else _unread(draft)))


def _question(draft: Draft) -> tuple[Said, ...]:
    """Return what is announced or entered now, and what next means once every announced hand is known."""
    to_enter, claims = _announced_unread(draft), deal_of(draft.round).claims
    if _loses_unannounced(draft):
        silent = [seat for seat in _due_seats(draft) if seat not in claims]
        asked, then = SaidId.FIRST_5_MAY_ANNOUNCE, SaidId.FIRST_5_NEXT_UNANNOUNCED_LOSE
    else:
        silent = [hand.seat for hand in _unread(draft) if hand.seat not in claims]
        asked, then = SaidId.FIRST_5_LOOK, SaidId.FIRST_5_NEXT_OTHERS_LOSE
    of_silent = Said(asked, seats=tuple(silent)) if silent else Said(SaidId.FIRST_5)
    return of_silent, Said(SaidId.FIRST_5_ENTER, seats=tuple(to_enter)) if to_enter else Said(then)


def _loses_unannounced(draft: Draft) -> bool:
    return house_of(draft.state.settings).unannounced_first_5 is Unannounced.LOST


def _due_seats(draft: Draft) -> list[SeatNumber]:
    return [seat for seat in draft.round.players if _is_due(draft, seat)]


def _announced_unread(draft: Draft) -> list[SeatNumber]:
    claims = deal_of(draft.round).claims
    return [hand.seat for hand in _unread(draft) if hand.seat in claims]


def enter_cards(draft: Draft, request: Request) -> Refusal | None:
    """Enter the hand that the dealer read, whose player says that it won."""
    action = request.action
    assert isinstance(action, EnterCards)
    if deal_of(draft.round).first_5 is not None or all(hand.seat != action.seat for hand in _unread(draft)):
        return entering.not_asked(action.seat)
    if _loses_unannounced(draft) and action.seat not in deal_of(draft.round).claims:
        return Refusal("not-announced", Clause(SaidId.NOT_ANNOUNCED, action.seat))
    refusal = entering.unusable(draft, action, HAND_CARDS)
    if refusal is None:
        entering.put_cards(draft, action, request)
        if _asks(draft):
            draft.prompt(*_question(draft))
    return refusal


def next_pressed(draft: Draft, _: object) -> Refusal | None:
    """Go on: the dealer has done what the prompt said."""
    refusal = reconciling.not_verified(draft)
    if refusal is not None:
        return refusal
    if deal_of(draft.round).first_5 is not None:
        _say_next(draft)
        return None
    missing = _announced_unread(draft)
    if missing:
        return Refusal("cards-missing", Clause(SaidId.ANNOUNCED_FIRST, seats=tuple(missing)))
    _work_out(draft)
    return None


def _unread(draft: Draft) -> list[Hand]:
    """Return hands with a First 5 bet to be settled now, whose cards nobody has read."""
    return [hand for hand in draft.round.hands if hand.faces is None and _is_due(draft, hand.seat)]


def _is_due(draft: Draft, seat: SeatNumber) -> bool:
    """Return whether First 5 is due: not on a hand that nobody may look at before all draws."""
    waits = house_of(draft.state.settings).first_5_alone_waits and not draws_at_all(draft.round, seat)
    return not waits and wager_of(draft.round, seat, WagerName.FIRST_5) is not None


def _work_out(draft: Draft) -> None:
    """Settle all at once, because they share what one deal may pay. Order them: losing ones first, from the right."""
    hands = [hand for hand in draft.round.hands if hand.faces is not None or _is_due(draft, hand.seat)]
    claims = deal_of(draft.round).claims
    unannounced = [seat for seat in _due_seats(draft) if _loses_unannounced(draft) and seat not in claims]
    # Losing bets first, from the dealer's right.
    results = sorted(settle_first_5(draft.state, hands, unannounced), key=lambda result: (_wins(result), -result.seat))
    due = tuple(result for result in results if _is_due(draft, result.seat))
    waiting = tuple(result for result in results if not _is_due(draft, result.seat))
    draft.round = replace(draft.round, own=replace(deal_of(draft.round), first_5=due, first_5_waiting=waiting))
    _say_next(draft)


def _wins(result: FirstFiveSettled) -> bool:
    return result.wager.outcome is not Outcome.LOSE


def _say_next(draft: Draft) -> None:
    """Say what is next: all losing bets together, then one winning hand after the other."""
    while page := _next_page(draft):
        _say(draft, page)
        if reconciling.waits_for_next(draft):
            return
    draft.round = replace(draft.round, own=replace(deal_of(draft.round), first_5_over=True))
    draft.play.after_deal(draft)


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
    seat, said = page[0].seat if _wins(page[0]) else None, _sentences(page, deal_of(draft.round).claims)
    paying = draft.state.settings.paying
    steps = [step for result in page for step in reconciling.spot_steps(result.wager, paying, result.seat)]
    reconciling.prompt_results(draft, *said, of=len(page), steps=tuple(steps), seat=seat)


def _sentences(page: Sequence[FirstFiveSettled], claims: Collection[SeatNumber]) -> tuple[Said, ...]:
    first = page[0]
    if first.wager.outcome in (Outcome.PUSH, Outcome.PARTIAL):  # by a paytable of the house's own
        steps = 1 if first.wager.outcome is Outcome.PUSH else 2
        return (Said(SaidId.DO_AT_SEAT, first.seat, steps=steps),)
    if _wins(first):
        what = SaidId.FIRST_5_PAY if first.seat in claims else SaidId.FIRST_5_PAY_UNANNOUNCED
        return (Said(what, first.seat, cents=first.wager.pays_cents),)
    taken = Said(SaidId.FIRST_5_TAKE, seats=tuple(result.seat for result in page))
    mistaken = tuple(result.seat for result in page if result.seat in claims)
    return (taken, Said(SaidId.FIRST_5_MISTAKEN, seats=mistaken)) if mistaken else (taken,)
