"""What happens at an emulated shoe, before it becomes words of a link.

Four events are felt-link's own, because they say the same: decks put in, the cut card, a card put back, a key.
"""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from protocols.cards import Face
from protocols.felt_link.messages import DeckLoaded as DeckLoaded
from protocols.felt_link.messages import WireButtonPressed as WireButtonPressed
from protocols.felt_link.messages import WireCardReturned as WireCardReturned
from protocols.felt_link.messages import WireCutCardDrawn as WireCutCardDrawn
from protocols.frozen import dataclass
from sim_hardware.baccarat import Result, Side


class Spot(Enum):
    """What the shoe believes that a card is for, by the order of the cards."""

    FIRST = "first"  # the one that is turned over after loading
    BURN = "burn"
    GAME = "game"


class NoGame(Enum):
    """Why the shoe has no game on."""

    LOCKED = "locked"
    IN_ERROR = "in error"
    SETTING = "setting"


class ShoeError(Enum):
    """Why the shoe stops, until a person or the host says that it is put right."""

    CANNOT_READ = "cannot read"
    PUSHED_BACK = "pushed back"
    OVERDRAW = "overdraw"  # a card that baccarat does not allow


class ShoeOrder(Enum):
    """What a host can order of a shoe."""

    LOCK = "lock"
    UNLOCK = "unlock"
    CLEAR_ERROR = "clear error"
    USE_CARD = "use card"  # that was an overdraw
    DISCARD_CARD = "discard card"
    CONFIRM = "confirm"


@dataclass(frozen=True, slots=True)
class PoweredOn:
    """The shoe starts, and has forgotten everything before."""


@dataclass(frozen=True, slots=True)
class CardOut:
    """Card `number` since loading came out and was read, or could not be named. `place` counts within its spot.

    A shoe that referees baccarat says whose card it is with `side`. Then `place` counts within that hand.
    """

    number: int
    face: Face
    spot: Spot
    place: int
    no_game: NoGame | None
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class ErrorBegan:
    """The shoe stopped for this."""

    error: ShoeError


@dataclass(frozen=True, slots=True)
class ErrorEnded:
    """The error was put right."""

    error: ShoeError


@dataclass(frozen=True, slots=True)
class LockTurned:
    """The shoe was locked or unlocked, by its key or by an order."""

    is_locked: bool


@dataclass(frozen=True, slots=True)
class DealEnded:
    """The dealer ended the shoe's game. `result` is None if the shoe does not know that it was over."""

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
