"""A table under faults, by seed: devices, links, cable, door, broker, process, disk, clock and supervisor.

Beside the table stands a witness who sees each card as hands take it out of a device, and a judge who hears everything.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from daemon.table.vocabulary import Actor
from daemon.tools.bench.client import EventHeard
from daemon.tools.bench.devices import faults_of
from daemon.tools.bench.games import GAMES
from daemon.tools.bench.keys import Source
from drivers.events import Stamp
from sim_hardware.faults import FaultName
from sim_hardware.loop import run
from sim_hardware.mechanism import Refused
from sim_hardware.shoe_rig import ShoeRig
from sim_hardware.shuffler_rig import ShufflerRig
from tests.storm import faults
from tests.storm.faults import Fault
from tests.storm.judge import Judge, judge_journal
from tests.storm.storm_disk import StormDisk
from tests.support.crash_points import Point
from tests.support.virtual_table import House, Log, VirtualTable, reliable

AFTERMATH_S_MAX: Final = 3_600.0
AFTERMATH_ROUNDS: Final = 2
STANDSTILL_S: Final = 600.0
CLOCK_SET_S_MAX: Final = 100_000.0
"""More than a day, so that midnight comes and goes, and comes again."""


@dataclass
class StormLog(Log):
    """What was heard, each event before the judge."""

    judge: Judge = field(default_factory=Judge)
    standstills: int = 0

    def hear(self, heard: EventHeard) -> None:
        super().hear(heard)
        self.judge.hear(heard)


def house(chance: Random) -> House:
    """Every game, in any order, each from any kind of device that can deal it."""
    games = chance.sample(list(GAMES), len(GAMES))
    return House({game: chance.choice(reliable(game)) for game in games})


def plan_of(seed: int, faults_a_game: int, *, harmless: bool = False) -> tuple[Fault, ...]:
    """Return the faults of a seed's storm."""
    chance = Random(seed)
    return faults.schedule(chance, house(chance).deals, faults_a_game, harmless=harmless)


def storm(
    seed: int, directory: Path, faults_a_game: int, *, harmless: bool = False, plan: Sequence[Fault] | None = None
) -> StormTable:
    """Play the storm of this seed, or another plan of faults at its table."""
    drawn = plan_of(seed, faults_a_game, harmless=harmless) if plan is None else plan

    async def played() -> StormTable:
        table = StormTable(directory, seed, house(Random(seed)), is_strict=harmless)
        with table.disk.under():
            await table.run(drawn)
        return table

    return run(played(), seed)


class StormTable(VirtualTable):
    """One storm."""

    log: StormLog
    _set_by_ns = 0

    def __init__(self, directory: Path, seed: int, house: House, *, is_strict: bool = False) -> None:
        super().__init__(directory, seed, house, StormLog(judge=Judge(is_strict)))
        self.disk = StormDisk(self._config.journal, Random(seed))
        for rig in self.rigs.values():
            _witness(rig, self.log)
        self.client.watch = self.log.judge.see

    def stamp(self) -> Stamp:
        """Return the time, by a clock that somebody may have set. The monotonic clock cannot be set."""
        now = super().stamp()
        return Stamp(now.utc_ns + self._set_by_ns, now.mono_ns)

    def before_a_life(self) -> None:
        self.disk.mend()

    def after_a_kill(self) -> None:
        self.disk.spare_the_close()

    def may_end(self, error: Exception) -> bool:
        return self.disk.may_end(error)

    async def run(self, schedule: Sequence[Fault]) -> None:
        """The faults one after the other, and then the calm in which the table has to play on."""
        async with self.open():
            looking = self.watch(self._end_standstills())
            try:
                for fault in schedule:
                    await self.do(self._strike(fault))
                await self._play_on()
            finally:
                looking.cancel()
        judge_journal(self._config.journal, self.client.received, self.client.answers)

    async def _strike(self, fault: Fault) -> None:
        await self.let_pass(fault.after_s)
        rig = self.rig
        match fault.what:
            case faults.CHANGE:
                assert fault.game is not None
                await self.change_over(fault.game)
                return
            case faults.CRASH:
                self.crash()
            case Point():
                self.crash_at(fault.what)
            case faults.BROKER:
                self.broker.cut()
            case faults.VOID:
                await self._void()
            case faults.CLOCK:
                self._set_by_ns += int(self.chance.uniform(-CLOCK_SET_S_MAX, CLOCK_SET_S_MAX) * 1e9)
            case str() if fault.what in faults.OF_THE_DISK:
                self.disk.strike(fault.what)
            case _:
                self._strike_device(fault)
        await self.let_pass(fault.lasts_s)
        if fault.what == faults.OLDER:
            self.crash()  # and at the next start somebody has put the older copy there
        _clear(rig)

    def _strike_device(self, fault: Fault) -> None:
        rig = self.rig
        match fault.what:
            case faults.UNPLUG:
                rig.unplug()
            case faults.DOOR if isinstance(rig, ShufflerRig):
                rig.open_door()
            case FaultName() if fault.what in faults_of(self.house.deals[self.played]):
                rig.arm(fault.what, fault.arming)

    async def _end_standstills(self) -> None:
        """The supervisor voids a round in which nobody does anything: a player whose hand is short never decides."""
        while True:
            heard = len(self.log.heard)
            await asyncio.sleep(STANDSTILL_S)
            if len(self.log.heard) == heard:
                self.log.standstills += 1
                assert not self.log.judge.is_strict, f"the table stands still: {self.client.state['table']}"
                await self._void()

    async def _void(self) -> None:
        table = self.client.state["table"]
        if table["round_id"] is not None:
            await self.client.ask("void-round", Actor.SUPERVISOR, table["round_id"], reason="the storm's supervisor")

    async def _play_on(self) -> None:
        goal = self.log.tally.kinds["round-settled"] + AFTERMATH_ROUNDS
        waited_s = 0.0
        while self.log.tally.kinds["round-settled"] < goal:
            await self.let_pass(10.0)
            waited_s += 10.0
            assert waited_s < AFTERMATH_S_MAX, f"the table does not play on: {self.client.state['table']}"


def _clear(rig: Source) -> None:
    """Everything that was switched on is off, the door is closed, and the cable is in."""
    for name in list(rig.faults.armed):
        rig.disarm(name)
    if isinstance(rig, ShufflerRig):
        rig.close_door()
    rig.replug()


def _witness(rig: Source, log: StormLog) -> None:
    """Note what hands take, from the cards themselves and not from what the device read."""
    if isinstance(rig, ShoeRig):
        _witness_shoe(rig, log)
        return
    take = rig.take_packet

    def taken() -> Refused | None:
        faces = [str(piece.face) for piece in rig.machine.places.tray]
        refused = take()
        if refused is None:
            log.judge.on_felt.update(faces)
        return refused

    rig.take_packet = taken  # type: ignore[method-assign]


def _witness_shoe(rig: ShoeRig, log: StormLog) -> None:
    draw = rig.draw

    def drawn() -> Refused | None:
        before = len(rig.shoe.drawn)
        refused = draw()
        log.judge.on_felt.update(str(piece.face) for piece in rig.shoe.drawn[before:])
        return refused

    rig.draw = drawn  # type: ignore[method-assign]
