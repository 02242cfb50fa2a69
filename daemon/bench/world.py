"""One bench: a directory, a broker, an emulated shuffler on a real tty, and the daemon that is told of both."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from daemon import app
from daemon.bench.broker import BenchBroker, BrokerKind, broker
from daemon.bench.client import TableClient, connected
from daemon.config.load import load
from daemon.mqtt.topics import Topics
from daemon.table.settings import Reconciling
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
game = "big-50"
deals_from = "shuffler"
reconciling = "{reconciling}"

[[limits]]
first_day = 2020-01-01
authorised_most_cents = 40000

[devices.shuffler]
profile = "felt-link-shuffler-faces"
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


@dataclass(frozen=True, slots=True)
class World:
    """A bench that runs."""

    settings: BenchSettings
    broker: BenchBroker
    rig: ShufflerRig
    client: TableClient
    topics: Topics
    daemon: asyncio.Task[None]


@asynccontextmanager
async def world(settings: BenchSettings) -> AsyncIterator[World]:
    """Build it outside in: whoever listens is there before the daemon says its first word."""
    topics = Topics(SITE, TABLE)
    async with broker(settings.broker, settings.directory) as running, connected(running.port, topics) as client:
        rig = ShufflerRig(machine(settings), PtyPort(settings.directory / "shuffler"))
        await rig.start()
        stop = asyncio.Event()
        file = configuration(settings, running.port, rig.address)
        daemon = asyncio.create_task(app.serve(load(file), stop))
        try:
            yield World(settings, running, rig, client, topics, daemon)
        finally:
            stop.set()
            await asyncio.wait({daemon})
            await rig.stop()
        await daemon


def machine(settings: BenchSettings) -> ShufflerSettings:
    """The emulated shuffler's settings for this bench."""
    return ShufflerSettings(seed=settings.seed, pace=Pace(settings.speed))


def configuration(settings: BenchSettings, port: int, address: str) -> Path:
    """Write the daemon's configuration for this bench."""
    file = settings.directory / "feltd.toml"
    text = CONFIGURATION.format(
        site=SITE,
        table=TABLE,
        seats=settings.seats,
        reconciling=settings.reconciling.value,
        address=address,
        port=port,
        mqtt=settings.mqtt,
    )
    file.write_text(text, encoding="utf-8")
    return file
