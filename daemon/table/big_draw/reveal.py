"""Big Draw: hands after the draw are turned over from the button on, and entered where nobody could know them.

Where one deal's winnings are limited all of them are entered before the first is settled, because the winners share.
"""

from __future__ import annotations

from daemon.frozen import replace
from daemon.rules.wagers import WagerName
from daemon.table import entering, reconciling
from daemon.table.big_draw.draws import in_order
from daemon.table.big_draw.hands import cannot_be, final_of
from daemon.table.big_draw.state import FinalHand, deal_of
from daemon.table.draft import Draft, Refusal
from daemon.table.inputs import EnterCards, Request
from daemon.table.round_facts import CardsEntered
from daemon.table.state import Phase, Round
from daemon.table.vocabulary import Evidence


def begin(draft: Draft) -> None:
    """Begin to open hands, when the deck is accounted for."""
    unknown = (seat for seat in in_order(draft.round) if final_of(draft.round, seat) is None)
    seat = next(unknown, None) if _is_shared(draft.round) else None
    if seat is None:
        reconciling.begin(draft)
    else:
        draft.move_to(Phase.RECONCILING)
        reconciling.ask_cards(draft, seat)


def _is_shared(played: Round) -> bool:
    return any(limit.wager is WagerName.BIG_DRAW for limit in played.limits.aggregates)


def enter_cards(draft: Draft, request: Request) -> Refusal | None:
    """Enter the hand that lies open, as a person read it."""
    action = request.action
    assert isinstance(action, EnterCards)
    if not reconciling.is_open(draft, action.seat):
        return entering.not_asked(action.seat)
    refusal = cannot_be(draft, action)
    if refusal is not None:
        return refusal
    final = FinalHand(action.seat, action.cards, Evidence.ENTERED_BY_PERSON)
    draft.round = replace(draft.round, own=replace(deal_of(draft.round), finals=(*deal_of(draft.round).finals, final)))
    draft.say(CardsEntered(action.seat, request.who, request.role))
    if _is_shared(draft.round) and not draft.round.settled:
        begin(draft)
    else:
        reconciling.settle_entered(draft, action.seat)
    return None
