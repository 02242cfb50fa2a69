"""What the table says, as a program reads it: the id of each sentence, and what it is about.

Theory of operation. Code that prompts makes a `Said`: which sentence, with whose seat, how many cards, how much money.
`daemon.table.sentences` makes the English sentence of it, and of nothing else. So the two cannot disagree, and a screen
of another language makes its own sentence of the same fields.

A field that a sentence does not need stays at its default, and is neither written nor sent. Ids and fields are public
names and stay: a sentence that asks for something else gets an id of its own.
"""

from __future__ import annotations

from dataclasses import fields
from functools import lru_cache
from typing import ClassVar, Final

from daemon.rules.wagers import WagerName
from daemon.table.offers import Bounds
from daemon.table.said_ids import SaidId as SaidId
from daemon.table.vocabulary import SeatNumber
from protocols.cards import Card
from protocols.frozen import dataclass

DEVICE_CLAUSES: Final = 64


@dataclass(frozen=True, slots=True)
class Clause:
    """One thing that is said, by its id and what it is about."""

    OMITS_DEFAULTS: ClassVar[bool] = True  # where it is written: most fields concern other sentences

    id: SaidId
    place: SeatNumber | None = None  # a seat, or where the house's cards lie; None where the rest of the deck is meant
    drawn: bool = False  # what is drawn to the hand of this place, and not its first cards
    hand: int | None = None  # which of several hands of the seat
    hands: int | None = None
    seats: tuple[SeatNumber, ...] = ()
    count: int | None = None
    wanted: int | None = None  # how many there should be
    left: int | None = None
    times: int | None = None  # that this was so
    cents: int | None = None
    seen_cents: int | None = None
    bounds: Bounds | None = None  # of a stake, in cents
    spot: WagerName | None = None
    card: Card | None = None
    device: str | None = None
    who: str | None = None
    names: tuple[str, ...] = ()  # of alerts, or of decisions
    word: str | None = None  # a name of the contract's, as of an irregularity or a fault
    text: str | None = None  # a person's or a device's own words; where a driver said them, `word` is its code
    steps: int = 0  # that it says: so many of those that the prompt has, in their order
    later_steps: int = 0  # the same, for those after what is done with the cards


@dataclass(frozen=True, slots=True)
class Said(Clause):
    """One sentence of a prompt, with the clauses inside it."""

    because: tuple[Clause, ...] = ()


def as_sentence(said: Clause) -> Said:
    """Return a clause as something that is said by itself."""
    return said if isinstance(said, Said) else Said(*(getattr(said, each.name) for each in fields(Clause)))


def as_clause(said: Clause) -> Clause:
    """Return a sentence as it stands inside another one, without clauses of its own."""
    return Clause(*(getattr(said, each.name) for each in fields(Clause)))


THEN_NEXT: Final = Said(SaidId.THEN_NEXT)
"""With this a prompt ends whose work the dealer ends with next."""


@lru_cache(DEVICE_CLAUSES)
def of_device(said: SaidId, device: str, word: str | None = None) -> Clause:
    """Return a clause about a device. The same few are asked for again with each offer."""
    return Clause(said, device=device, word=word)
