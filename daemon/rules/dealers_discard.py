"""Which of three cards the Big Raise dealer gives up, and why.

The dealer discards the lowest card even if that breaks up a pair. After breaking up a pair the dealer may not keep two
suited cards. A choice that is still free cannot change the hand's rank. The order of suits decides it, and the result
says that it was free.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from protocols.cards import Card
from protocols.frozen import dataclass


class DiscardReason(Enum):
    """Why that card went."""

    LOWEST = "the lowest of three ranks"
    BELOW_PAIR = "the lowest, below a pair"
    BROKEN_PAIR_SUITED = "of the lower pair, the one in the suit of the high card"
    BROKEN_PAIR_FREE = "either card of the lower pair may go, so the lower suit goes"
    THREE_ALIKE = "any of three alike, so the lowest suit"

    @property
    def suit_was_free(self) -> bool:
        """Return whether another card could have gone as well."""
        return self in (DiscardReason.BROKEN_PAIR_FREE, DiscardReason.THREE_ALIKE)


@dataclass(frozen=True, slots=True)
class DealersChoice:
    """The two cards that the dealer plays, highest first, the card given up, and why."""

    keeps: tuple[Card, Card]
    discards: Card
    reason: DiscardReason


def dealers_choice(cards: Sequence[Card]) -> DealersChoice:
    """Return the dealer's discard from three different cards, ace high."""
    high, middle, low = sorted(cards, key=_down)
    if high.rank == low.rank:
        return DealersChoice((high, middle), low, DiscardReason.THREE_ALIKE)
    if high.rank == middle.rank:
        return DealersChoice((high, middle), low, DiscardReason.BELOW_PAIR)
    if middle.rank != low.rank:
        return DealersChoice((high, middle), low, DiscardReason.LOWEST)
    if middle.suit == high.suit:
        return DealersChoice((high, low), middle, DiscardReason.BROKEN_PAIR_SUITED)
    suited = low.suit == high.suit
    reason = DiscardReason.BROKEN_PAIR_SUITED if suited else DiscardReason.BROKEN_PAIR_FREE
    return DealersChoice((high, middle), low, reason)


def _down(card: Card) -> tuple[int, int]:
    """Highest rank first; the lower suit last, which is the one to go."""
    return (-card.rank, -card.suit)
