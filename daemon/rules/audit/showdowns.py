"""How often a Big Raise player beats or ties the dealer, for every two cards and every up card, exactly.

For given player's cards P and up card U there are C(49,2) pairs that the dealer can hold face down and C(47,3)
communities, 19 million deals for each of 66,300 starts. The count is done the other way round. Fix a community and an
up card. The dealer's strength for every hidden pair is then one lookup (the discard depends on the three cards
alone). How many hidden pairs leave the dealer no stronger than a player holding P is a position in the sorted list of
those strengths, less the hidden pairs that use a card of P, which are two more positions in two shorter lists, plus
the one pair that is P itself. Communities with their up card are looked at one orbit of suits at a time.

This is done for communities of one suit. In all others nobody can have a flush, and ranks say everything:
`daemon/rules/audit/mixed_communities.py` counts them, hundreds at once.

A tie pays the player as a win does, so what is counted is wins and ties together, and ties beside them. The former
are kept apart by what the player's hand is, so that the Ante Bonus, which is paid on the same hand, can be put beside
them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations, groupby
from math import comb
from typing import Final, TypeAlias

from daemon.rules.audit.mixed_communities import mixed_wins
from daemon.rules.audit.orbits import Roles, orbits, renamings
from daemon.rules.dealers_discard import dealers_choice
from daemon.rules.evaluator import (
    CLASS_OF,
    MIXED,
    PRIME_OF,
    SUIT_BIT_OF,
    SUITED,
    PokerHand,
    Strength,
    strength,
)
from protocols.cards import DECK, Card, Rank
from protocols.frozen import dataclass

Start: TypeAlias = tuple[tuple[Card, Card], Card]
"""What a player knows: two cards of their own and the dealer's up card."""

KINDS: Final = tuple(PokerHand)
_KIND_OF: Final = tuple(KINDS.index(hand) for hand in CLASS_OF)
_TIES: Final = len(KINDS)
_LINE: Final = len(KINDS) + 1  # a start's counts: wins and ties by kind of hand, then ties
_CARDS: Final = len(DECK)
_ALL_SUITS: Final = 0b1111


def community_orbits(ranks: Sequence[Rank] = tuple(Rank)) -> list[tuple[Roles, int]]:
    """Return the communities with an up card that `WinCounter.count` takes, in parts or at once, sorted."""
    of_one_suit = [orbit for orbit in orbits((3, 1), ranks) if len({card.suit for card in orbit[0][0]}) == 1]
    return sorted(of_one_suit, key=lambda orbit: [card.index for card in orbit[0][0]])


@dataclass(frozen=True, slots=True)
class Wins:
    """Of all deals from one start, those won or tied by the player, by the player's hand, and those that are tied."""

    start: Start
    starts: int  # how many starts are this one with its suits renamed
    by_kind: tuple[int, ...]
    ties: int

    @property
    def total(self) -> int:
        """Return all deals that are won or tied."""
        return sum(self.by_kind)


class WinCounter:
    """The tables that counting needs, for a deck of some ranks; `count` can be run on parts and added up."""

    def __init__(self, ranks: Sequence[Rank] = tuple(Rank)) -> None:
        self._ranks = tuple(ranks)
        self.deck = [card for card in DECK if card.rank in ranks]
        self.starts = [(_start(dealt), ways) for dealt, ways in orbits((2, 1), ranks)]
        self.deals = comb(len(self.deck) - 3, 2) * comb(len(self.deck) - 5, 3)
        self._place = {up: [0] * _CARDS**2 for up in self.deck}
        for number, ((pair, up), _) in enumerate(self.starts):
            for (first, second), (shown,) in renamings((pair, (up,))):
                self._place[shown][_pair(first, second)] = number * _LINE
        self._kept = {up: self._keeps(up) for up in self.deck}

    def _keeps(self, up: Card) -> list[int]:
        kept = [0] * _CARDS**2
        for first, second in combinations([card for card in self.deck if card is not up], 2):
            kept[_pair(first, second)] = _pair(*dealers_choice((up, first, second)).keeps)
        return kept

    def count(self, communities: Iterable[tuple[Roles, int]]) -> list[int]:
        """Return what these communities add to every start's line of counts, summed over the start's renamings."""
        counts = [0] * (len(self.starts) * _LINE)
        for community, orbit in groupby(communities, key=lambda orbit: orbit[0][0]):
            others = [card for card in self.deck if card not in community]
            strengths = {_pair(*pair): int(strength((*pair, *community))) for pair in combinations(others, 2)}
            for (_, (up,)), ways in orbit:
                self._add(others, strengths, up, ways, counts)
        return counts

    def _add(self, others: list[Card], strengths: dict[int, int], up: Card, ways: int, counts: list[int]) -> None:
        kept, place = self._kept[up], self._place[up]
        hidden = [(a.index, b.index) for a, b in combinations([card for card in others if card is not up], 2)]
        dealers = [strengths[kept[a * _CARDS + b]] for a, b in hidden]
        using = _using(hidden, dealers)
        everybody, possible = sorted(dealers), set(dealers)
        for (a, b), theirs in zip(hidden, dealers, strict=True):
            pair = a * _CARDS + b
            ours = strengths[pair]
            by_a, by_b = using[a], using[b]
            beaten = bisect_right(everybody, ours) - bisect_right(by_a, ours) - bisect_right(by_b, ours)
            line = place[pair]
            counts[line + _KIND_OF[ours]] += (beaten + (theirs <= ours)) * ways
            if ours in possible:
                below = bisect_left(everybody, ours) - bisect_left(by_a, ours) - bisect_left(by_b, ours)
                counts[line + _TIES] += (beaten - below + (theirs == ours)) * ways

    def wins(self, counts: Sequence[int]) -> tuple[Wins, ...]:
        """Return the counts of all communities for one start of each orbit. `counts` are those of one suit."""
        lines = [
            [count // ways for count in counts[number * _LINE : (number + 1) * _LINE]]
            for number, (_, ways) in enumerate(self.starts)
        ]
        for mixed in mixed_wins([start for start, _ in self.starts], self._ranks):
            lines[mixed.start][_KIND_OF[mixed.ours]] += mixed.won
            lines[mixed.start][_TIES] += mixed.ties
        return tuple(
            Wins(start, ways, tuple(by_kind), ties)
            for (start, ways), (*by_kind, ties) in zip(self.starts, lines, strict=True)
        )


def _using(hidden: list[tuple[int, int]], dealers: list[int]) -> dict[int, list[int]]:
    """Return, by a card's index, the sorted strengths of the dealer's hands whose hidden pair has it."""
    using: dict[int, list[int]] = defaultdict(list)
    for (a, b), theirs in zip(hidden, dealers, strict=True):
        using[a].append(theirs)
        using[b].append(theirs)
    for listed in using.values():
        listed.sort()
    return using


@dataclass(frozen=True, slots=True)
class _Held:
    """Cards as the numbers that comparing takes: which they are, the product of their ranks, the suits in common."""

    mask: int
    product: int
    suits: int


def _held(cards: Iterable[Card]) -> _Held:
    mask, product, suits = 0, 1, _ALL_SUITS
    for card in cards:
        mask |= 1 << card.index
        product *= PRIME_OF[card.index]
        suits &= SUIT_BIT_OF[card.index]
    return _Held(mask, product, suits)


def wins_of(start: Start, deck: Sequence[Card] = DECK) -> Wins:
    """Return the same for one start, by looking at every community and every hidden pair."""
    pair, up = start
    unseen = [card for card in deck if card not in (*pair, up)]
    hidden = [(_held(two).mask, _held(dealers_choice((up, *two)).keeps)) for two in combinations(unseen, 2)]
    by_kind, ties = [0] * len(KINDS), 0
    for community in combinations(unseen, 3):
        table, ours = _held(community), strength((*pair, *community))
        theirs = _dealers(table, hidden)
        by_kind[_KIND_OF[ours]] += sum(their <= ours for their in theirs)
        ties += theirs.count(ours)
    return Wins(start, 1, tuple(by_kind), ties)


def _dealers(table: _Held, hidden: list[tuple[int, _Held]]) -> list[Strength]:
    """Return the dealer's strength with every hidden pair that has no card of the community."""
    free = [keeps for mask, keeps in hidden if not mask & table.mask]
    if not table.suits:
        return [MIXED[table.product * keeps.product] for keeps in free]
    return [(SUITED if table.suits & keeps.suits else MIXED)[table.product * keeps.product] for keeps in free]


def _start(dealt: Roles) -> Start:
    (first, second), (up,) = dealt
    return (first, second), up


def _pair(first: Card, second: Card) -> int:
    low, high = sorted((first.index, second.index))
    return low * _CARDS + high
