"""Where the pieces of one deck lie: in the rack, in the rollers, in the tray, with the dealer, or ejected.

Every move takes a piece from one place and puts it into another, so together the places always hold the deck that
was loaded; nothing here can make a card or lose one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from sim_hardware.deck import Piece


@dataclass(slots=True)
class Places:
    """All the pieces of the deck that is in play. The rack deals from its left."""

    rack: deque[Piece] = field(default_factory=deque)
    rollers: list[Piece] = field(default_factory=list)
    tray: list[Piece] = field(default_factory=list)
    taken: list[Piece] = field(default_factory=list)  # by the dealer, from the tray or out of the rollers
    ejected: list[Piece] = field(default_factory=list)

    def put_in(self, pieces: Iterable[Piece]) -> None:
        """The dealer has gathered the old deck; another goes in."""
        self.taken.clear()
        self.ejected.clear()
        self.rack = deque(pieces)

    def arrange(self, order: Iterable[Piece]) -> None:
        """Shuffle: the same pieces in another order."""
        self.rack = deque(order)

    def deal(self) -> Piece:
        """One card, rack to tray."""
        piece = self.rack.popleft()
        self.tray.append(piece)
        return piece

    def get_stuck(self) -> None:
        """One card stops half-way."""
        self.rollers.append(self.rack.popleft())

    def free_stuck(self) -> None:
        """The dealer pulls it out."""
        self.taken += self.rollers
        self.rollers.clear()

    def take(self) -> None:
        """The dealer empties the tray."""
        self.taken += self.tray
        self.tray.clear()

    def eject(self) -> list[Piece]:
        """Everything in the rack comes out."""
        out = list(self.rack)
        self.rack.clear()
        self.ejected += out
        return out

    def everything(self) -> list[Piece]:
        """The whole deck, wherever its pieces are."""
        return [*self.rack, *self.rollers, *self.tray, *self.taken, *self.ejected]
