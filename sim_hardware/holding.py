"""The deck in a machine: where its pieces lie, and what the machine believes of their order.

Every move takes a piece from one place and puts it into another. So the places together always hold the deck that was
loaded, and nothing here can make a card or lose one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from sim_hardware.deck import Deck, Piece, shuffled
from sim_hardware.faults import FaultBoard
from sim_hardware.shuffler_states import State
from sim_hardware.tampering import Occasion, tampered

UNPROVEN_DECK = "unproven-deck"
"""A fault word of this model, beside those of felt-link: the cards inside have to come out."""


@dataclass(slots=True)
class Places:
    """All the pieces of the deck that is in play. The rack deals from its left."""

    rack: deque[Piece] = field(default_factory=deque)
    rollers: list[Piece] = field(default_factory=list)
    tray: list[Piece] = field(default_factory=list)
    taken: list[Piece] = field(default_factory=list)  # by the dealer, from the tray or out of the rollers
    ejected: list[Piece] = field(default_factory=list)

    def put_in(self, pieces: Iterable[Piece]) -> None:
        """Put a deck in. The dealer has gathered the old one."""
        self.taken.clear()
        self.ejected.clear()
        self.rack = deque(pieces)

    def arrange(self, order: Iterable[Piece]) -> None:
        """Put the same pieces into another order."""
        self.rack = deque(order)

    def deal(self) -> Piece:
        """Move one card from the rack to the tray, and return it."""
        piece = self.rack.popleft()
        self.tray.append(piece)
        return piece

    def get_stuck(self) -> None:
        """Move one card from the rack half-way, into the rollers."""
        self.rollers.append(self.rack.popleft())

    def free_stuck(self) -> None:
        """Give the stuck card to the dealer."""
        self.taken += self.rollers
        self.rollers.clear()

    def take_tray(self) -> None:
        """Give everything in the tray to the dealer."""
        self.taken += self.tray
        self.tray.clear()

    def eject(self) -> list[Piece]:
        """Eject everything in the rack, and return it."""
        out = list(self.rack)
        self.rack.clear()
        self.ejected += out
        return out

    def everything(self) -> list[Piece]:
        """Return the whole deck, wherever its pieces are."""
        return [*self.rack, *self.rollers, *self.tray, *self.taken, *self.ejected]


class Order(Enum):
    """What the machine believes of its rack."""

    UNSHUFFLED = "unshuffled"
    PROVEN = "proven"
    UNPROVEN = "unproven"


class Holding:
    """One deck after another, as it goes through the machine. The counts of loads and shuffles outlive any power."""

    def __init__(self, seed: int) -> None:
        self.places = Places()
        self.order = Order.UNSHUFFLED
        self.shuffles = 0
        self.wrong: tuple[str, str] | None = None
        """Why the cards inside are unproven: the fault word and the detail."""
        self._seed = seed
        self._loads = 0
        self._is_stacked = False

    def put_in(self, deck: Deck, faults: FaultBoard, hand_size: int) -> None:
        """Put a deck in. Armed deck faults strike on the way."""
        self._loads += 1
        brought = tampered(deck, faults, Occasion(self._seed, self._loads, self.shuffles + 1, hand_size))
        self.places.put_in(brought.pieces)
        self.order, self._is_stacked = Order.UNSHUFFLED, brought.stacked

    def shuffle(self) -> None:
        """Shuffle into the order of the seed. A stacked deck keeps its own order, this once."""
        self.shuffles += 1
        if not self._is_stacked:
            self.places.arrange(shuffled(self.places.rack, self._seed, self.shuffles))
        self._is_stacked = False
        self.order = Order.PROVEN

    def doubt(self, why: str, word: str = UNPROVEN_DECK) -> None:
        """Note that the cards inside have to come out. The first reason is the one that is reported."""
        self.order = Order.UNPROVEN
        self.wrong = self.wrong or (word, why)

    def resting_state(self) -> State:
        """Return the state in which the machine rests, by what lies where. An empty rack leaves nothing to doubt."""
        if self.places.rollers:
            return State.JAMMED
        if not self.places.rack:
            self.wrong = None
            return State.LAST_OFFERED if self.places.tray else State.EMPTY
        if self.order is Order.PROVEN:
            return State.OFFERED if self.places.tray else State.READY
        return State.UNPROVEN if self.order is Order.UNPROVEN else State.LOADED
