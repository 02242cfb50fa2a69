"""Decks: pieces of pasteboard, and the order that a shuffle leaves them in.

A `Piece` is one physical card. What is printed on it and what a reader makes of it are two things: a piece can
lie face to back, be worn beyond reading, or come from another deck. Pieces keep their number for as long as the
deck lives, so that a test can count pasteboard and not faces.

A shuffle is a pure function of a seed, the number of the shuffle and each piece's slot: every slot gets a SHA-256
key, and the pieces lie in the order of their keys. Nothing else takes part: no generator whose state a fault or
a late command could advance, and no hash seed. A piece that is missing therefore leaves all others in their
order, and one that was swapped lies where the original would have lain.

A script is a stacked deck: text that names the cards in the order in which they will be dealt. `...` as the last
word stands for the cards not named, in the order of the seed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from typing import Final

from protocols.cards import DECK, Card, Face, Misread, parse_face
from protocols.frozen import dataclass

REST: Final = "..."
NEXT_DECK: Final = "---"
COMMENT: Final = "#"
SCRIPT_CARDS_MAX: Final = 8 * len(DECK)
"""No table deals from more than eight decks at once."""


class Condition(Enum):
    """What is the matter with a piece of pasteboard."""

    SOUND = "sound"
    BOXED = "boxed"  # lies face to back among the others
    WORN = "worn"  # soiled or creased until no reader can name it
    FOREIGN = "foreign"  # of another deck


_MISREADS: Final[dict[Condition, Misread]] = {
    Condition.BOXED: Misread.BOXED,
    Condition.WORN: Misread.UNREADABLE,
    Condition.FOREIGN: Misread.FOREIGN,
}
_CONDITIONS: Final[dict[Misread, Condition]] = {misread: state for state, misread in _MISREADS.items()}


@dataclass(frozen=True, slots=True)
class Piece:
    """One physical card. `slot` decides where a shuffle lays it. `printed` is None if it cannot be known."""

    number: int
    slot: int
    printed: Card | None
    condition: Condition = Condition.SOUND

    @property
    def face(self) -> Face:
        """Return what a sound reader reports: the card, or why it cannot be named."""
        misread = _MISREADS.get(self.condition)
        if misread is not None:
            return misread
        return self.printed or Misread.UNREADABLE


@dataclass(frozen=True, slots=True)
class Deck:
    """What a dealer puts into a machine. A stacked deck lies in the order of its pieces after its first shuffle."""

    pieces: tuple[Piece, ...]
    stacked: bool = False


def standard_deck() -> Deck:
    """Return the 52 cards, every piece sound and in the slot of its card."""
    return Deck(tuple(Piece(card.index, card.index, card) for card in DECK))


def shuffled(pieces: Sequence[Piece], seed: int, shuffle: int) -> tuple[Piece, ...]:
    """Return the pieces in the order after shuffle number `shuffle` of this seed. Their order before has no effect."""
    return tuple(sorted(pieces, key=lambda piece: (draw(seed, shuffle, piece.slot), piece.number)))


def draw(seed: int, *place: int) -> bytes:
    """Return the random bytes of one place under a seed: always the same, and independent of every other place."""
    return hashlib.sha256("/".join(map(str, (seed, *place))).encode("ascii")).digest()


def choose(size: int, seed: int, *place: int) -> int:
    """Return a number below `size` for one place under a seed. The bias of the remainder is below 2**-240."""
    return int.from_bytes(draw(seed, *place), "big") % size


def in_condition(piece: Piece, condition: Condition) -> Piece:
    """Return the same piece in another condition."""
    return replace(piece, condition=condition)


def parse_script(text: str, seed: int = 0) -> tuple[Deck, ...]:
    """Read stacked decks, separated by lines of `---`. Raise ValueError with the line and what it may hold."""
    decks: list[list[str]] = [[]]
    for number, line in enumerate(text.splitlines(), start=1):
        words = _words(line)
        if words == [NEXT_DECK]:
            decks.append([])
        else:
            _check(words, number)
            decks[-1] += words
    return tuple(_stack(words, seed, place) for place, words in enumerate(decks, start=1))


def _words(line: str) -> list[str]:
    """Return the words of a line before its comment. A lone # begins a comment, and ## is a foreign card."""
    words = line.split()
    return words[: words.index(COMMENT)] if COMMENT in words else words


def _check(words: list[str], number: int) -> None:
    for word in words:
        if word == REST:
            continue
        try:
            parse_face(word)
        except ValueError as error:
            allowed = f"or one of {', '.join(str(mark) for mark in Misread)}, {REST}, {NEXT_DECK}"
            raise ValueError(f"line {number}: {word!r} is {error}; {allowed}") from None


def _stack(words: list[str], seed: int, place: int) -> Deck:
    if not words:
        raise ValueError(f"deck {place} of the script names no card")
    if REST in words[:-1]:
        raise ValueError(f"deck {place} of the script: {REST} can only be its last word")
    if len(words) > SCRIPT_CARDS_MAX:
        raise ValueError(f"deck {place} of the script has {len(words)} cards; at most {SCRIPT_CARDS_MAX}")
    named = _pieces([parse_face(word) for word in words if word != REST])
    rest = _unnamed(named, seed, place) if words[-1] == REST else ()
    return Deck((*named, *rest), stacked=True)


def _pieces(faces: Sequence[Face]) -> tuple[Piece, ...]:
    """Return a piece for each face. A card's first piece has the card's own slot and number, others lie beyond them."""
    pieces: list[Piece] = []
    used: set[int] = set()
    for place, face in enumerate(faces):
        own = face.index if isinstance(face, Card) and face.index not in used else len(DECK) + place
        used.add(own)
        pieces.append(_piece(own, face))
    return tuple(pieces)


def _piece(number: int, face: Face) -> Piece:
    match face:
        case Card():
            return Piece(number, number, face)
        case Misread():
            return Piece(number, number, None, _CONDITIONS[face])
        case _:
            raise TypeError(f"a face is a card or a misread, not {type(face).__name__}")


def _unnamed(named: Sequence[Piece], seed: int, place: int) -> tuple[Piece, ...]:
    """Return the cards that the script does not name. A misread in it stands for one of them, which the seed picks."""
    taken = {piece.printed for piece in named}
    left = shuffled([piece for piece in standard_deck().pieces if piece.printed not in taken], seed, place)
    nameless = sum(piece.printed is None for piece in named)
    return left[nameless:]
