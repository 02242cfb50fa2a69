"""Whether the cards that lie there can be a hand at all.

Counting comes before reading: a hand with a card too many is void whatever the cards are. Messages say which
hand and how many cards, never which card, because they go to people before the cards do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from daemon.rules.results import Irregularity, VoidReason
from protocols.cards import Card, Face, Misread
from protocols.frozen import dataclass

_REASONS: Final = {
    Misread.UNREADABLE: VoidReason.UNREADABLE_CARD,
    Misread.BOXED: VoidReason.BOXED_CARD,
    Misread.FOREIGN: VoidReason.FOREIGN_CARD,
}


@dataclass(frozen=True, slots=True)
class Dealt:
    """The faces that lie in one place, and how many the rules want there."""

    place: str
    faces: Sequence[Face]
    count: int


def named(faces: Iterable[Face]) -> tuple[Card, ...]:
    """Return the cards among faces; all of them when `irregularity` found nothing."""
    return tuple(face for face in faces if isinstance(face, Card))


def irregularity(*hands: Dealt, decks: int = 1) -> Irregularity | None:
    """Return the first thing wrong with the cards on the table: a count, a misread, then a card too often."""
    return next(_wrong(hands, decks), None)


def _wrong(hands: Sequence[Dealt], decks: int) -> Iterator[Irregularity]:
    for hand in hands:
        if len(hand.faces) != hand.count:
            detail = f"{hand.place}: {len(hand.faces)} card{'' if len(hand.faces) == 1 else 's'}, not {hand.count}"
            yield Irregularity(VoidReason.WRONG_COUNT, detail)
    for hand in hands:
        for face in hand.faces:
            if isinstance(face, Misread):
                yield Irregularity(_REASONS[face], f"{hand.place}: a card that could not be named")
    seen: dict[Card, int] = {}
    for hand in hands:
        for card in named(hand.faces):
            seen[card] = seen.get(card, 0) + 1
            if seen[card] > decks:
                detail = f"{hand.place}: a card that lies on the table {seen[card]} times, from {decks} deck(s)"
                yield Irregularity(VoidReason.DUPLICATE_CARD, detail)
