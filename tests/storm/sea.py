"""A whole table in virtual time: the real composition root, journal and drivers, and an emulated shuffler on a wire.

The daemon crashes where a process can: between any two of its steps, and between the commit of an event and its
acknowledgement. Each life begins on the journal that the last one left.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from daemon import app
from daemon.app import Graph, Outside
from daemon.config.load import load
from daemon.journal.creation import create
from daemon.recovery import recover, replayed
from daemon.table.settings import Reconciling
from daemon.tools.bench.broker import BrokerKind
from daemon.tools.bench.client import EventHeard
from daemon.tools.bench.dealer import Habits, People
from daemon.tools.bench.dealing import DealingPace
from daemon.tools.bench.settings import BenchSettings
from daemon.tools.bench.tally import Tally
from daemon.tools.bench.world import configuration
from drivers.commands import CommandDue
from drivers.device import Device
from drivers.errors import LinkError
from drivers.events import Receipt, Stamp
from drivers.profile import DeviceSettings
from drivers.transports.base import Clock, Transport
from drivers.transports.memory import MemoryTransport
from protocols.cards import spell
from sim_hardware.loop_time import loop_ns
from sim_hardware.pace import Pace
from sim_hardware.ports import MemoryPort
from sim_hardware.rig import numbered_boots
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_settings import ShufflerSettings
from sim_hardware.shuffler_states import Refused
from tests.storm.people import StormClient
from tests.storm.weather import Gust, clear_sky, gust

SEATS: Final = 4
EPOCH_NS: Final = 1_795_000_000_000_000_000
AFTERMATH_S_MAX: Final = 3_600.0
AFTERMATH_ROUNDS: Final = 2


class CrashError(Exception):
    """The power goes here."""


@dataclass
class Fragile:
    """A device at which the process may die just before it is told something that was committed."""

    device: Device
    dies_next: bool = False

    def acknowledge(self, receipt: Receipt) -> None:
        if self.dies_next:
            raise CrashError
        self.device.acknowledge(receipt)

    def send(self, due: CommandDue) -> None:
        self.device.send(due)


def stamp() -> Stamp:
    """Virtual time as both clocks."""
    now_ns = loop_ns()
    return Stamp(EPOCH_NS + now_ns, now_ns)


@dataclass
class Log:
    """What was heard, and what lay in the tray."""

    tally: Tally = field(default_factory=Tally)
    heard: list[EventHeard] = field(default_factory=list)
    packets: Counter[str] = field(default_factory=Counter)
    lives: int = 0

    def hear(self, heard: EventHeard) -> None:
        assert self.tally.note(heard), f"{heard.sequence} was said twice by one journal"
        self.heard.append(heard)
        if heard.kind == "hand-settled":
            hand = " ".join(heard.data["cards"])
            self.packets[hand] -= 1
            assert self.packets[hand] >= 0, f"{hand} was settled and never lay in the tray, or twice"


class Sea:
    """One storm."""

    def __init__(self, directory: Path, seed: int) -> None:
        self.chance = Random(seed)
        self.port = MemoryPort()
        self.log = Log()
        settings = ShufflerSettings(seed=seed, pace=Pace(2.0))
        self.rig = ShufflerRig(settings, self.port, boots=numbered_boots(f"storm-{seed}"))
        self.client = StormClient(stamp)
        self.client.listen(self.log.hear)
        self.people = People(self.client, self.rig, Habits(seed, SEATS, DealingPace(2.0), Reconciling.STEP))  # type: ignore[arg-type]
        asked = BenchSettings(directory, seed, SEATS, 2.0, Reconciling.STEP, BrokerKind.AUTO, "5")
        self._config = load(configuration(asked, 1883, "serial:/dev/feltd-storm"))
        create(self._config.journal)
        self._fragile: Fragile | None = None
        self._daemon: asyncio.Task[None] | None = None
        self._witness_the_tray()

    def _witness_the_tray(self) -> None:
        take = self.rig.take

        def noted() -> Refused | None:
            faces = spell(tuple(piece.face for piece in self.rig.machine.places.tray))
            refused = take()
            if refused is None:
                self.log.packets[faces] += 1
            return refused

        self.rig.take = noted  # type: ignore[method-assign]

    async def blow(self, gusts: int) -> None:
        """The storm, and the calm after it in which the table has to play on."""
        await self.rig.start()
        self._daemon = asyncio.create_task(self._lives())
        playing = asyncio.create_task(self.people.run())
        try:
            for _ in range(gusts):
                await self._one(gust(self.chance))
            await self._aftermath()
        finally:
            for task in (playing, self._daemon):
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
            await self.rig.stop()

    async def _one(self, coming: Gust) -> None:
        await self._unless_broken(coming.after_s)
        match coming.what:
            case "unplug":
                self.rig.unplug()
            case "door":
                self.rig.open_door()
            case "crash":
                assert self._daemon is not None
                self._crash.set()
            case "crash at an acknowledgement":
                if self._fragile is not None:
                    self._fragile.dies_next = True
            case _:
                assert coming.fault is not None
                self.rig.arm(coming.fault, coming.arming)
        await self._unless_broken(coming.lasts_s)
        clear_sky(self.rig)

    async def _unless_broken(self, seconds: float) -> None:
        """Let time pass; what broke meanwhile is raised here."""
        assert self._daemon is not None
        await asyncio.wait({self._daemon}, timeout=seconds)
        if self._daemon.done():
            self._daemon.result()

    async def _aftermath(self) -> None:
        goal = self.log.tally.kinds["round-settled"] + AFTERMATH_ROUNDS
        waited_s = 0.0
        while self.log.tally.kinds["round-settled"] < goal:
            await self._unless_broken(10.0)
            waited_s += 10.0
            assert waited_s < AFTERMATH_S_MAX, f"the table does not play on: {self.client.state['table']}"

    # The daemon's lives.

    async def _lives(self) -> None:
        while True:
            self._crash = asyncio.Event()
            with app.built(self._config, Outside(stamp, self._open)) as graph:
                self.log.lives += 1
                await self._live(graph)
                self.client.unbind()
            await asyncio.sleep(self.chance.uniform(0, 5))

    async def _live(self, graph: Graph) -> None:
        tasks = [asyncio.create_task(graph.intake.run()), asyncio.create_task(self._until_crash())]
        for name, device in list(graph.devices.items()):
            tasks.append(asyncio.create_task(device.run()))
            self._fragile = Fragile(device)
            graph.devices[name] = self._fragile  # type: ignore[assignment]
        self.client.bind(graph)
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                with suppress(CrashError):
                    task.result()
        finally:
            for task in tasks:
                task.cancel()
                with suppress(asyncio.CancelledError, CrashError):
                    await task
        assert recover(graph.journal) == replayed(graph.journal, None, 0) == graph.intake.state

    async def _until_crash(self) -> None:
        await self._crash.wait()

    async def _open(self, _: DeviceSettings, clock: Clock) -> Transport:
        far = self.port.far
        if not far.is_plugged:
            raise LinkError("no cable")
        transport = MemoryTransport(clock, on_write=far.write)
        far.on_data = transport.deliver
        far.on_unplugged = lambda: transport.cut("the cable was pulled")
        return transport
