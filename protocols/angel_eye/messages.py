"""The messages of the link as frozen values: a shoe's reports, and a host's commands.

A number that no public decoder explains stays a number. It is never taken for the nearest one that has a name.
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum, IntEnum
from typing import TypeAlias

from protocols.cards import Face
from protocols.frozen import dataclass


class Target(Enum):
    """Where the shoe believes that a card went. It deals baccarat, and knows no other game."""

    PLAYER = 0
    BANKER = 1
    BURN = 2
    FIRST_CARD = 4
    BURN_COUNT = 5


class OutsideReason(Enum):
    """Why a card was drawn while no game of the shoe was on."""

    LOCKED = 0
    IN_ERROR = 1
    SETTING_MODE = 2


class Winner(Enum):
    """How the shoe's own game of baccarat ended."""

    PLAYER = 1
    TIE = 2
    BANKER = 4
    FORCED_END = 7


class Pairs(Enum):
    """Whose first two cards were a pair in it."""

    NONE = 0
    PLAYER = 1
    BANKER = 2
    BOTH = 3


class ErrorCode(Enum):
    """What is wrong at the shoe."""

    CANNOT_READ = 1
    OVERDRAW = 2
    BUTTON_MISHANDLED = 3
    REVERSE_RUN_AT_EXIT = 4
    REVERSE_RUN_MIDWAY = 5
    CARD_CODE = 6
    DRAWING_TIME_OUT = 7


class NakCode(IntEnum):
    """Why a shoe refuses a command."""

    LINE = 0x01  # framing, parity or overrun
    BCC = 0x02
    NO_ETX = 0x03
    LENGTH = 0x11
    ADDRESS = 0x12
    COMMAND = 0x13
    TYPE = 0x14
    BUSY = 0x21
    WRITING = 0x22
    OTHER = 0xFF


@dataclass(frozen=True, slots=True)
class Place:
    """Where the shoe believes that a card went, and as which."""

    target: Target | int
    index: int


@dataclass(frozen=True, slots=True)
class Started:
    """`S`: the shoe was switched on or reset. What it had not reported by then is lost."""


@dataclass(frozen=True, slots=True)
class Standby:
    """`P`: between rounds of the shoe's own game."""


@dataclass(frozen=True, slots=True)
class WireCutCardDrawn:
    """`C`: the cut card came out."""


@dataclass(frozen=True, slots=True)
class WireCardDrawn:
    """`D`: a card came out in a game."""

    place: Place
    face: Face


@dataclass(frozen=True, slots=True)
class CardDrawnOutside:
    """`d`: a card came out while no game was on. It is not known what its index counts."""

    reason: OutsideReason | int
    index: int
    face: Face


@dataclass(frozen=True, slots=True)
class CardAgain:
    """`R`, whose meaning is disputed: `options.CardAgainMeans`. Only a frame says this, a host connection never."""

    place: Place
    face: Face


@dataclass(frozen=True, slots=True)
class CardResent:
    """`R`, taken as a card that was reported before."""

    place: Place
    face: Face


@dataclass(frozen=True, slots=True)
class CardRedealt:
    """`R`, taken as a re-deal: the round is cleared, and this card is of the next attempt."""

    place: Place
    face: Face


@dataclass(frozen=True, slots=True)
class GameEnded:
    """`G`: the result of the shoe's own game of baccarat. It means nothing to another game."""

    winner: Winner | int
    pairs: Pairs


@dataclass(frozen=True, slots=True)
class ErrorRaised:
    """`E`."""

    error: ErrorCode | int
    is_in_error_mode: bool


@dataclass(frozen=True, slots=True)
class ErrorCancelled:
    """`e`."""

    error: ErrorCode | int
    is_in_error_mode: bool


@dataclass(frozen=True, slots=True)
class LockChanged:
    """`L`."""

    is_locked: bool


@dataclass(frozen=True, slots=True)
class PresetChanged:
    """`M`: two characters of address, four of value."""

    address: str
    value: str


@dataclass(frozen=True, slots=True)
class UnknownReport:
    """A sound report that no decoder explains. It may name a card, so the repr leaves the payload out."""

    letter: str
    reason: str
    payload: bytes = field(repr=False)


Undisputed: TypeAlias = (
    Started
    | Standby
    | WireCutCardDrawn
    | WireCardDrawn
    | CardDrawnOutside
    | GameEnded
    | ErrorRaised
    | ErrorCancelled
    | LockChanged
    | PresetChanged
)
KnownReport: TypeAlias = Undisputed | CardAgain
WireReport: TypeAlias = KnownReport | UnknownReport
"""What a frame says."""

ShoeReport: TypeAlias = Undisputed | CardResent | CardRedealt | UnknownReport
"""What a report means once the profile has chosen."""


@dataclass(frozen=True, slots=True)
class SetLock:
    """`LK`."""

    is_locked: bool


class ErrorAnswer(Enum):
    """The host's answer to an error. It is not the error's code."""

    CLEAR = 0  # for any error but Overdraw
    USE_CARD = 1  # for Overdraw only: the card that was drawn counts
    DISCARD_CARD = 2  # for Overdraw only: the next card counts


@dataclass(frozen=True, slots=True)
class AnswerError:
    """`EC`."""

    answer: ErrorAnswer


@dataclass(frozen=True, slots=True)
class ConfirmProcess:
    """`GP`."""


Command: TypeAlias = SetLock | AnswerError | ConfirmProcess


@dataclass(frozen=True, slots=True)
class UnknownCommand:
    """A sound command that a shoe refuses, and the code of the refusal."""

    text: str
    refusal: NakCode
