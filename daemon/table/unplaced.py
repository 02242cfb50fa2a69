"""Cards out of the shoe that lie in no hand on record: a person puts each where it belongs, or it is put aside.

The ledger holds for cards that a person names as well.
"""

from __future__ import annotations

from collections.abc import Collection

from daemon.frozen import replace
from daemon.table.draft import Draft, Refusal
from daemon.table.inputs import Request
from daemon.table.said import Clause, SaidId
from daemon.table.vocabulary import Actor
from protocols.cards import Card, Face, Misread


def supervisor_only(request: Request) -> Refusal | None:
    """Refuse a dealer: refusals tell what left a shoe unseen, and a hand that no device told of is only a word."""
    if request.role is Actor.SUPERVISOR:
        return None
    return Refusal("not-permitted", Clause(SaidId.SUPERVISOR_ENTERS))


def too_often(draft: Draft, more: tuple[Card, ...], face_down: Collection[Face] = ()) -> Refusal | None:
    """Refuse a card that the ledger has too often already, also from a person. The refusal names none.

    A card that lies `face_down` elsewhere is not held against them, or a guess would find it. The proof does. Both are
    looked up for every card, and compared in one step: a card that lies there takes no longer than one in the shoe.
    """
    shoe, unplaced = draft.state.shoe, list(draft.round.unplaced)
    assert shoe is not None
    for card in more:
        is_gone, is_hidden = shoe.has_no_more(card), card in face_down
        if card in unplaced:
            unplaced.remove(card)
        elif is_gone > is_hidden:
            return Refusal("card-too-often", Clause(SaidId.CARD_TOO_OFTEN))
        else:
            shoe = shoe.with_card(card)
    return None


def account_for(draft: Draft, card: Card) -> None:
    """Account for a card that left the shoe without a name or a place, else for one that left it unseen."""
    shoe, unplaced = draft.state.shoe, list(draft.round.unplaced)
    assert shoe is not None
    unnamed = next((face for face in unplaced if isinstance(face, Misread)), None)
    if card in unplaced:
        unplaced.remove(card)
    elif unnamed is not None:
        unplaced.remove(unnamed)
        draft.state = replace(draft.state, shoe=shoe.with_name(card))
    else:
        draft.state = replace(draft.state, shoe=shoe.with_card(card))
    draft.round = replace(draft.round, unplaced=tuple(unplaced))


def lies_nowhere(draft: Draft, *, is_due: bool) -> Refusal | None:
    """Refuse to put a card aside where one is due: then it is in the hand that waits for one."""
    if not (draft.round.unplaced and is_due):
        return None
    return Refusal("card-unplaced", Clause(SaidId.CARD_UNPLACED))


def put_aside(draft: Draft) -> None:
    """Go on without these cards. The ledger keeps that they are gone."""
    draft.round = replace(draft.round, unplaced=())
