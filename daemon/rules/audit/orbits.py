"""Deals that differ in more than the names of their suits.

No rule of these games ranks suits, so a deal and the same deal with hearts and spades exchanged are worth the
same. An orbit is all the deals that become each other by renaming suits; looking at one of them, and counting
how many there are, is as good as looking at all. Five cards have 134,459 orbits in place of 2,598,960 hands.

A deal gives cards to roles: a hand is one role of five cards, a player's two cards and the dealer's up card are
two roles. Orbits are made rank by rank. Suits that have been given alike so far cannot be told apart, so what
matters for a rank is how many of each such group go to each role, and the ways to choose them multiply up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from math import comb
from typing import TypeAlias

from protocols.cards import Card, Rank, Suit

Roles: TypeAlias = tuple[tuple[Card, ...], ...]
_Groups: TypeAlias = tuple[tuple[Suit, ...], ...]


def orbits(sizes: tuple[int, ...], ranks: Sequence[Rank] = tuple(Rank)) -> Iterator[tuple[Roles, int]]:
    """Yield one deal of every orbit, and how many deals it stands for; `sizes` are the cards of each role."""
    empty: Roles = tuple(() for _ in sizes)
    yield from _extend(empty, sizes, tuple(ranks), (tuple(Suit),), 1)


def _extend(
    dealt: Roles, due: tuple[int, ...], ranks: tuple[Rank, ...], groups: _Groups, ways: int
) -> Iterator[tuple[Roles, int]]:
    if not any(due):
        yield dealt, ways
    elif sum(due) <= len(ranks) * len(Suit):
        for given, left, split, count in _give_rank(dealt, due, ranks[0], groups):
            yield from _extend(given, left, ranks[1:], split, ways * count)


def _give_rank(
    dealt: Roles, due: tuple[int, ...], rank: Rank, groups: _Groups
) -> Iterator[tuple[Roles, tuple[int, ...], _Groups, int]]:
    """Yield every way to hand out the cards of one rank, up to suits that are still alike."""
    if not groups:
        yield dealt, due, (), 1
        return
    alike, others = groups[0], groups[1:]
    for given, left, rest, count in _give_group(dealt, due, rank, alike, 0):
        for given_all, left_all, split, count_others in _give_rank(given, left, rank, others):
            yield given_all, left_all, (*rest, *split), count * count_others


def _give_group(
    dealt: Roles, due: tuple[int, ...], rank: Rank, alike: tuple[Suit, ...], role: int
) -> Iterator[tuple[Roles, tuple[int, ...], _Groups, int]]:
    """Yield every way to hand out one rank of suits that are alike: only the numbers matter, so the first ones go."""
    if role == len(due):
        yield dealt, due, (alike,) if alike else (), 1
        return
    for number in range(min(len(alike), due[role]) + 1):
        cards = tuple(Card(rank, suit) for suit in alike[:number])
        given = (*dealt[:role], dealt[role] + cards, *dealt[role + 1 :])
        left = (*due[:role], due[role] - number, *due[role + 1 :])
        for result, still, groups, count in _give_group(given, left, rank, alike[number:], role + 1):
            split = (alike[:number], *groups) if number else groups
            yield result, still, split, count * comb(len(alike), number)


def renamings(dealt: Roles) -> Iterator[Roles]:
    """Yield the deal under every renaming of the suits; a deal comes more than once when it is symmetric."""
    for suits in permutations(Suit):
        yield tuple(tuple(Card(card.rank, suits[card.suit]) for card in cards) for cards in dealt)
