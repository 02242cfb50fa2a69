"""A whole table in virtual time: the real composition root, journal and drivers, emulated devices, and people.

The daemon crashes where a process can: between any two of its steps, and at each `Point` of the straight line. Each
life begins on the journal that the last one left. Its facts go through its outbox and over a broker, as at a real
table. A supervisor changes the game: the table is closed, the round that runs is waited for, and the deck is counted
where it lies in a shuffler.

The games come from the bench's registry and the devices from the drivers' profiles. So a new game and a new kind of
device are played without a line here.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

from daemon import app
from daemon.app import Graph, Outside
from daemon.config.load import load
from daemon.errors import JournalError
from daemon.journal.creation import create
from daemon.mqtt.delivery import BrokerAwayError
from daemon.recovery import recover
from daemon.rules.wagers import GameName
from daemon.table.settings import Reconciling
from daemon.table.state import Phase
from daemon.table.vocabulary import Actor
from daemon.tools.bench import devices as bench_devices
from daemon.tools.bench.broker import BrokerKind
from daemon.tools.bench.client import EventHeard
from daemon.tools.bench.dealer import Habits, People
from daemon.tools.bench.dealing import DealingPace
from daemon.tools.bench.games import GAMES
from daemon.tools.bench.keys import Source
from daemon.tools.bench.settings import BenchSettings
from daemon.tools.bench.tally import ROUND_OVER, Tally
from drivers.errors import LinkError
from drivers.events import DeviceName, Stamp
from drivers.profile import Capability, DeviceRole, DeviceSettings
from drivers.profiles import PROFILES
from drivers.transports.base import Clock, Transport
from drivers.transports.memory import MemoryTransport
from sim_hardware.loop import loop_ns
from sim_hardware.ports import MemoryPort
from sim_hardware.rig import numbered_boots
from sim_hardware.shoe_kinds import SHOE_KINDS
from sim_hardware.shoe_rig import ShoeRig
from sim_hardware.shuffler_rig import ShufflerRig
from tests.support.crash_points import CrashError, Point, crash_of, make_fragile
from tests.support.virtual_broker import VirtualBroker
from tests.support.virtual_client import VirtualClient

EPOCH_NS: Final = 1_795_000_000_000_000_000
LOOK_S: Final = 5.0
ROUND_ENDS_S_MAX: Final = 3_600.0
RESTART_S_MAX: Final = 10.0
RECONNECT_S_MAX: Final = 3.0

CONFIGURATION: Final = """\
[table]
site = "virtual"
name = "table1"
time_zone = "{time_zone}"
seats = {seats}
game = "{first}"
other_games = [{others}]
deals_from = "{source}"

{house_rules}
{limits}
{devices}
[journal]
path = "journal.db"
{key}
"""
KEY: Final = "journal.key"
"""Where a file of this name lies beside the journal, checkpoints are signed with it."""
LIMITS: Final = """\
[[limits]]
first_day = 2020-01-01
authorised_most_cents = 40000
"""


def stamp(epoch_ns: int = EPOCH_NS) -> Stamp:
    """Virtual time as both clocks."""
    now_ns = loop_ns()
    return Stamp(epoch_ns + now_ns, now_ns)


@dataclass
class Log:
    """What was heard of the table."""

    tally: Tally = field(default_factory=Tally)
    heard: list[EventHeard] = field(default_factory=list)
    lives: int = 0

    def hear(self, heard: EventHeard) -> None:
        assert self.tally.note(heard), f"{heard.sequence} was said twice by one journal"
        self.heard.append(heard)

    def of(self, *kinds: str) -> list[EventHeard]:
        """Return what was heard of these kinds."""
        return [heard for heard in self.heard if heard.kind in kinds]

    def ends(self) -> Counter[str | None]:
        """Count how often each round ended."""
        return Counter(heard.round_id for heard in self.of(*ROUND_OVER))


@dataclass(frozen=True, slots=True)
class House:
    """How the table is furnished. `deals` names the profile of the device that deals each game, the first one first."""

    deals: Mapping[GameName, str]
    seats: int = 4
    speed: float = 2.0
    time_zone: str = "UTC"
    limits: str = LIMITS
    epoch_ns: int = EPOCH_NS


def reliable(game: GameName) -> tuple[str, ...]:
    """Return the profiles from which a game can be dealt with no card missed, whatever the link does."""
    return tuple(
        name
        for name in GAMES[game].profiles
        if PROFILES[name].can(Capability.KEEPS_EVENTS)
        and (PROFILES[name].role is DeviceRole.SHOE or PROFILES[name].can(Capability.COMMANDS))
    )


class VirtualTable:
    """One table, its devices, and the people on duty."""

    def __init__(self, directory: Path, seed: int, house: House, log: Log) -> None:
        self.log, self.house = log, house
        self.chance = Random(seed)
        self.client = VirtualClient(self.stamp)
        self.broker = VirtualBroker(Random(seed), self._hear)
        self.played = next(iter(house.deals))
        self.rigs: dict[DeviceName, Source] = {}
        self._seed = seed
        self._ports: dict[DeviceName, MemoryPort] = {}
        self._names: dict[tuple[str, int], DeviceName] = {}
        for game in house.deals:
            self._furnish(directory, game)
        self._config = load(self._written(directory))
        create(self._config.journal)
        self._crash = asyncio.Event()
        self._dies_at: Point | None = None
        self._crew: asyncio.Task[None] | None = None
        self._daemon: asyncio.Task[None] | None = None
        self._found: asyncio.Future[None] | None = None
        self._beside: list[asyncio.Task[None]] = []

    def stamp(self) -> Stamp:
        """Virtual time as both clocks, from the table's own beginning."""
        return stamp(self.house.epoch_ns)

    @property
    def rig(self) -> Source:
        """The device that deals the game that is played."""
        return self.rigs[self.source_of(self.played)]

    def source_of(self, game: GameName) -> DeviceName:
        """Return the name of the device that deals this game. Shoes that hold other decks are other shoes."""
        return self._names[self._kind_of(game)]

    def _kind_of(self, game: GameName) -> tuple[str, int]:
        profile = self.house.deals[game]
        return profile, GAMES[game].decks if PROFILES[profile].role is DeviceRole.SHOE else 1

    def _furnish(self, directory: Path, game: GameName) -> None:
        profile, decks = kind = self._kind_of(game)
        if kind in self._names:
            return
        role = PROFILES[profile].role.value
        nth = sum(name.partition("-")[0] == role for name in self._ports) + 1
        name = self._names[kind] = DeviceName(role if nth == 1 else f"{role}-{nth}")
        port = self._ports[name] = MemoryPort()
        boots = numbered_boots(f"{name}-{self._seed}")
        asked = BenchSettings(
            directory, self._seed, self.house.seats, self.house.speed, Reconciling.STEP, BrokerKind.AUTO, "5",
            game=game, profile=profile, decks=decks,
        )  # fmt: skip
        if PROFILES[profile].role is DeviceRole.SHOE:
            spoken = PROFILES[profile]
            holds = bench_devices.shoe(asked)
            self.rigs[name] = ShoeRig(holds, port, SHOE_KINDS[spoken.protocol], boots=boots, options=spoken.options)
        else:
            self.rigs[name] = ShufflerRig(bench_devices.machine(asked), port, boots=boots)

    def _written(self, directory: Path) -> Path:
        first, *others = self.house.deals
        file = directory / "table.toml"
        text = CONFIGURATION.format(
            time_zone=self.house.time_zone,
            seats=self.house.seats,
            first=first.value,
            others=", ".join(f'"{game.value}"' for game in others),
            source=self.source_of(first),
            house_rules="\n".join(self._house_rules(game) for game in self.house.deals),
            limits=self.house.limits,
            key=f'key_file = "{KEY}"' if (directory / KEY).exists() else "",
            devices="\n".join(
                f'[devices.{name}]\nprofile = "{profile}"\naddress = "serial:/dev/feltd-{name}"\n'
                for (profile, _), name in self._names.items()
            ),
        )
        file.write_text(text, encoding="utf-8")
        return file

    def _house_rules(self, game: GameName) -> str:
        rules = GAMES[game].house_rules.format(decks=self._kind_of(game)[1]) or f"[games.{game.value}]\n"
        return f'{rules}deals_from = "{self.source_of(game)}"\n'

    # People.

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """The devices are on, the daemon lives, and people play, until this is left."""
        self._found = asyncio.get_running_loop().create_future()
        for rig in self.rigs.values():
            await rig.start(loaded=isinstance(rig, ShufflerRig))
        self.put_on_duty(self.played)
        self._daemon = asyncio.create_task(self._lives())
        try:
            yield
        finally:
            for task in (self._crew, self._daemon):
                if task is not None:
                    task.cancel()
                    with suppress(asyncio.CancelledError):
                        await task
            for rig in self.rigs.values():
                await rig.stop()

    def put_on_duty(self, game: GameName) -> None:
        """Those who were at the table go, and people who know this game come."""
        if self._crew is not None:
            self._crew.cancel()
        self.client.relieve(self.log.hear)
        self.played = game
        pace = DealingPace(self.house.speed)
        habits = Habits(self._seed, self.house.seats, pace, game)
        self._crew = asyncio.create_task(People(self.client, self.rig, habits).run())  # type: ignore[arg-type]

    async def change_over(self, game: GameName) -> None:
        """Close, let the round end, change the game, and open."""
        if game is self.played:
            return
        await self.close()
        waited_s = 0.0
        while not (answer := await self.client.ask("change-game", Actor.SUPERVISOR, game=game.value))["accepted"]:
            await self.let_pass(LOOK_S)
            waited_s += LOOK_S
            assert waited_s < ROUND_ENDS_S_MAX, f"the game is not changed: {answer}"
        self.put_on_duty(game)
        if isinstance(self.rig, ShufflerRig):
            await self.client.ask("count-deck", Actor.SUPERVISOR)
        await self.client.ask("open-table", Actor.SUPERVISOR)

    async def close(self) -> None:
        """No new round opens. Wait for the end of the one that runs."""
        await self.client.ask("close-table", Actor.SUPERVISOR)
        waited_s = 0.0
        while self.client.state["table"]["phase"] != Phase.IDLE.value:
            await self.let_pass(LOOK_S)
            waited_s += LOOK_S
            assert waited_s < ROUND_ENDS_S_MAX, f"the round does not end: {self.client.state['table']}"

    def _hear(self, topic: str, payload: bytes) -> None:
        """Hand a message to those who listen. What they find wrong is kept: it must not end in the loop's own log."""
        try:
            self.client.hear(topic, payload)
        except AssertionError as found:
            assert self._found is not None
            if not self._found.done():
                self._found.set_exception(found)

    def watch(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Have this done beside the table. What it raises is raised where time is let pass."""
        self._beside.append(asyncio.create_task(work))
        return self._beside[-1]

    async def let_pass(self, seconds: float) -> None:
        """Let time pass. What broke meanwhile is raised here."""
        done, _ = await asyncio.wait(self._watched(), timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()

    async def do(self, work: Coroutine[Any, Any, None]) -> None:
        """Have this done. What broke meanwhile is raised here: a table that is gone for good answers nobody."""
        doing = asyncio.create_task(work)
        try:
            while not doing.done():  # people who are relieved meanwhile are no longer watched
                waited = {doing, *(part for part in self._watched() if not part.done())}
                done, _ = await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
                for part in done - {doing}:
                    if not part.cancelled():
                        part.result()
            doing.result()
        finally:
            doing.cancel()

    def _watched(self) -> set[asyncio.Future[None]]:
        return {part for part in (self._found, self._daemon, self._crew, *self._beside) if part is not None}

    # The daemon's lives.

    def crash(self) -> None:
        """End the process wherever it stands."""
        self._crash.set()

    def before_a_life(self) -> None:
        """What is done to the journal while no process has it open."""

    def after_a_kill(self) -> None:
        """What is done when the process is gone, before the journal that it left is closed."""

    def may_end(self, _error: Exception) -> bool:
        """Whether the process may end by this error, and is started again: its disk is not sound."""
        return False

    def crash_at(self, point: Point) -> None:
        """End the process when it next comes to this point."""
        self._dies_at = point

    def _reach(self, point: Point) -> None:
        if self._dies_at is point:
            self._dies_at = None
            raise CrashError(point)

    async def _lives(self) -> None:
        while True:
            self._crash.clear()
            self.before_a_life()
            try:
                with app.built(self._config, Outside(self.stamp, self._open_port)) as graph:
                    self.log.lives += 1
                    try:
                        await self._live(graph)
                    finally:
                        self.client.unbind()
            except CrashError:
                pass
            except JournalError as error:
                if not self.may_end(error):
                    raise
            await asyncio.sleep(self.chance.uniform(0, RESTART_S_MAX))

    async def _live(self, graph: Graph) -> None:
        work: list[Coroutine[Any, Any, object]] = [graph.intake.run(), self._crash.wait(), self._publish(graph)]
        work.append(app.midnights(graph.intake, graph.config.calendar, graph.stamp))
        work += [device.run() for device in graph.devices.values()]
        make_fragile(graph, self._reach)
        tasks = [asyncio.create_task(each) for each in work]
        self.client.bind(graph)
        died_at: set[object] = set()
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                died_at.update(crash_of(task.result))
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)  # all of them: none may look for a journal that is closed
            for task in tasks:
                with suppress(asyncio.CancelledError, JournalError):
                    crash_of(task.result)
        if not died_at & {Point.AFTER_COMMIT, Point.BEFORE_ANSWERING}:  # the journal has what the process does not know
            assert recover(graph.journal) == graph.intake.state, "a start does not come to where the process ended"
        self.after_a_kill()
        raise CrashError(*died_at)  # or `built` would save the cursor, as at an end in good order

    async def _publish(self, graph: Graph) -> None:
        """The session of MQTT as far as facts go: one connection after the other."""
        while True:
            with suppress(BrokerAwayError):
                await graph.session.outbox.pump(self.broker.connect())
            await asyncio.sleep(self.chance.uniform(0, RECONNECT_S_MAX))

    async def _open_port(self, device: DeviceSettings, clock: Clock) -> Transport:
        far = self._ports[device.name].far
        if not far.is_plugged:
            raise LinkError("no cable")
        transport = MemoryTransport(clock, on_write=far.write)
        far.on_data = transport.deliver
        far.on_unplugged = lambda: transport.cut("the cable was pulled")
        return transport
