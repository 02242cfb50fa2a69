"""The deck in a machine: where its pieces lie, and what the machine believes of their order."""

from __future__ import annotations

from enum import Enum

from sim_hardware.deck import Deck, shuffled
from sim_hardware.faults import FaultBoard
from sim_hardware.places import Places
from sim_hardware.shuffler_states import State
from sim_hardware.tampering import Occasion, tampered

UNPROVEN_DECK = "unproven-deck"
"""A fault word of this model, beside those of felt-link: the cards inside have to come out."""


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
        """A deck goes in, with whatever is armed to be wrong with it."""
        self._loads += 1
        brought = tampered(deck, faults, Occasion(self._seed, self._loads, self.shuffles + 1, hand_size))
        self.places.put_in(brought.pieces)
        self.order, self._is_stacked = Order.UNSHUFFLED, brought.stacked

    def shuffle(self) -> None:
        """Into the order of the seed; a stacked deck keeps its own, this once."""
        self.shuffles += 1
        if not self._is_stacked:
            self.places.arrange(shuffled(self.places.rack, self._seed, self.shuffles))
        self._is_stacked = False
        self.order = Order.PROVEN

    def doubt(self, why: str, word: str = UNPROVEN_DECK) -> None:
        """From now on the cards inside have to come out; the first reason is the one that is told."""
        self.order = Order.UNPROVEN
        self.wrong = self.wrong or (word, why)

    def resting_state(self) -> State:
        """Where the machine comes to rest, by what lies where. Nothing in the rack is nothing to doubt."""
        if self.places.rollers:
            return State.JAMMED
        if not self.places.rack:
            self.wrong = None
            return State.LAST_OFFERED if self.places.tray else State.EMPTY
        if self.order is Order.PROVEN:
            return State.OFFERED if self.places.tray else State.READY
        return State.UNPROVEN if self.order is Order.UNPROVEN else State.LOADED
