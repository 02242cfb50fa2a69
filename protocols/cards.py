"""Playing cards: the one noun that every layer shares.

There are exactly 52 `Card` objects in a process, so cards compare and hash by identity and can be used as
dictionary keys at the speed of a pointer. Text is rank then suit: ``Ah``, ``Td``, ``2c``.

A card that players have not seen must not leak, and the commonest leak is a repr in a traceback or a log
line. So `repr` of a card does not name it, and only `str` does. A tuple of cards, or a frozen value that holds
cards, is therefore always safe to print.

A `Face` is what a reader reports for one card: the card, or why it could not be named (`Misread`). Nothing
anywhere turns a `Misread` into a `Card`.
"""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import Final, final


class Suit(IntEnum):
    """Suits do not rank in any of our games. The order is the one by which big-raise-holdem.md breaks free choices."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def letter(self) -> str:
        return "cdhs"[self]

    @property
    def is_red(self) -> bool:
        return self in (Suit.DIAMONDS, Suit.HEARTS)


class Rank(IntEnum):
    """Ranks by their poker order, ace high. A game in which the ace is low says so in its rules."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def letter(self) -> str:
        return "23456789TJQKA"[self - 2]


class Face:
    """What a reader reports of one card: a `Card`, or a `Misread`."""

    __slots__ = ()


@final
class Card(Face):
    """One of the 52. Get it from `Card(rank, suit)`, `Card.parse` or `DECK`. A 53rd cannot be made."""

    __slots__ = ("index", "rank", "suit")

    index: int
    rank: Rank
    suit: Suit

    def __new__(cls, rank: Rank, suit: Suit) -> Card:
        known = _BY_PLACE.get((rank, suit))
        return known if known is not None else _make(rank, suit)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a card never changes: cannot set {name}")

    def __reduce__(self) -> tuple[type[Card], tuple[Rank, Suit]]:
        return Card, (self.rank, self.suit)

    def __str__(self) -> str:
        return self.rank.letter + self.suit.letter

    def __repr__(self) -> str:
        return "<card>"

    @classmethod
    def parse(cls, text: str) -> Card:
        """Return the card that a text names. Raise ValueError with the allowed texts if it names none."""
        known = _BY_TEXT.get(text)
        if known is None:
            raise ValueError("not a card: a card is a rank of 23456789TJQKA and a suit of cdhs, as Ah or 2c")
        return known


class Misread(Face, Enum):
    """Why a reader could not name a card. The marks are those of felt-link's face fields."""

    UNREADABLE = "??"
    BOXED = "[]"  # it lies face to back, the wrong way round in the deck
    FOREIGN = "##"  # the reader saw a card, and it is not of this deck

    def __str__(self) -> str:
        return self.value


_BY_PLACE: Final[dict[tuple[Rank, Suit], Card]] = {}


def _make(rank: Rank, suit: Suit) -> Card:
    made = object.__new__(Card)
    object.__setattr__(made, "rank", Rank(rank))
    object.__setattr__(made, "suit", Suit(suit))
    object.__setattr__(made, "index", (rank - Rank.TWO) * len(Suit) + suit)
    _BY_PLACE[rank, suit] = made
    return made


DECK: Final[tuple[Card, ...]] = tuple(Card(rank, suit) for rank in Rank for suit in Suit)
"""The 52 cards, two of clubs first, ace of spades last. `DECK[card.index] is card`."""

_BY_TEXT: Final[dict[str, Card]] = {str(card): card for card in DECK}
_MISREADS: Final[dict[str, Misread]] = {mark.value: mark for mark in Misread}


def parse_face(text: str) -> Face:
    """Read a card's text or a misread's mark. Raise ValueError for any other text."""
    return _MISREADS.get(text) or Card.parse(text)


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by blanks: ``Ah Kd 2c``."""
    return tuple(Card.parse(word) for word in text.split())


def spell(faces: tuple[Face, ...]) -> str:
    """Write cards in clear: ``Ah Kd ??``. This is the only function that does."""
    return " ".join(str(face) for face in faces)
