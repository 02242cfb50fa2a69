"""What five cards are at poker, fast enough to look at every hand there is.

Each rank has a prime, so the product of five says which ranks a hand holds, whatever their order. There are
only 6,175 such products; one dictionary gives their strength, and a second one gives it for the 1,287 products
of five different ranks when the suits agree, which the bit masks of the suits say. A strength is a number from
0 (7-5-4-3-2) to 7,461 (royal flush): equal strengths tie, since suits do not rank.

The tables are made here from what the hands *are*, not copied from a list, in about ten milliseconds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import combinations_with_replacement, pairwise
from math import prod
from typing import Final, NewType

from protocols.cards import Card, Rank

Strength = NewType("Strength", int)

STRENGTHS: Final = 7462
HANDS: Final = 2_598_960

PRIMES: Final = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)


class PokerHand(Enum):
    """What a hand is called, best first; a pair by its rank, because paytables draw lines between pairs."""

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
_PAIR_OF: Final = dict(zip(sorted(Rank, reverse=True), PAIRS, strict=True))
_WHEEL: Final = (Rank.ACE, Rank.FIVE, Rank.FOUR, Rank.THREE, Rank.TWO)
_OF_A_KIND: Final = {
    (4, 1): PokerHand.FOUR_OF_A_KIND,
    (3, 2): PokerHand.FULL_HOUSE,
    (3, 1, 1): PokerHand.THREE_OF_A_KIND,
    (2, 2, 1): PokerHand.TWO_PAIR,
}
_CLASS_ORDER: Final = {hand: -number for number, hand in enumerate(PokerHand)}


def _straight_top(ranks: tuple[Rank, ...]) -> Rank | None:
    """The top card of a straight, ranks highest first; the ace is low in 5-4-3-2-A only."""
    if ranks == _WHEEL:
        return Rank.FIVE
    return ranks[0] if all(high - low == 1 for high, low in pairwise(ranks)) else None


def _classify(ranks: tuple[Rank, ...], *, suited: bool) -> PokerHand:
    top = _straight_top(ranks)
    if top is not None and suited:
        return PokerHand.ROYAL_FLUSH if top is Rank.ACE else PokerHand.STRAIGHT_FLUSH
    if suited:
        return PokerHand.FLUSH
    if top is not None:
        return PokerHand.STRAIGHT
    return _grouped(ranks)


def _grouped(ranks: tuple[Rank, ...]) -> PokerHand:
    """The hands that are made by ranks coming more than once."""
    groups = Counter(ranks).most_common()
    shape = tuple(count for _, count in groups)
    if shape[0] == 1:
        return PokerHand.HIGH_CARD
    return _PAIR_OF[groups[0][0]] if shape == (2, 1, 1, 1) else _OF_A_KIND[shape]


def _order(hand: PokerHand, ranks: tuple[Rank, ...]) -> tuple[int, ...]:
    """Sorts hands by strength: the class, then the ranks, those that come more often first."""
    if ranks == _WHEEL:
        return (_CLASS_ORDER[hand], Rank.FIVE)
    counts = Counter(ranks)
    return (_CLASS_ORDER[hand], *sorted(ranks, key=lambda rank: (counts[rank], rank), reverse=True))


def _holdings() -> Iterator[tuple[PokerHand, tuple[Rank, ...], bool]]:
    """Every different five-card holding: its class, its ranks highest first, and whether it is suited."""
    high_first = sorted(Rank, reverse=True)
    for ranks in combinations_with_replacement(high_first, 5):
        if ranks[0] != ranks[-1]:  # there are four cards of a rank
            yield from ((_classify(ranks, suited=suited), ranks, suited) for suited in _suitings(ranks))


def _suitings(ranks: tuple[Rank, ...]) -> tuple[bool, ...]:
    return (False, True) if len(set(ranks)) == 5 else (False,)


def _product(ranks: Sequence[Rank]) -> int:
    return prod(PRIMES[rank - Rank.TWO] for rank in ranks)


_BY_STRENGTH: Final = sorted(_holdings(), key=lambda holding: _order(holding[0], holding[1]))
_MIXED: Final = {_product(ranks): number for number, (_, ranks, suited) in enumerate(_BY_STRENGTH) if not suited}
_SUITED: Final = {_product(ranks): number for number, (_, ranks, suited) in enumerate(_BY_STRENGTH) if suited}

CLASS_OF: Final[tuple[PokerHand, ...]] = tuple(hand for hand, _, _ in _BY_STRENGTH)
"""The class of each strength."""


def strength(cards: Sequence[Card]) -> Strength:
    """How strong five different cards are; the caller has counted them."""
    first, second, third, fourth, fifth = cards
    product = _product([card.rank for card in cards])
    suited = first.suit is second.suit is third.suit is fourth.suit is fifth.suit
    return Strength((_SUITED if suited else _MIXED)[product])


def poker_hand(cards: Sequence[Card]) -> PokerHand:
    """What five different cards are called."""
    return CLASS_OF[strength(cards)]
