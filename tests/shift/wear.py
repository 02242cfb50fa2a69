"""What goes wrong in a day at one table, and how often: assumptions, because nobody publishes such figures.

They are set high, so that a day has every one of them: a well-kept machine jams once in weeks, not four times a day.
What each can lead to is part of the assumption, so that an alert which none of them explains is found. It is the
shuffler that wears; the shoe of this table is sound.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Final

from sim_hardware.faults import Always, FaultName, NextTime
from sim_hardware.shuffler_rig import ShufflerRig

MINUTE_S: Final = 60.0
DAY_S: Final = 86_400.0

_DOUBTS: Final = frozenset({"short-deck-shuffler", "long-deck-shuffler", "other-shuffler", "unexpected-cards-shuffler"})
"""A machine that lost count of its cards says so, in one way or another, until a whole deck is in it again."""


@dataclass(frozen=True, slots=True)
class Wear:
    """One kind of trouble: how often in a day, how long it lasts, and the alerts that it may raise."""

    a_day: float
    lasts_s: float
    alerts: frozenset[str]


_LOSS: Final = frozenset({"missing-shuffler"})
CABLE: Final = "cable"
DOOR: Final = "door"
CRASH: Final = "crash"

WEAR: Final[Mapping[FaultName | str, Wear]] = MappingProxyType(
    {
        FaultName.UNREADABLE_CARD: Wear(6, 0, frozenset()),
        FaultName.BOXED_CARD: Wear(2, 0, frozenset()),
        FaultName.SHORT_HAND: Wear(2, 0, _DOUBTS),
        FaultName.LONG_HAND: Wear(1, 0, _DOUBTS),
        FaultName.DUPLICATE_CARD: Wear(1, 0, frozenset()),
        FaultName.MISSING_CARD: Wear(1, 0, _DOUBTS),
        FaultName.JAM: Wear(4, 0, _DOUBTS | {"jam-shuffler"}),
        FaultName.WRONG_MODE: Wear(2, 0, frozenset({"wrong-mode-shuffler", "order-refused-shuffler"}) | _DOUBTS),
        FaultName.REBOOT: Wear(1, 0, _DOUBTS | _LOSS | {"wrong-mode-shuffler"}),
        FaultName.CORRUPTED_FRAMES: Wear(8, 2 * MINUTE_S, _LOSS),
        FaultName.DROPPED_FRAMES: Wear(8, 2 * MINUTE_S, _LOSS),
        FaultName.REPEATED_FRAMES: Wear(4, 2 * MINUTE_S, frozenset()),
        CABLE: Wear(2, MINUTE_S, _LOSS),
        DOOR: Wear(3, MINUTE_S, _DOUBTS | {"door-open-shuffler", "jam-shuffler"}),  # a packet half way out is stuck
        CRASH: Wear(3, 0, frozenset({"unwatched-shoe"})),  # cards can leave the shoe while no daemon hears it
    }
)
CAN_ALERT_S: Final = 15 * MINUTE_S
"""A trouble strikes with the next packet that it fits, and shows at the latest when the deck is shuffled again."""


def next_trouble(chance: Random, times: float) -> tuple[float, FaultName | str]:
    """After how many seconds the next one comes, and which; `times` as often as in an ordinary day."""
    a_day = {what: wear.a_day * times for what, wear in WEAR.items()}
    after_s = chance.expovariate(sum(a_day.values()) / DAY_S)
    return after_s, chance.choices(list(a_day), list(a_day.values()))[0]


def begin(rig: ShufflerRig, what: FaultName | str) -> None:
    """It happens. A crash is the daemon's and not the machine's."""
    match what:
        case FaultName():
            rig.arm(what, Always(20) if WEAR[what].lasts_s else NextTime())
        case _ if what == CABLE:
            rig.unplug()
        case _ if what == DOOR:
            rig.open_door()


def end(rig: ShufflerRig, what: FaultName | str) -> None:
    """Somebody sees to it. What strikes once is left armed until it strikes."""
    match what:
        case FaultName():
            if WEAR[what].lasts_s:
                rig.disarm(what)
        case _ if what == CABLE:
            rig.replug()
        case _ if what == DOOR:
            rig.close_door()
