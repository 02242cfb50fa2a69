"""How the dealer ends, exactly, from any shoe: cards leave it and do not come back.

Theory of operation. The dealer's rule is separated from the cards. The rule alone says which cards, in which
orders, lead from an up card to an end. Whether the dealer draws depends on the holding and not on its order, so
the orders that lead to one holding are counted and the holdings listed once (`endings`, a few thousand an up
card). A shoe then gives each holding its number of ways: the falling factorial of every worth in it. What is
left is one sum of products of integers over one denominator, without a tree of draws and without rounding.

Nothing else about the table matters. Cards that other hands take between the up card and the dealer's draw
are unknown cards from the same shuffled shoe, and how many they take depends on cards that are out by then:
what follows is distributed as if they had taken none. The audit relies on this, and a test deals it out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum
from fractions import Fraction
from functools import cache, lru_cache
from itertools import groupby
from math import perm
from operator import mul
from typing import Final, TypeAlias

from daemon.rules.blackjack.dealer import must_draw
from daemon.rules.blackjack.shoe import WORTHS, Shoe
from daemon.rules.blackjack.totals import BLACKJACK, total_of_points
from protocols.frozen import dataclass


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
"""How many cards of each worth the dealer has beside the up card."""

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
    """Return every way in which the rule can end from this up card, were every shoe endless."""
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


@dataclass(frozen=True, slots=True)
class Others:
    """Cards that lie elsewhere on the table unseen, of which only one thing is known: none has this worth."""

    worth: int
    count: int


NO_OTHERS: Final = Others(worth=1, count=0)


@lru_cache(maxsize=DEALER_ODDS_KEPT)
def dealer_odds(up: int, shoe: Shoe, hits_soft_17: bool, others: Others = NO_OTHERS) -> DealerOdds:
    """Return how the dealer ends with this up card. The shoe no longer has the up card and still has the hole card.

    With `others` it is how likely the dealer ends so *and* the others are as they are said to be: they come from the
    same shoe, and it does not matter who draws first.
    """
    left, unlike = shoe.size, shoe.size - shoe.holds(others.worth)
    ways = [
        (group, number * perm(unlike - group.size + group.of_worth, others.count))
        for group, number in _table(up, hits_soft_17, others.worth).ways(shoe)
        if number
    ]
    longest = max((group.size for group, number in ways if number), default=0)
    # One denominator for endings of every size: what follows a short one may come in any order.
    rest = [perm(left - size - others.count, longest - size) for size in range(longest + 1)]
    sums = dict.fromkeys(DealerEnd, 0)
    for group, number in ways:
        if number:
            sums[group.end] += number * rest[group.size]
    total = perm(left, longest + others.count)
    return {end: Fraction(number, total) for end, number in sums.items()}


def odds_of_others(shoe: Shoe, others: Others) -> Fraction:
    """Return how likely the next cards from this shoe are such others."""
    unlike = shoe.size - shoe.holds(others.worth)
    return Fraction(perm(unlike, others.count), perm(shoe.size, others.count))


@dataclass(frozen=True, slots=True)
class _Group:
    """Endings that are alike as far as anybody asks."""

    end: DealerEnd
    size: int
    of_worth: int


@dataclass(frozen=True, slots=True)
class _Table:
    """The endings turned on their side, so that a shoe counts all of them in a few passes.

    A shoe's falling factorials are laid out in one row, `taken` places of each worth; an ending is one factor for each
    of its worths. Hundreds of endings differ in their last worth alone, so what stands before it is multiplied once.
    """

    orders: tuple[int, ...]
    starts: tuple[int, ...]
    """Of every ending, which of the products is the one of its factors but the last. The first product is a one."""
    lasts: tuple[int, ...]
    """Of every ending, where its last factor is."""
    longer: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    """By length, the products of one factor more: of which product, and where the factor is."""
    groups: tuple[tuple[_Group, int, int], ...]
    taken: int

    def ways(self, shoe: Shoe) -> Iterator[tuple[_Group, int]]:
        """Yield each group with the number of orders of its cards in which the shoe leads to it."""
        factors = [perm(count, taken) for count in shoe.counts for taken in range(self.taken)]
        products = [1]
        for shorter, more in self.longer:
            products += list(map(mul, map(products.__getitem__, shorter), map(factors.__getitem__, more)))
        begun = map(mul, self.orders, map(products.__getitem__, self.starts))
        numbers = list(map(mul, begun, map(factors.__getitem__, self.lasts)))
        return ((group, sum(numbers[start:stop])) for group, start, stop in self.groups)


@cache
def _table(up: int, hits_soft_17: bool, worth: int) -> _Table:
    """Return the endings from this up card, those together that have so many cards of this worth."""
    possible = sorted(endings(up, hits_soft_17), key=lambda ending: _key(ending, worth))
    taken = 1 + max(count for ending in possible for _, count in ending.taken)
    rows = [tuple(place * taken + count for place, count in ending.taken) for ending in possible]
    beginnings = sorted({row[:length] for row in rows for length in range(len(row))}, key=len)
    products = {beginning: number for number, beginning in enumerate(beginnings)}
    longer: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    for length, alike in groupby(beginnings, key=len):
        if length:
            of_length = list(alike)
            longer.append((tuple(products[each[:-1]] for each in of_length), tuple(each[-1] for each in of_length)))
    starts, lasts = tuple(products[row[:-1]] for row in rows), tuple(row[-1] for row in rows)
    return _Table(
        tuple(ending.orders for ending in possible), starts, lasts, tuple(longer), _groups(possible, worth), taken
    )


def _groups(possible: Iterable[Ending], worth: int) -> tuple[tuple[_Group, int, int], ...]:
    """Return which endings are alike, and from where to where they stand."""
    groups: list[tuple[_Group, int, int]] = []
    for key, alike in groupby(possible, key=lambda ending: _key(ending, worth)):
        start = groups[-1][2] if groups else 0
        groups.append((_Group(*key), start, start + sum(1 for _ in alike)))
    return tuple(groups)


def _key(ending: Ending, worth: int) -> tuple[DealerEnd, int, int]:
    return ending.end, ending.size, dict(ending.taken).get(worth - 1, 0)
