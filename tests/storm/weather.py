"""What goes wrong and when: drawn from the seed, so that a storm that found something can be had again."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from sim_hardware.faults import SHUFFLER_FAULTS, Always, Arming, FaultName, NextTime, OnPacket
from sim_hardware.shuffler_rig import ShufflerRig

CALM_S_MAX: Final = 60.0
LASTS_S_MAX: Final = 40.0
LASTING: Final = (
    FaultName.CORRUPTED_FRAMES,
    FaultName.DROPPED_FRAMES,
    FaultName.REPEATED_FRAMES,
    FaultName.SLOW,
)


@dataclass(frozen=True, slots=True)
class Gust:
    """One thing that goes wrong."""

    after_s: float
    what: str
    fault: FaultName | None
    arming: Arming
    lasts_s: float


def gust(chance: Random) -> Gust:
    """The next one."""
    what = chance.choices(("fault", "unplug", "crash", "crash at an acknowledgement", "door"), (10, 3, 2, 2, 1))[0]
    fault = chance.choice(SHUFFLER_FAULTS) if what == "fault" else None
    arming: Arming = NextTime()
    if fault in LASTING:
        arming = Always(chance.randint(5, 60))
    elif chance.random() < 0.3:
        arming = OnPacket(chance.randint(1, 3))
    return Gust(chance.uniform(0, CALM_S_MAX), what, fault, arming, chance.uniform(0.1, LASTS_S_MAX))


def clear_sky(rig: ShufflerRig) -> None:
    """Everything that was switched on is off, and the cable is in."""
    for name in list(rig.faults.armed):
        rig.disarm(name)
    rig.close_door()
    rig.replug()
