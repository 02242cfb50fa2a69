"""What a table is set to. The journal keeps the settings of every start, so a replay runs under those of its time."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from drivers.events import DeviceName


class Game(Enum):
    """The games, by the names that configuration, adjudication and audit share."""

    BIG_50 = "big-50"
    BIG_RAISE_HOLDEM = "big-raise-holdem"
    BIG_DRAW = "big-draw"
    BAD_BEAT_BLACKJACK = "bad-beat-blackjack"


class Reconciling(Enum):
    """Whether the table waits for the dealer's NEXT at every seat, or runs through at once."""

    STEP = "step"
    THROUGH = "through"


class PayingStyle(Enum):
    """House procedure within a spot: words and order of the prompts, never amounts."""

    LAY_AND_PAY = "lay-and-pay"
    PICK_AND_PAY = "pick-and-pay"


@dataclass(frozen=True, slots=True)
class ShufflerSettings:
    """The shuffler this table deals from, as far as the table must know it."""

    device: DeviceName
    takes_commands: bool
    reads_faces: bool
    counts: bool
    proves_no_gap: bool


@dataclass(frozen=True, slots=True)
class HousePolicies:
    """What the house does about each irregularity that its rules leave open: void, or supervisor."""

    by_irregularity: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Big50Settings:
    """Big 50's own options (big-50.md)."""

    red_black: str = "either"


GameSettings: TypeAlias = Big50Settings


@dataclass(frozen=True, slots=True)
class TableSettings:
    """One table's settings, as its reducer needs them."""

    site: str
    table: str
    game: Game
    seats: int
    shuffler: ShufflerSettings
    options: GameSettings = Big50Settings()
    reconciling: Reconciling = Reconciling.STEP
    paying: PayingStyle = PayingStyle.PICK_AND_PAY
    policies: HousePolicies = HousePolicies()
    stub_count_rounds_max: int = 5
