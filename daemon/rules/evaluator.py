"""What five cards are at poker, fast enough to look at every hand there is.

Each rank has a prime, so the product of five says which ranks a hand holds, whatever their order. There are
only 6,175 such products; one dictionary gives their strength, and a second one gives it for the 1,287 products
of five different ranks when the suits agree, which the bit masks of the suits say. A strength is a number from
0 (7-5-4-3-2) to 7,461 (royal flush): equal strengths tie, since suits do not rank.

The tables are made here from what the hands *are*, strongest first, not copied from a list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import combinations, permutations
from math import prod
from typing import Final, NewType, TypeAlias

from protocols.cards import DECK, Card, Rank

Strength = NewType("Strength", int)
Ranks: TypeAlias = tuple[Rank, ...]

STRENGTHS: Final = 7462
HANDS: Final = 2_598_960

_PRIME_OF_RANK: Final = dict(zip(Rank, (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41), strict=True))
PRIME_OF: Final = tuple(_PRIME_OF_RANK[card.rank] for card in DECK)
"""By a card's index, the prime of its rank."""
SUIT_BIT_OF: Final = tuple(1 << card.suit for card in DECK)
"""By a card's index, the bit of its suit; cards whose bits have one in common are suited."""


class PokerHand(Enum):
    """What a hand is called, best first; a pair by its rank, because paytables draw lines between pairs."""

    __hash__ = object.__hash__  # Enum hashes the name, in Python; a member is one object

    ROYAL_FLUSH = "royal flush"
    STRAIGHT_FLUSH = "straight flush"
    FOUR_OF_A_KIND = "four of a kind"
    FULL_HOUSE = "full house"
    FLUSH = "flush"
    STRAIGHT = "straight"
    THREE_OF_A_KIND = "three of a kind"
    TWO_PAIR = "two pair"
    PAIR_OF_ACES = "pair of aces"
    PAIR_OF_KINGS = "pair of kings"
    PAIR_OF_QUEENS = "pair of queens"
    PAIR_OF_JACKS = "pair of jacks"
    PAIR_OF_TENS = "pair of tens"
    PAIR_OF_NINES = "pair of nines"
    PAIR_OF_EIGHTS = "pair of eights"
    PAIR_OF_SEVENS = "pair of sevens"
    PAIR_OF_SIXES = "pair of sixes"
    PAIR_OF_FIVES = "pair of fives"
    PAIR_OF_FOURS = "pair of fours"
    PAIR_OF_THREES = "pair of threes"
    PAIR_OF_TWOS = "pair of twos"
    HIGH_CARD = "high card"


PAIRS: Final = tuple(hand for hand in PokerHand if hand.name.startswith("PAIR_OF_"))
HIGH_FIRST: Final = tuple(sorted(Rank, reverse=True))
WHEEL: Final = (Rank.FIVE, Rank.FOUR, Rank.THREE, Rank.TWO, Rank.ACE)
STRAIGHTS: Final = (*(HIGH_FIRST[top : top + 5] for top in range(9)), WHEEL)
"""Strongest first; the ace is low in 5-4-3-2-A and nowhere wraps."""


def product_of(ranks: Iterable[Rank]) -> int:
    """Return the number that stands for these ranks in any order."""
    return prod(map(_PRIME_OF_RANK.__getitem__, ranks))


def _without(*gone: Rank) -> Ranks:
    return tuple(rank for rank in HIGH_FIRST if rank not in gone)


def _strongest_first() -> Iterator[tuple[PokerHand, Ranks]]:
    """Yield every holding that differs in strength, in order: the definition of the game, class by class."""
    straights = {frozenset(straight) for straight in STRAIGHTS}
    mixed = [ranks for ranks in combinations(HIGH_FIRST, 5) if frozenset(ranks) not in straights]
    yield PokerHand.ROYAL_FLUSH, STRAIGHTS[0]
    yield from ((PokerHand.STRAIGHT_FLUSH, straight) for straight in STRAIGHTS[1:])
    yield from ((PokerHand.FOUR_OF_A_KIND, (four,) * 4 + (kicker,)) for four, kicker in permutations(HIGH_FIRST, 2))
    yield from ((PokerHand.FULL_HOUSE, (three,) * 3 + (pair,) * 2) for three, pair in permutations(HIGH_FIRST, 2))
    yield from ((PokerHand.FLUSH, ranks) for ranks in mixed)
    yield from ((PokerHand.STRAIGHT, straight) for straight in STRAIGHTS)
    for three in HIGH_FIRST:
        yield from ((PokerHand.THREE_OF_A_KIND, (three,) * 3 + rest) for rest in combinations(_without(three), 2))
    for high, low in combinations(HIGH_FIRST, 2):
        yield from ((PokerHand.TWO_PAIR, (high, high, low, low, kicker)) for kicker in _without(high, low))
    for pair, name in zip(HIGH_FIRST, PAIRS, strict=True):
        yield from ((name, (pair, pair, *rest)) for rest in combinations(_without(pair), 3))
    yield from ((PokerHand.HIGH_CARD, ranks) for ranks in mixed)


_SUITED_CLASSES: Final = frozenset((PokerHand.ROYAL_FLUSH, PokerHand.STRAIGHT_FLUSH, PokerHand.FLUSH))
_WEAKEST_FIRST: Final = tuple(reversed(tuple(_strongest_first())))
SUITED: Final[dict[int, Strength]] = {}
"""By product, the strength of five cards of one suit."""
MIXED: Final[dict[int, Strength]] = {}
"""By product, the strength of any other five cards."""
for _place, (_hand, _ranks) in enumerate(_WEAKEST_FIRST):
    (SUITED if _hand in _SUITED_CLASSES else MIXED)[product_of(_ranks)] = Strength(_place)

CLASS_OF: Final[tuple[PokerHand, ...]] = tuple(hand for hand, _ in _WEAKEST_FIRST)
"""The class of each strength."""


def strength(cards: Sequence[Card]) -> Strength:
    """Return how strong five different cards are; the caller has counted them."""
    first, second, third, fourth, fifth = cards
    a, b, c, d, e = first.index, second.index, third.index, fourth.index, fifth.index
    product = PRIME_OF[a] * PRIME_OF[b] * PRIME_OF[c] * PRIME_OF[d] * PRIME_OF[e]
    if SUIT_BIT_OF[a] & SUIT_BIT_OF[b] & SUIT_BIT_OF[c] & SUIT_BIT_OF[d] & SUIT_BIT_OF[e]:
        return SUITED[product]
    return MIXED[product]


def poker_hand(cards: Sequence[Card]) -> PokerHand:
    """Return what five different cards are called."""
    return CLASS_OF[strength(cards)]
