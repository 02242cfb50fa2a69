"""Big Draw: which five cards a player holds after the draw, as far as anybody knows.

A device reads what is dealt and drawn, and nobody reads what is given up. So the hand after the draw is known by
itself only when all or none of the five were given up. Otherwise somebody names the discards, or enters the hand when
it is turned over; what is entered has to be the cards that were kept and every card that was drawn.
"""

from __future__ import annotations

from collections.abc import Iterable

from daemon.rules.big_draw import HAND_CARDS
from daemon.table import entering
from daemon.table.big_draw.state import FinalHand, PlayerDraw, own_of
from daemon.table.draft import Draft, Refusal
from daemon.table.inputs import EnterCards
from daemon.table.said import Clause, SaidId
from daemon.table.state import Hand, Round
from daemon.table.vocabulary import Evidence, Irregularity, SeatNumber
from protocols.cards import Card


def named_cards(hand: Hand | None) -> tuple[Card, ...] | None:
    """Return a packet's cards, if every one of them is known."""
    faces = None if hand is None else hand.faces
    if faces is None:
        return None
    cards = tuple(face for face in faces if isinstance(face, Card))
    return cards if len(cards) == len(faces) else None


def draw_of(played: Round, seat: SeatNumber) -> PlayerDraw:
    """Return what a seat gave up; a hand that is not drawn to gives up nothing."""
    own = own_of(played)
    said = None if own is None else own.draw_of(seat)
    return said or PlayerDraw(seat, cards=0)


def is_drawn(played: Round, seat: SeatNumber) -> bool:
    """Return whether a seat has all the cards that it will get."""
    drawn = played.drawn_by(seat)
    return draw_of(played, seat).cards == 0 or (drawn is not None and drawn.delivered)


def final_of(played: Round, seat: SeatNumber) -> FinalHand | None:
    """Return the hand after the draw, if it is known."""
    own = own_of(played)
    entered = next((final for final in own.finals if final.seat == seat), None) if own is not None else None
    return entered or _worked_out(played, seat)


def _worked_out(played: Round, seat: SeatNumber) -> FinalHand | None:
    draw, dealt, drawn = draw_of(played, seat), played.hand_of(seat), played.drawn_by(seat)
    first, new = named_cards(dealt), named_cards(drawn)
    if not is_drawn(played, seat):
        return None
    if draw.cards == 0 and dealt is not None and first is not None:
        return FinalHand(seat, first, dealt.evidence)
    if draw.cards == HAND_CARDS and drawn is not None and new is not None:
        return FinalHand(seat, new, drawn.evidence)
    if draw.discarded and first is not None and new is not None and set(draw.discarded) <= set(first):
        kept = tuple(card for card in first if card not in draw.discarded)
        return FinalHand(seat, (*kept, *new), Evidence.ENTERED_BY_PERSON)
    return None


def cannot_be(draft: Draft, entered: EnterCards) -> Refusal | None:
    """Return why these cards cannot be the hand after the draw of this seat, or None. It names no card."""
    played, seat, cards = draft.round, entered.seat, entered.cards
    if len(cards) != HAND_CARDS:
        return entering.wrong_count(draft, entered, HAND_CARDS)
    if len(set(cards)) < HAND_CARDS or set(cards) & {*entering.open_elsewhere(draft, seat), *_entered(played, seat)}:
        return entering.duplicate(draft, entered)
    draws = draw_of(played, seat).cards
    if not _is_kept_and_drawn(played, seat, set(cards), draws):
        foul, kept = Irregularity.FOUL_HAND.value, HAND_CARDS - draws
        return Refusal("not-this-hand", Clause(SaidId.NOT_THIS_HAND, seat, count=draws, left=kept, word=foul))
    return None


def _is_kept_and_drawn(played: Round, seat: SeatNumber, cards: set[Card], draws: int) -> bool:
    first, drawn = named_cards(played.hand_of(seat)), named_cards(played.drawn_by(seat))
    kept_fits = first is None or len(cards & set(first)) == HAND_CARDS - draws
    return kept_fits and set(drawn or ()) <= cards


def _entered(played: Round, seat: SeatNumber) -> Iterable[Card]:
    """Return the hands of other seats that were entered after the draw: they lie open."""
    own = own_of(played)
    finals = () if own is None else own.finals
    return (card for final in finals if final.seat != seat for card in final.cards)
