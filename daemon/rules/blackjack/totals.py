"""What blackjack cards are worth: face value, tens for J, Q, K, and an ace that is 11 while that does no harm."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from protocols.cards import Card, Rank
from protocols.frozen import dataclass

BLACKJACK: Final = 21
"""The best total, and in two cards the hand that the game is named for."""

_SOFT_ACE: Final = 10
"""What an ace adds to its one point where it counts eleven."""


@dataclass(frozen=True, slots=True)
class Total:
    """A hand's best total; `soft` while an ace in it counts eleven."""

    points: int
    soft: bool

    @property
    def is_bust(self) -> bool:
        return self.points > BLACKJACK


def points(rank: Rank) -> int:
    """Return one rank by itself, the ace low: 1 to 10. Ten, jack, queen and king are one and the same to this game."""
    return 1 if rank is Rank.ACE else min(int(rank), 10)


POINTS: Final[dict[Rank, int]] = {rank: points(rank) for rank in Rank}


def total_of_points(hard: int, has_ace: bool) -> Total:
    """Return the best total of cards that sum to `hard` with every ace low."""
    if has_ace and hard + _SOFT_ACE <= BLACKJACK:
        return Total(hard + _SOFT_ACE, soft=True)
    return Total(hard, soft=False)


def total_of(cards: Iterable[Card]) -> Total:
    """Return the best total of these cards."""
    worth = [POINTS[card.rank] for card in cards]
    return total_of_points(sum(worth), 1 in worth)


def is_two_card_21(cards: tuple[Card, ...]) -> bool:
    """Return whether these are an ace and a ten: a blackjack as the first two cards, a plain 21 after a split."""
    return len(cards) == 2 and total_of(cards).points == BLACKJACK


def is_pair(first: Card, second: Card) -> bool:
    """Return whether two cards may be split where the house splits: alike in worth, so a king and a queen are."""
    return POINTS[first.rank] == POINTS[second.rank]
