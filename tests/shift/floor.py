"""A table through a shift in virtual time: the real composition root, journal and drivers, and people who change over.

A supervisor closes the table, waits for the round that runs, changes the game, has the deck counted and opens again,
as at a real one. Meanwhile the machine wears, the cable is pulled, the process dies and comes back on its journal, and
midnight passes.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Final
from zoneinfo import ZoneInfo

from daemon import app
from daemon.app import Graph, Outside
from daemon.config.load import load
from daemon.journal.creation import create
from daemon.recovery import recover, replayed
from daemon.rules.wagers import GameName
from daemon.table.settings import Reconciling
from daemon.table.state import Phase
from daemon.table.vocabulary import Actor
from daemon.tools.bench.client import EventHeard, OnEvent
from daemon.tools.bench.dealer import Habits, People
from daemon.tools.bench.dealing import DealingPace
from daemon.tools.bench.games import GAMES
from daemon.tools.bench.tally import ROUND_OVER, Tally
from drivers.errors import LinkError
from drivers.events import DeviceName, Stamp
from drivers.profile import DeviceSettings
from drivers.transports.base import Clock, Transport
from drivers.transports.memory import MemoryTransport
from sim_hardware.faults import FaultName
from sim_hardware.loop_time import NS_PER_S, loop_ns
from sim_hardware.pace import Pace
from sim_hardware.ports import MemoryPort
from sim_hardware.rig import numbered_boots
from sim_hardware.shoe import ShoeSettings
from sim_hardware.shoe_kinds import SHOE_KINDS
from sim_hardware.shoe_rig import ShoeRig
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_settings import ShufflerSettings
from tests.shift import wear
from tests.storm.people import StormClient
from tests.storm.weather import clear_sky

SEATS: Final = 5
SHUFFLER: Final = DeviceName("shuffler")
SHOE: Final = DeviceName("shoe")
DECKS: Final = 6
CARDS_BEHIND_CUT: Final = 75
START: Final = datetime(2026, 10, 31, 23, 0, tzinfo=ZoneInfo("America/Los_Angeles"))
"""An hour before a midnight at which the limits change, and three before the clocks go back."""
START_NS: Final = round(START.timestamp()) * NS_PER_S
LOOK_S: Final = 5.0
ROUND_ENDS_S_MAX: Final = 1_800.0
LAST_TROUBLE_SEEN_TO_S: Final = 600.0

CONFIGURATION: Final = """\
[table]
site = "shift"
name = "table1"
time_zone = "America/Los_Angeles"
seats = {seats}
game = "{first}"
other_games = [{others}]
deals_from = "shuffler"

{house_rules}
[[limits]]
first_day = 2020-01-01
authorised_most_cents = 30000

[[limits]]
first_day = 2026-11-01
authorised_most_cents = 40000

[devices.shuffler]
profile = "felt-link-shuffler-faces"
address = "serial:/dev/feltd-shuffler"

[devices.shoe]
profile = "felt-link-shoe"
address = "serial:/dev/feltd-shoe"

[journal]
path = "journal.db"
"""


class CrashError(Exception):
    """The process ends here."""


@dataclass(frozen=True, slots=True)
class Spell:
    """One game for so long."""

    game: GameName
    hours: float


@dataclass
class Log:
    """Everything that was heard in the shift, and what was done to it."""

    tally: Tally = field(default_factory=Tally)
    heard: list[EventHeard] = field(default_factory=list)
    moments_s: list[float] = field(default_factory=list)
    troubles: list[tuple[float, str]] = field(default_factory=list)
    lives: int = 0

    def hear(self, heard: EventHeard) -> None:
        assert self.tally.note(heard), f"{heard.sequence} was said twice by one journal"
        self.heard.append(heard)
        self.moments_s.append(asyncio.get_running_loop().time())

    def of(self, *kinds: str) -> list[EventHeard]:
        """What was heard of these kinds."""
        return [heard for heard in self.heard if heard.kind in kinds]

    def unexplained(self) -> list[str]:
        """Alerts that none of the troubles before them can have raised."""
        pairs = zip(self.heard, self.moments_s, strict=True)
        alerts = ((heard.data["alert"], at_s) for heard, at_s in pairs if heard.kind == "alert-raised")
        return [f"{name} at {at_s:.0f} s" for name, at_s in alerts if not self._has_reason(name, at_s)]

    def _has_reason(self, alert: str, at_s: float) -> bool:
        if alert.startswith("verify-") or alert in self._undone():
            return True  # a large win is no trouble, and what a void undoes is told of
        recent = (what for since_s, what in self.troubles if since_s <= at_s <= since_s + wear.CAN_ALERT_S)
        return any(alert in wear.WEAR[what].alerts for what in recent)

    def _undone(self) -> set[str]:
        return {f"undo-{heard.round_id}" for heard in self.of("round-voided") if heard.data["undone"]}


class ShiftClient(StormClient):
    """Who is on duty changes with the game; what is written down does not."""

    def relieve(self, *staying: OnEvent) -> None:
        """Those who were at the table go, and hear no more."""
        self._listeners[:] = staying
        self._state_listeners.clear()


class Floor:
    """One table, its machine, and whoever is on duty."""

    def __init__(self, directory: Path, seed: int, games: Sequence[GameName], *, speed: float = 1.0) -> None:
        self.log = Log()
        self.ports = {SHUFFLER: MemoryPort(), SHOE: MemoryPort()}
        boots = numbered_boots(f"shift-{seed}")
        pace = Pace(speed)
        self.rig = ShufflerRig(ShufflerSettings(seed=seed, pace=pace), self.ports[SHUFFLER], boots=boots)
        decks = ShoeSettings(seed=seed, decks=DECKS, behind_cut=CARDS_BEHIND_CUT, pace=pace)
        self.shoe = ShoeRig(decks, self.ports[SHOE], SHOE_KINDS["felt-link"], boots=numbered_boots(f"shoe-{seed}"))
        self.client = ShiftClient(self.stamp)
        self._chance = Random(seed)
        self._habits = (seed, SEATS, DealingPace(speed), Reconciling.STEP)
        self._config = load(_written(directory, games))
        create(self._config.journal)
        self._played = games[0]
        self._crash = asyncio.Event()
        self._crew: asyncio.Task[None] | None = None
        self._daemon: asyncio.Task[None] | None = None

    @staticmethod
    def stamp() -> Stamp:
        """Virtual time as both clocks."""
        now_ns = loop_ns()
        return Stamp(START_NS + now_ns, now_ns)

    async def work(self, spells: Sequence[Spell], *, wear_times: float) -> None:
        """The shift, spell by spell, under so many times the ordinary wear; what breaks is raised here."""
        await self.rig.start()
        await self.shoe.start(loaded=False)
        self._on_duty(self._played)
        self._daemon = asyncio.create_task(self._lives())
        wearing = asyncio.create_task(self._wear(wear_times)) if wear_times else None
        try:
            for spell in spells:
                await self._change_over(spell.game)
                await self._pass(spell.hours * 3600)
            if wearing is not None:
                wearing.cancel()
                clear_sky(self.rig)
                await self._pass(LAST_TROUBLE_SEEN_TO_S)
            await self._close()
        finally:
            for task in (wearing, self._crew, self._daemon):
                if task is not None:
                    task.cancel()
                    with suppress(asyncio.CancelledError):
                        await task
            await self.rig.stop()
            await self.shoe.stop()

    async def _change_over(self, game: GameName) -> None:
        if game is self._played:
            return
        await self._close()
        while not (await self.client.ask("change-game", Actor.SUPERVISOR, game=game.value))["accepted"]:
            await self._pass(LOOK_S)
        self._played = game
        if game is GameName.BLACKJACK:
            wear.heal(self.rig)
        self._on_duty(game)
        if game is not GameName.BLACKJACK:
            await self.client.ask("count-deck", Actor.SUPERVISOR)
        await self.client.ask("open-table", Actor.SUPERVISOR)

    async def _close(self) -> None:
        """No new round, and the one that runs is waited for."""
        await self.client.ask("close-table", Actor.SUPERVISOR)
        waited_s = 0.0
        while self.client.state["table"]["phase"] != Phase.IDLE.value:
            await self._pass(LOOK_S)
            waited_s += LOOK_S
            assert waited_s < ROUND_ENDS_S_MAX, f"the round does not end: {self.client.state['table']}"

    def _on_duty(self, game: GameName) -> None:
        if self._crew is not None:
            self._crew.cancel()
        self.client.relieve(self.log.hear)
        source = self.shoe if game is GameName.BLACKJACK else self.rig
        people = People(self.client, source, Habits(*self._habits, game))  # type: ignore[arg-type]
        self._crew = asyncio.create_task(people.run())

    async def _pass(self, seconds: float) -> None:
        """Let time pass; what broke meanwhile is raised here."""
        watched = {task for task in (self._daemon, self._crew) if task is not None}
        done, _ = await asyncio.wait(watched, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()

    async def _wear(self, times: float) -> None:
        while True:
            after_s, what = wear.next_trouble(self._chance, times)
            await asyncio.sleep(after_s)
            if isinstance(what, FaultName) and self._played is GameName.BLACKJACK:
                continue  # a shuffler that deals nothing does not wear
            self.log.troubles.append((asyncio.get_running_loop().time(), str(what)))
            if what == wear.CRASH:
                self._crash.set()
                continue
            wear.begin(self.rig, what)
            await asyncio.sleep(wear.WEAR[what].lasts_s)
            wear.end(self.rig, what)

    async def _lives(self) -> None:
        while True:
            self._crash.clear()
            with app.built(self._config, Outside(self.stamp, self._open)) as graph:
                self.log.lives += 1
                await self._live(graph)
                self.client.unbind()
            await asyncio.sleep(self._chance.uniform(1, 10))

    async def _live(self, graph: Graph) -> None:
        tasks = [asyncio.create_task(graph.intake.run()), asyncio.create_task(self._until_crash())]
        tasks += [asyncio.create_task(device.run()) for device in graph.devices.values()]
        tasks.append(asyncio.create_task(app.midnights(graph.intake, graph.config.calendar, graph.stamp)))
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
        raise CrashError

    async def _open(self, device: DeviceSettings, clock: Clock) -> Transport:
        far = self.ports[device.name].far
        if not far.is_plugged:
            raise LinkError("no cable")
        transport = MemoryTransport(clock, on_write=far.write)
        far.on_data = transport.deliver
        far.on_unplugged = lambda: transport.cut("the cable was pulled")
        return transport


def ended(log: Log) -> Counter[str | None]:
    """How often each round ended."""
    return Counter(heard.round_id for heard in log.of(*ROUND_OVER))


def _house_rules(game: GameName) -> str:
    rules = GAMES[game].house_rules.format(decks=DECKS)
    return f'{rules}deals_from = "{SHOE}"\n' if game is GameName.BLACKJACK else rules


def _written(directory: Path, games: Sequence[GameName]) -> Path:
    first, *others = games
    file = directory / "table.toml"
    file.write_text(
        CONFIGURATION.format(
            seats=SEATS,
            first=first.value,
            others=", ".join(f'"{game.value}"' for game in others),
            house_rules="\n".join(_house_rules(game) for game in games),
        ),
        encoding="utf-8",
    )
    return file
