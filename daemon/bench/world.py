"""One bench: a directory, a broker, an emulated shuffler on a real tty, and the daemon that is told of both."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from daemon.bench.broker import BenchBroker, BrokerChoice, BrokerKind, broker
from daemon.bench.client import TableClient, connected
from daemon.bench.games import GAMES
from daemon.bench.process import Daemon, running
from daemon.mqtt.topics import Topics
from daemon.rules.wagers import GameName
from daemon.table.settings import Reconciling
from drivers.profile import Capability
from drivers.profiles import PROFILES
from sim_hardware.pace import Pace
from sim_hardware.ports import PtyPort
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_settings import ShufflerSettings

SITE: Final = "bench"
TABLE: Final = "table1"

CONFIGURATION: Final = """\
# Written by feltd bench.
[table]
site = "{site}"
name = "{table}"
seats = {seats}
game = "{game}"
deals_from = "shuffler"
reconciling = "{reconciling}"

{house_rules}
[[limits]]
first_day = 2020-01-01
authorised_most_cents = 40000

[devices.shuffler]
profile = "{profile}"
address = "{address}"

[mqtt]
host = "127.0.0.1"
port = {port}
version = "{mqtt}"

[journal]
path = "journal.db"
"""


@dataclass(frozen=True, slots=True)
class BenchSettings:
    """What the bench is asked for."""

    directory: Path
    seed: int
    seats: int
    speed: float
    reconciling: Reconciling
    broker: BrokerKind
    mqtt: str
    port: int | None = None  # of a broker that runs already
    game: GameName = GameName.BIG_50
    profile: str = "felt-link-shuffler-faces"


@dataclass(frozen=True, slots=True)
class World:
    """A bench that runs."""

    settings: BenchSettings
    broker: BenchBroker
    rig: ShufflerRig
    client: TableClient
    topics: Topics
    daemon: Daemon


@asynccontextmanager
async def world(settings: BenchSettings) -> AsyncIterator[World]:
    """Build it outside in: whoever listens is there before the daemon says its first word."""
    topics = Topics(SITE, TABLE)
    choice = BrokerChoice(settings.broker, settings.mqtt, settings.port)
    async with (
        broker(choice, settings.directory) as there,
        connected(there.port, topics) as client,
        shuffler(settings) as rig,
        running(configuration(settings, there.port, rig.address)) as daemon,
    ):
        yield World(settings, there, rig, client, topics, daemon)


@asynccontextmanager
async def shuffler(settings: BenchSettings) -> AsyncIterator[ShufflerRig]:
    """The emulated shuffler, plugged in and loaded."""
    rig = ShufflerRig(machine(settings), PtyPort(settings.directory / "shuffler"))
    await rig.start()
    try:
        yield rig
    finally:
        await rig.stop()


def machine(settings: BenchSettings) -> ShufflerSettings:
    """The emulated shuffler's settings for this bench: it can do what its profile says, and no more."""
    profile, hands = PROFILES[settings.profile], GAMES[settings.game].hands(settings.seats)
    return ShufflerSettings(
        seed=settings.seed,
        counts=profile.can(Capability.COUNTS),
        reads_faces=profile.can(Capability.FACES),
        observed=not profile.can(Capability.COMMANDS),
        program=() if profile.can(Capability.COMMANDS) else hands,
        pace=Pace(settings.speed),
    )


def configuration(settings: BenchSettings, port: int, address: str) -> Path:
    """Write the daemon's configuration for this bench."""
    file = settings.directory / "feltd.toml"
    text = CONFIGURATION.format(
        site=SITE,
        table=TABLE,
        seats=settings.seats,
        game=settings.game.value,
        house_rules=GAMES[settings.game].house_rules,
        reconciling=settings.reconciling.value,
        profile=settings.profile,
        address=address,
        port=port,
        mqtt=settings.mqtt,
    )
    file.write_text(text, encoding="utf-8")
    return file
