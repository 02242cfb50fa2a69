"""How the dealer ends, exactly, from any shoe: cards leave it and do not come back.

Theory of operation. The dealer's rule is separated from the cards. The rule alone says which cards, in which
orders, take him from an up card to an end; whether he draws depends on what he holds and not on its order, so
the orders that lead to one holding are counted and the holdings listed once (`endings`, a few thousand an up
card). A shoe then gives each holding its number of ways: the falling factorial of every worth in it. What is
left is one sum of products of integers over one denominator, without a tree of draws and without rounding.

Nothing else about the table matters. Cards that other hands take between the up card and the dealer's draw
are unknown cards from the same shuffled shoe, and how many they take depends on cards that are out by then:
what follows is distributed as if they had taken none. The audit relies on this, and a test deals it out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import cache, lru_cache
from itertools import accumulate
from math import prod
from operator import mul
from typing import Final, TypeAlias

from daemon.rules.blackjack.dealer import must_draw
from daemon.rules.blackjack.shoe import WORTHS, Shoe
from daemon.rules.blackjack.totals import BLACKJACK, total_of_points


class DealerEnd(IntEnum):
    """Where the dealer can end, by strength: anything beats a bust, and a blackjack beats a drawn 21."""

    BUST = 0
    SEVENTEEN = 17
    EIGHTEEN = 18
    NINETEEN = 19
    TWENTY = 20
    TWENTY_ONE = 21
    BLACKJACK = 22


Holding: TypeAlias = tuple[int, ...]
"""How many cards of each worth the dealer has beside his up card."""

DealerOdds: TypeAlias = Mapping[DealerEnd, Fraction]

DEALER_ODDS_KEPT: Final = 8192
"""Far more shoes than one configuration of the audit asks for; each keeps seven fractions."""

_NONE: Final[Holding] = (0,) * len(WORTHS)


@dataclass(frozen=True, slots=True)
class Ending:
    """A holding with which the dealer is done, by (place of the worth, how many), and the orders that lead there."""

    end: DealerEnd
    size: int
    taken: tuple[tuple[int, int], ...]
    orders: int


@cache
def endings(up: int, hits_soft_17: bool) -> tuple[Ending, ...]:
    """Every way in which the rule can end from this up card, were every shoe endless."""
    return tuple(_endings(up, hits_soft_17))


def _endings(up: int, hits_soft_17: bool) -> Iterator[Ending]:
    drawing: dict[Holding, int] = {_NONE: 1}
    size = 0
    while drawing:
        size += 1
        reached: dict[Holding, int] = {}
        for holding, orders in drawing.items():
            for place in range(len(WORTHS)):
                more = (*holding[:place], holding[place] + 1, *holding[place + 1 :])
                reached[more] = reached.get(more, 0) + orders
        drawing = {}
        for holding, orders in reached.items():
            end = _end_of(up, holding, size, hits_soft_17)
            if end is None:
                drawing[holding] = orders
            else:
                taken = tuple((place, count) for place, count in enumerate(holding) if count)
                yield Ending(end, size, taken, orders)


def _end_of(up: int, holding: Holding, size: int, hits_soft_17: bool) -> DealerEnd | None:
    hard = up + sum(worth * count for worth, count in zip(WORTHS, holding, strict=True))
    total = total_of_points(hard, up == 1 or holding[0] > 0)
    if must_draw(total, hits_soft_17):
        return None
    if total.is_bust:
        return DealerEnd.BUST
    return DealerEnd.BLACKJACK if size == 1 and total.points == BLACKJACK else DealerEnd(total.points)


@lru_cache(maxsize=DEALER_ODDS_KEPT)
def dealer_odds(up: int, shoe: Shoe, hits_soft_17: bool) -> DealerOdds:
    """How the dealer ends with this up card, which is no longer in the shoe; his hole card still is."""
    possible = endings(up, hits_soft_17)
    longest = max(ending.size for ending in possible)
    ways = [_falling(count, longest) for count in shoe.counts]
    sums: dict[tuple[DealerEnd, int], int] = {}
    for ending in possible:
        number = ending.orders * prod([ways[place][count] for place, count in ending.taken])
        if number:  # else the shoe does not hold such cards, or not so many
            sums[ending.end, ending.size] = sums.get((ending.end, ending.size), 0) + number
    of_size = _falling(shoe.size, longest)
    odds = dict.fromkeys(DealerEnd, Fraction(0))
    for (end, size), number in sums.items():
        odds[end] += Fraction(number, of_size[size])
    return odds


def _falling(count: int, longest: int) -> list[int]:
    """In how many orders 0, 1, 2 … of so many cards can come: 1, n, n(n-1) …"""
    return list(accumulate(range(count, count - longest, -1), lambda ways, left: mul(ways, max(left, 0)), initial=1))
