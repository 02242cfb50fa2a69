"""A shoe as the audit sees it: how many cards of each worth are still in it.

To blackjack a king is a ten and suits are nothing, so the 52 cards of a deck are ten kinds: fours of each
worth from ace to nine, and sixteen tens.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from daemon.rules.blackjack.totals import POINTS
from protocols.cards import DECK
from protocols.frozen import dataclass

WORTHS: Final = tuple(sorted(set(POINTS.values())))
"""Ace to ten, the ace as one."""

A_DECK: Final = tuple(sum(POINTS[card.rank] == worth for card in DECK) for worth in WORTHS)


@dataclass(frozen=True, slots=True)
class Shoe:
    """Cards left, by worth: `counts[0]` aces, `counts[9]` tens."""

    counts: tuple[int, ...]

    @classmethod
    def of(cls, decks: int) -> Shoe:
        """Return a shoe of so many whole decks."""
        return cls(tuple(count * decks for count in A_DECK))

    @property
    def size(self) -> int:
        return sum(self.counts)

    def holds(self, worth: int) -> int:
        """Return how many cards of this worth are left."""
        return self.counts[worth - 1]

    def without(self, *worths: int) -> Shoe:
        """Return the shoe after these cards have left it; they must be in it."""
        counts = list(self.counts)
        for worth in worths:
            counts[worth - 1] -= 1
        return Shoe(tuple(counts))

    def draws(self) -> Iterator[tuple[int, Fraction, Shoe]]:
        """Yield every worth that the next card can have, its probability, and the shoe behind it."""
        for worth in WORTHS:
            if self.holds(worth):
                yield worth, Fraction(self.holds(worth), self.size), self.without(worth)
