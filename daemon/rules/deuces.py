"""What five cards are when deuces are wild: the best row that any cards in their place would make.

A deuce has every suit, so the suits agree when those of the other cards do; the product of the primes says the
rest, deuces included. A hand is named by the rows of Deuces Never Loses, in their order; hands below three of
a kind are all one, since nothing there is paid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from functools import cache
from itertools import combinations_with_replacement
from typing import Final

from daemon.rules.evaluator import HIGH_FIRST, PRIME_OF, STRAIGHTS, SUIT_BIT_OF, Ranks, product_of
from protocols.cards import DECK, Card, Rank


class WildHand(Enum):
    """The rows of deuces wild, best first."""

    FOUR_DEUCES = "four deuces"
    NATURAL_ROYAL = "royal flush, no deuces"
    WILD_ROYAL = "wild royal"
    FIVE_OF_A_KIND = "five of a kind"
    STRAIGHT_FLUSH = "straight flush"
    FOUR_OF_A_KIND = "four of a kind"
    FULL_HOUSE = "full house"
    FLUSH = "flush"
    STRAIGHT = "straight"
    THREE_OF_A_KIND = "three of a kind"
    NOTHING = "less than three of a kind"


_ALL_SUITS: Final = 0b1111
_WILD_SUIT_BIT_OF: Final = tuple(_ALL_SUITS if card.rank is Rank.TWO else SUIT_BIT_OF[card.index] for card in DECK)
_RUNS: Final = tuple(frozenset(straight) for straight in STRAIGHTS)


def _classify(naturals: Ranks, wild: int, *, suited: bool) -> WildHand:
    """Return the best row for these cards beside so many deuces. `suited` only when all naturals differ in rank."""
    ranks = frozenset(naturals)
    alike = wild + max(map(naturals.count, naturals))
    runs = [run for run in _RUNS if run >= ranks] if len(ranks) == len(naturals) else []
    made = (
        (WildHand.FOUR_DEUCES, wild == 4),
        (WildHand.NATURAL_ROYAL, suited and _RUNS[0] in runs and wild == 0),
        (WildHand.WILD_ROYAL, suited and _RUNS[0] in runs),
        (WildHand.FIVE_OF_A_KIND, alike == 5),
        (WildHand.STRAIGHT_FLUSH, suited and bool(runs)),
        (WildHand.FOUR_OF_A_KIND, alike == 4),
        (WildHand.FULL_HOUSE, len(ranks) == 2),
        (WildHand.FLUSH, suited),
        (WildHand.STRAIGHT, bool(runs)),
        (WildHand.THREE_OF_A_KIND, alike == 3),
    )
    return next((hand for hand, holds in made if holds), WildHand.NOTHING)


@cache
def by_product() -> tuple[Mapping[int, WildHand], Mapping[int, WildHand]]:
    """Return what five cards are by their product: those whose suits agree (deuces agree with all), and any others.

    Counting them takes a tenth of a table's start, and only Big Draw asks.
    """
    suited, mixed = {}, {}
    for wild in range(5):
        for naturals in combinations_with_replacement(HIGH_FIRST[:-1], 5 - wild):
            product = product_of((*naturals, *(Rank.TWO,) * wild))
            mixed[product] = _classify(naturals, wild, suited=False)
            if len(set(naturals)) == len(naturals):
                suited[product] = _classify(naturals, wild, suited=True)
    return suited, mixed


def wild_hand(cards: Sequence[Card]) -> WildHand:
    """Return what five different cards are with deuces wild."""
    first, second, third, fourth, fifth = cards
    a, b, c, d, e = first.index, second.index, third.index, fourth.index, fifth.index
    suits, primes = _WILD_SUIT_BIT_OF, PRIME_OF
    product = primes[a] * primes[b] * primes[c] * primes[d] * primes[e]
    suited, mixed = by_product()
    return (suited if suits[a] & suits[b] & suits[c] & suits[d] & suits[e] else mixed)[product]
