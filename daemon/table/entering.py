"""Cards that a person read from the felt: taken as they are named, and said to be so.

What a sensor counted is not overruled by a word: an entry of another length is a slip until somebody says that the
hand itself is wrong. No message here names a card.

An entry is compared with cards that lie open, and with no other. To refuse a card because it lies face down elsewhere
would tell what lies there. The proof compares all of them, once for everybody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from daemon.frozen import replace
from daemon.table.draft import Draft, Refusal
from daemon.table.inputs import EnterCards, Request
from daemon.table.round_facts import CardsAsked, CardsEntered
from daemon.table.said import Clause, Said, SaidId
from daemon.table.state import AWAITS_RULING, Hand, Round
from daemon.table.vocabulary import COMMUNITY, DEALER, Evidence, Irregularity, SeatNumber
from protocols.cards import Card, Face


def ask(draft: Draft, seat: SeatNumber, *said: Said) -> None:
    """Have the cards of a place entered."""
    draft.say(CardsAsked(seat))
    draft.prompt(*said, seat=seat if seat > DEALER else None)


def not_asked(seat: SeatNumber) -> Refusal:
    """Nobody waits for these cards."""
    return Refusal("not-asked", Clause(SaidId.NOT_ASKED, seat))


def unusable(draft: Draft, entered: EnterCards, wanted: int) -> Refusal | None:
    """Return why cards that a person entered cannot be what lies there beside the others."""
    if len(entered.cards) != wanted:
        return wrong_count(draft, entered, wanted)
    if len(set(entered.cards)) < wanted or not set(open_elsewhere(draft, entered.seat)).isdisjoint(entered.cards):
        return duplicate(draft, entered)
    return None


def wrong_count(draft: Draft, entered: EnterCards, wanted: int) -> Refusal:
    """Refuse an entry of another number of cards than belongs there. It is a slip until somebody reports it."""
    then = _report(draft, entered, Irregularity.WRONG_COUNT)
    return Refusal(
        "wrong-count", Said(SaidId.ENTERED_WRONG_COUNT, count=len(entered.cards), wanted=wanted, because=(then,))
    )


def duplicate(draft: Draft, entered: EnterCards) -> Refusal:
    """Refuse a card that cannot be there once more."""
    then = _report(draft, entered, Irregularity.DUPLICATE_CARD)
    return Refusal("duplicate-card", Said(SaidId.ENTERED_TWICE, because=(then,)))


def _report(draft: Draft, entered: EnterCards, irregularity: Irregularity) -> Clause:
    """Return what a person does who looked again. A round that stands still takes no report."""
    if draft.state.phase in AWAITS_RULING:
        return Clause(SaidId.SUPERVISOR_VOIDS)
    return Clause(SaidId.REPORT_AT, entered.seat, word=irregularity.value)


def open_elsewhere(draft: Draft, seat: SeatNumber) -> Iterator[Face]:
    """Give the cards of other places that anybody at the table can see now."""
    played, picture = draft.round, draft.play.picture(draft.state)
    yield from () if seat == DEALER else picture.dealer_cards
    yield from () if seat == COMMUNITY else picture.community_cards
    yield from (face for hand in played.hands if hand.is_open and hand.seat != seat for face in hand.faces or ())
    shown = {*played.reconciled, played.showing} - {seat}
    yield from (face for settled in played.settled if settled.seat in shown for face in settled.cards)


def put_cards(draft: Draft, entered: EnterCards, by: Request, *, is_open: bool = True) -> Hand:
    """Take a person's word for a hand; the result says that it is one."""
    position = _position(draft.round, entered.seat)
    drawn, seen = draft.round.plan[position - 1].drawn, Evidence.ENTERED_BY_PERSON
    before = draft.round.hand_at(position)
    read, counted = _read_by_device(before), before is not None and before.is_counted
    hand = Hand(entered.seat, position, len(entered.cards), entered.cards, seen, True, drawn, is_open, read, counted)
    draft.round = replace(draft.round, hands=draft.round.with_hand(hand))
    draft.say(CardsEntered(entered.seat, by.who, by.role))
    return hand


def cards_wanted(played: Round, seat: SeatNumber) -> int:
    """Return how many cards the packet has that an entry for this place is taken for."""
    return played.plan[_position(played, seat) - 1].cards


def hand_meant(played: Round, seat: SeatNumber) -> Hand | None:
    """Return the packet that an entry for this place would replace, if it is on record."""
    return played.hand_at(_position(played, seat))


def otherwise(played: Round) -> Iterator[Hand]:
    """Give the hands that were entered without a card that a device had named in them.

    The entry itself is not refused: that would tell somebody who guesses what lies there face down.
    """
    for hand in played.hands:
        named = Counter[Face](face for face in hand.read if isinstance(face, Card))
        if named - Counter(hand.faces or ()):
            yield hand


def _read_by_device(before: Hand | None) -> tuple[Face, ...]:
    if before is None:
        return ()
    return before.read if before.evidence is Evidence.ENTERED_BY_PERSON else before.faces or ()


def is_read(hand: Hand) -> bool:
    """Return whether a device named every card of it."""
    return _is_known(hand) and hand.evidence is Evidence.SEEN_BY_DEVICE


def _position(played: Round, seat: SeatNumber) -> int:
    """Return which of a seat's packets is meant: the first that is not known card by card, else the last."""
    places = [place for place, packet in enumerate(played.plan, start=1) if packet.seat == seat]
    return next((place for place in places if not _is_known(played.hand_at(place))), places[-1])


def _is_known(hand: Hand | None) -> bool:
    return hand is not None and hand.faces is not None and all(isinstance(face, Card) for face in hand.faces)
