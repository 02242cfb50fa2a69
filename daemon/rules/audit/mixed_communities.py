"""Big Raise's showdowns over communities of more than one suit, counted by ranks alone.

Theory of operation. A flush needs three cards of one suit in the community. Without them a hand's strength is its
ranks, and so is the dealer's: where the dealer breaks a pair, the suits decide which of two equal ranks goes. How many
cards of a rank are left is a matter of ranks, too. So 455 communities by rank and 13 up cards stand for all 20,956
communities and 49 up cards. For each start, what is left to count is in how many suits such a community can lie.

The few communities of one suit are counted card by card, by `WinCounter` in `daemon/rules/audit/showdowns.py`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, combinations_with_replacement
from math import comb, prod
from typing import Final, TypeAlias

from daemon.rules.evaluator import MIXED, PRIME_OF, Strength
from protocols.cards import Card, Rank, Suit
from protocols.frozen import dataclass

_SUITS: Final = len(Suit)
_PRIMES: Final = PRIME_OF[::_SUITS]

Place: TypeAlias = int
"""A rank as a place from 0, the two: members of `Rank` are slow as keys."""


@dataclass(frozen=True, slots=True)
class MixedWins:
    """Of the deals from one start with one kind of community: those won or tied, and those tied."""

    start: int  # the number of the start
    ours: Strength
    won: int
    ties: int


@dataclass(frozen=True, slots=True)
class _Start:
    """A start, as far as it says in how many ways a community can lie beside it."""

    number: int
    pair: tuple[Place, Place]
    held: tuple[int, ...]  # cards of each rank that the start has
    cards: tuple[tuple[Place, Suit], ...]


def mixed_wins(starts: Sequence[tuple[tuple[Card, Card], Card]], ranks: Sequence[Rank]) -> Iterator[MixedWins]:
    """Yield what each start wins over all communities of more than one suit, in parts."""
    places = sorted(_place(rank) for rank in ranks)
    by_up: dict[Place, list[_Start]] = {up: [] for up in places}
    for number, (pair, shown) in enumerate(starts):
        by_up[_place(shown.rank)].append(_start(number, pair, shown))
    for community in combinations_with_replacement(places, 3):
        for up, with_up in by_up.items():
            against = _against(community, up, places)
            for start in with_up:
                communities = _communities(community, start)
                if communities:
                    ours, won, ties = against[start.pair]
                    yield MixedWins(start.number, ours, communities * won, communities * ties)


def _place(rank: Rank) -> Place:
    return rank - Rank.TWO


def _start(number: int, pair: tuple[Card, Card], up: Card) -> _Start:
    cards = tuple((_place(card.rank), card.suit) for card in (*pair, up))
    held = Counter(place for place, _ in cards)
    low, high = sorted(place for place, _ in cards[:2])
    return _Start(number, (low, high), tuple(held[place] for place in range(len(Rank))), cards)


def _communities(community: tuple[Place, ...], start: _Start) -> int:
    """Return in how many ways the start leaves a community of these ranks that is not of one suit."""
    numbers = Counter(community)
    ways = prod(comb(_SUITS - start.held[place], number) for place, number in numbers.items())
    if len(numbers) == len(community):
        ways -= _SUITS - len({suit for place, suit in start.cards if place in numbers})
    return ways


def _against(
    community: tuple[Place, ...], up: Place, places: Iterable[Place]
) -> dict[tuple[Place, Place], tuple[Strength, int, int]]:
    """Return, by a player's two ranks: their strength, how many hidden pairs they win or tie, and how many they tie."""
    left = {place: _SUITS - community.count(place) - (place == up) for place in places}
    possible = [(a, b) for a, b in combinations_with_replacement(left, 2) if left[a] > (a == b) and left[b] > 0]
    table = prod(_PRIMES[place] for place in community)
    dealers = {pair: MIXED[table * prod(_PRIMES[place] for place in sorted((up, *pair))[1:])] for pair in possible}
    weakest_first = sorted(possible, key=dealers.__getitem__)
    strengths = [dealers[pair] for pair in weakest_first]
    everybody = _summed(comb(left[a], 2) if a == b else left[a] * left[b] for a, b in weakest_first)
    # Of them, those that use one card of a rank: the player's own cards are not the dealer's.
    using = {place: _summed(_partners(place, pair, left) for pair in weakest_first) for place in left}
    found = {}
    for a, b in possible:
        ours, theirs = MIXED[table * _PRIMES[a] * _PRIMES[b]], dealers[a, b]
        below, up_to = bisect_left(strengths, ours), bisect_right(strengths, ours)
        won = everybody[up_to] - using[a][up_to] - using[b][up_to] + (theirs <= ours)
        beaten = everybody[below] - using[a][below] - using[b][below] + (theirs < ours)
        found[a, b] = ours, won, won - beaten
    return found


def _partners(place: Place, pair: tuple[Place, Place], left: dict[Place, int]) -> int:
    """Return how many pairs of these ranks have one certain card of the rank at `place`."""
    if place not in pair:
        return 0
    first, second = pair
    return left[place] - 1 if first == second else left[second if place == first else first]


def _summed(numbers: Iterable[int]) -> list[int]:
    return [0, *accumulate(numbers)]
