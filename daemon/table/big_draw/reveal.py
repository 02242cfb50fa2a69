"""Big Draw: hands after the draw are turned over from the button on, and entered where nobody could know them."""

from __future__ import annotations

from daemon.frozen import replace
from daemon.table import entering, reconciling
from daemon.table.big_draw.hands import cannot_be
from daemon.table.big_draw.state import FinalHand, deal_of
from daemon.table.draft import Draft, Refusal
from daemon.table.inputs import EnterCards, Request
from daemon.table.round_facts import CardsEntered
from daemon.table.vocabulary import Evidence


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
    reconciling.settle_entered(draft, action.seat)
    return None
