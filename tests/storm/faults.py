"""What goes wrong and when: all of it is drawn from the seed at first, so that a storm can be repeated and shrunk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from daemon.rules.wagers import GameName
from daemon.tools.bench.devices import faults_of
from sim_hardware.faults import LINE_FAULTS, Always, Arming, FaultName, NextTime, OnPacket
from tests.support.crash_points import Point

CALM_S_MAX: Final = 60.0
LASTS_S_MAX: Final = 40.0
LASTING: Final = (
    FaultName.CORRUPTED_FRAMES,
    FaultName.DROPPED_FRAMES,
    FaultName.REPEATED_FRAMES,
    FaultName.SLOW,
)
UNPLUG: Final = "unplug"
DOOR: Final = "door"
CRASH: Final = "crash"
CRASH_AT: Final = "crash at a point of the line"
BROKER: Final = "broker away"
VOID: Final = "a supervisor voids"
CHANGE: Final = "change of game"
FULL: Final = "the disk is full"
BROKEN: Final = "the disk puts nothing down"
POWER: Final = "the power goes"
OLDER: Final = "an older copy of the journal"
CLOCK: Final = "the clock is set"
OF_THE_DISK: Final = (FULL, BROKEN, POWER, OLDER)
OFTEN: Final = {
    "fault": 10, UNPLUG: 3, CRASH: 1, CRASH_AT: 4, BROKER: 2, DOOR: 1, VOID: 1,
    FULL: 1, BROKEN: 1, POWER: 2, OLDER: 1, CLOCK: 1,
}  # fmt: skip
"""Relative to each other. A change of game takes its own time, and comes where the schedule says."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that goes wrong, or that a supervisor does. `what` is of the device that deals then."""

    after_s: float
    what: FaultName | Point | str
    lasts_s: float = 0.0
    arming: Arming = NextTime()  # noqa: RUF009 - frozen
    game: GameName | None = None


def schedule(
    chance: Random, deals: Mapping[GameName, str], a_game: int, *, harmless: bool = False
) -> tuple[Fault, ...]:
    """Draw so many faults for each game in turn, and the changes between the games.

    Harmless are those of links, broker and process: with a device that keeps its events they may not change a round.
    """
    drawn: list[Fault] = []
    weights = {what: weight for what, weight in OFTEN.items() if not (harmless and what in (DOOR, VOID))}
    for game, profile in deals.items():
        if drawn:
            drawn.append(Fault(chance.uniform(0, CALM_S_MAX), CHANGE, game=game))
        possible = [name for name in faults_of(profile) if name in LINE_FAULTS or not harmless]
        drawn += [_fault(chance, weights, possible) for _ in range(a_game)]
    return tuple(drawn)


def _fault(chance: Random, weights: Mapping[str, int], possible: Sequence[FaultName]) -> Fault:
    what: FaultName | Point | str = chance.choices(list(weights), list(weights.values()))[0]
    arming: Arming = NextTime()
    if what == "fault":
        what = chance.choice(possible)
        if what in LASTING:
            arming = Always(chance.randint(5, 60))
        elif chance.random() < 0.3:
            arming = OnPacket(chance.randint(1, 3))
    elif what == CRASH_AT:
        what = chance.choice(list(Point))
    return Fault(chance.uniform(0, CALM_S_MAX), what, chance.uniform(0.1, LASTS_S_MAX), arming)
