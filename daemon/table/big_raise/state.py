"""What a round of Big Raise remembers beside stakes, packets and results: what of the house's cards lies open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from daemon.table.vocabulary import SeatNumber
from protocols.cards import Card
from protocols.frozen import dataclass

if TYPE_CHECKING:
    from daemon.table.state import Round


@dataclass(frozen=True, slots=True)
class BigRaiseRound:
    """One round of Big Raise, from the first packet on."""

    up_card: Card | None = None  # of the dealer's hand, for all to see while players decide
    dealer_shown: bool = False  # whether all of the dealer's cards lie open
    house_shown: bool = False  # whether the common cards do as well
    folding: SeatNumber | None = None  # whose fold the dealer is finishing, until they say next


def own_of(played: Round) -> BigRaiseRound | None:
    """Return what this round has of its own; None while it takes bets."""
    assert played.own is None or isinstance(played.own, BigRaiseRound), "a round of another game"
    return played.own


def deal_of(played: Round) -> BigRaiseRound:
    """Return what this round has of its own. Its bets are closed."""
    own = own_of(played)
    assert own is not None, "the round still takes bets"
    return own
