"""Poker said slowly and independently: no primes, no tables, nothing of `daemon.rules`.

The evaluators are compared with this; it would be a poor witness if it shared a line with them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

from protocols.cards import DECK, Card, Rank

NAMES = ("high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house",
         "four of a kind", "straight flush", "royal flush", "five of a kind")  # fmt: skip


def naive_order(cards: Sequence[Card]) -> tuple[str, tuple[int, ...]]:
    """What five cards are called, and numbers that sort hands of that name. The same card may come twice."""
    values = sorted((int(card.rank) for card in cards), reverse=True)
    if values == [14, 5, 4, 3, 2]:
        values = [5, 4, 3, 2, 1]
    flush = len({card.suit for card in cards}) == 1
    straight = all(values[0] - value == place for place, value in enumerate(values))
    counted = Counter(values)
    grouped = sorted(values, key=lambda value: (-counted[value], -value))
    pattern = sorted(counted.values(), reverse=True)
    if straight and flush:
        name = "royal flush" if values[0] == 14 else "straight flush"
    elif pattern == [5]:
        name = "five of a kind"
    elif pattern == [4, 1]:
        name = "four of a kind"
    elif pattern == [3, 2]:
        name = "full house"
    elif flush:
        name = "flush"
    elif straight:
        name = "straight"
    else:
        name = {3: "three of a kind", 1: "high card"}.get(pattern[0], "two pair" if pattern[1] == 2 else "pair")
    return name, tuple(grouped)


def naive_strength(cards: Sequence[Card]) -> tuple[int, tuple[int, ...]]:
    """Sorts any two hands."""
    name, grouped = naive_order(cards)
    return NAMES.index(name), grouped


WILD_ORDER = ("royal flush, no deuces", "wild royal", "five of a kind", "straight flush", "four of a kind",
              "full house", "flush", "straight", "three of a kind", "less than three of a kind")  # fmt: skip


def naive_wild(cards: Sequence[Card]) -> str:
    """Put every card in the place of each deuce and take the best."""
    naturals = [card for card in cards if card.rank is not Rank.TWO]
    deuces = len(cards) - len(naturals)
    if deuces == 4:
        return "four deuces"
    return min(set(_substituted(naturals, deuces)), key=WILD_ORDER.index)


def _substituted(naturals: list[Card], deuces: int) -> Iterator[str]:
    for stand_ins in combinations_with_replacement(DECK, deuces):
        name, _ = naive_order([*naturals, *stand_ins])
        if name == "royal flush":
            yield "wild royal" if deuces else "royal flush, no deuces"
        else:
            yield name if name in WILD_ORDER else "less than three of a kind"
