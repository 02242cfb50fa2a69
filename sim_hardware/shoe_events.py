"""What happens at an emulated shoe, before its line has a word for it.

Four of its events are felt-link's own words, because they say no more than that: decks put in, the cut card, a card put
back, a key.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from protocols.cards import Face
from protocols.felt_link.messages import DeckLoaded, WireButtonPressed, WireCardReturned, WireCutCardDrawn
from sim_hardware.baccarat import Result, Side


class Spot(Enum):
    """What the shoe takes a card for, by the order in which they come."""

    FIRST = "first"  # the one that is turned over after loading
    BURN = "burn"
    GAME = "game"


class Outside(Enum):
    """Why the shoe has no game on."""

    LOCKED = "locked"
    IN_ERROR = "in error"
    SETTING = "setting"


class ShoeError(Enum):
    """What the shoe stops for until somebody says that it is put right."""

    CANNOT_READ = "cannot read"
    PUSHED_BACK = "pushed back"
    OVERDRAW = "overdraw"  # a card that baccarat does not allow


class ShoeOrder(Enum):
    """What a host can want of a shoe."""

    LOCK = "lock"
    UNLOCK = "unlock"
    CLEAR_ERROR = "clear error"
    USE_CARD = "use card"  # that was an overdraw
    DISCARD_CARD = "discard card"
    CONFIRM = "confirm"


@dataclass(frozen=True, slots=True)
class PoweredOn:
    """It starts, and knows nothing of before."""


@dataclass(frozen=True, slots=True)
class CardOut:
    """Card `number` since loading came out and was read, or could not be named. `place` counts within its spot.

    `side` is whose card a shoe that referees baccarat takes it for; `place` counts within that hand then.
    """

    number: int
    face: Face
    spot: Spot
    place: int
    outside: Outside | None
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class ErrorBegan:
    """The shoe stopped for this."""

    error: ShoeError


@dataclass(frozen=True, slots=True)
class ErrorEnded:
    """Somebody put it right."""

    error: ShoeError


@dataclass(frozen=True, slots=True)
class LockTurned:
    """By its key or by an order."""

    is_locked: bool


@dataclass(frozen=True, slots=True)
class DealEnded:
    """The dealer ended the shoe's game. `result` is None where the shoe does not know that it was over."""

    result: Result | None = None


ShoeEvent: TypeAlias = (
    PoweredOn
    | DeckLoaded
    | CardOut
    | WireCutCardDrawn
    | WireCardReturned
    | ErrorBegan
    | ErrorEnded
    | LockTurned
    | DealEnded
    | WireButtonPressed
)
