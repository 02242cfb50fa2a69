"""What is said of blackjack and of no other game: the dealer's hidden card."""

from __future__ import annotations

from protocols.cards import Face
from protocols.frozen import dataclass


@dataclass(frozen=True, slots=True)
class DealerPeeked:
    """The dealer looked under an ace or a ten. Nothing else is said of the card."""

    blackjack: bool


@dataclass(frozen=True, slots=True)
class DealerCardsShown:
    """The card that the dealer had face down lies open."""

    cards: tuple[Face, ...]
    total: int
    blackjack: bool
