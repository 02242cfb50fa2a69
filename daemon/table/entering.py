"""Cards that a person read from the felt: taken as they are named, beside everything that is known, and said to be so.

What a sensor counted is not overruled by a word: an entry of another length is a slip until somebody says that the
hand itself is wrong. No message here names a card.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from daemon.table.draft import Draft, Refusal
from daemon.table.inputs import EnterCards, Request
from daemon.table.round_facts import CardsAsked, CardsEntered
from daemon.table.state import Hand, Round
from daemon.table.vocabulary import DEALER, Evidence, SeatNumber
from daemon.table.wording import place_name
from protocols.cards import Card, Face


def ask(draft: Draft, seat: SeatNumber, sentence: str) -> None:
    """Have the cards of a place entered."""
    draft.say(CardsAsked(seat))
    draft.prompt(sentence, seat=seat if seat > DEALER else None)


def not_asked(seat: SeatNumber) -> Refusal:
    """Nobody waits for these cards."""
    return Refusal("not-asked", f"the table asks for no cards of {place_name(seat)} now")


def unusable(draft: Draft, entered: EnterCards, wanted: int) -> Refusal | None:
    """Why cards that a person entered cannot be what lies there beside the others."""
    if len(entered.cards) != wanted:
        entered_instead = f"{len(entered.cards)} cards were entered and {wanted} belong there"
        return Refusal("wrong-count", f"{entered_instead}; if so many lie there, report a wrong count")
    others = {*_faces_elsewhere(draft.round, entered.seat), *draft.play.open_apart(draft.round, entered.seat)}
    if len(set(entered.cards)) < wanted or not others.isdisjoint(entered.cards):
        return Refusal(
            "duplicate-card", "a card was entered that is in this or another hand already; look again, or report it"
        )
    return None


def _faces_elsewhere(played: Round, seat: SeatNumber) -> Iterator[Face]:
    here = _position(played, seat)
    yield from (face for hand in played.hands if hand.position != here for face in hand.faces or ())


def put_cards(draft: Draft, entered: EnterCards, by: Request) -> Hand:
    """Take a person's word for a hand; the result says that it is one."""
    position = _position(draft.round, entered.seat)
    drawn, seen = draft.round.plan[position - 1].drawn, Evidence.ENTERED_BY_PERSON
    hand = Hand(entered.seat, position, len(entered.cards), entered.cards, seen, delivered=True, drawn=drawn)
    draft.round = replace(draft.round, hands=draft.round.with_hand(hand))
    draft.say(CardsEntered(entered.seat, by.who, by.role))
    return hand


def cards_wanted(played: Round, seat: SeatNumber) -> int:
    """How many cards the packet has that an entry for this place is taken for."""
    return played.plan[_position(played, seat) - 1].cards


def is_read(played: Round, seat: SeatNumber) -> bool:
    """Whether a device named every card of the packet that an entry for this place would replace."""
    hand = played.hand_at(_position(played, seat))
    return hand is not None and _is_known(hand) and hand.evidence is Evidence.SEEN_BY_DEVICE


def _position(played: Round, seat: SeatNumber) -> int:
    """Which of a seat's packets is meant: the first that is not known card by card, else the last."""
    places = [place for place, packet in enumerate(played.plan, start=1) if packet.seat == seat]
    return next((place for place in places if not _is_known(played.hand_at(place))), places[-1])


def _is_known(hand: Hand | None) -> bool:
    return hand is not None and hand.faces is not None and all(isinstance(face, Card) for face in hand.faces)
