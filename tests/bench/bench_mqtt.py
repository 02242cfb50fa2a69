"""The outbox beside its floor: the same messages published by the bare client in the same window, in the same run.

The journal is that of a table that was played, over and over: what a broker gets that was away for a night.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time

import pytest

from daemon.mqtt.client import Will, connected
from daemon.mqtt.envelope import CONTENT_TYPE, envelope
from daemon.mqtt.outbox import CURSOR
from daemon.mqtt.settings import MqttVersion
from tests.bench.conftest import Figures
from tests.journal.generated import generate
from tests.journal.played import journal_of, shuffled_games
from tests.mqtt.conftest import reach
from tests.mqtt.running import TOPICS, HandTable, WatchedJournal, running
from tests.support.mosquitto import Mosquitto, mosquitto

EVENTS = 1_000_000 if "FELTD_SOAK" in os.environ else 20_000
TURNS = 3
WINDOW = 64
RATIO_MIN = 0.8
FLOOR_EVENTS = 20_000
GROWTH_BYTES_MAX = 8_000_000
"""A window and what is read ahead are far below this. A list of a million events is far above."""


@dataclass(frozen=True, slots=True)
class Speed:
    """What it took to publish some events, per event."""

    wall_us: float
    cpu_us: float


async def _timed(events: int, publishing: Awaitable[None]) -> Speed:
    wall_s, cpu_s = perf_counter(), process_time()
    await publishing
    return Speed((perf_counter() - wall_s) / events * 1e6, (process_time() - cpu_s) / events * 1e6)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("played")
    source = journal_of(directory / "source.journal", shuffled_games(1, 10))
    generate(source, directory / "long.journal", EVENTS)  # a record has about one and a half events
    return directory / "long.journal"


@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("version", MqttVersion)
async def test_the_outbox_beside_the_bare_client(
    played: Path, tmp_path: Path, version: MqttVersion, figures: Figures
) -> None:
    ours, floors, growth = [], [], 0
    with mosquitto(tmp_path, options=(f"max_inflight_messages {WINDOW}",)) as broker:
        for _ in range(1 if EVENTS > FLOOR_EVENTS else TURNS):  # in turn, so that both meet the same machine
            journal = WatchedJournal.open(played, create=False)
            journal.moved = asyncio.Event()
            with closing(journal):
                journal._db.execute("DELETE FROM cursors")
                drained = Drained(journal)
                ours.append(await _timed(EVENTS, drained.by_outbox(broker, version)))
                floors.append(await _timed(FLOOR_EVENTS, _by_client(broker, journal, version)))
                growth = max(growth, drained.growth_bytes)
    wall, floor = (min(speed.wall_us for speed in of) for of in (ours, floors))
    cpu, cpu_floor = (min(speed.cpu_us for speed in of) for of in (ours, floors))
    name = f"outbox drains {EVENTS} events, MQTT {version.value}, window {WINDOW}"
    figures.keep(f"{name}, beside the bare client", 1e6 / wall, "events/s", 1e6 / floor)
    figures.keep(f"{name}, processor time", cpu, "us an event", cpu_floor)
    figures.keep(f"{name}, memory grew by", growth / 1e6, "MB", GROWTH_BYTES_MAX / 1e6)
    assert growth < GROWTH_BYTES_MAX
    assert floor / wall > RATIO_MIN


def _rss_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGESIZE")


@dataclass(slots=True)
class Drained:
    """The outbox at work, and what the process grew by from the first tenth of the events to the end."""

    journal: WatchedJournal
    growth_bytes: int = 0

    async def by_outbox(self, broker: Mosquitto, version: MqttVersion) -> None:
        session = HandTable(self.journal).session(reach(broker.port, version, in_flight_max=WINDOW))
        async with running(session):
            await self._reach(EVENTS // 10)
            before = _rss_bytes()
            await self._reach(EVENTS)
        self.growth_bytes = _rss_bytes() - before

    async def _reach(self, sequence: int) -> None:
        while self.journal.cursor(CURSOR) < sequence:
            self.journal.moved.clear()
            await self.journal.moved.wait()


async def _by_client(broker: Mosquitto, journal: WatchedJournal, version: MqttVersion) -> None:
    messages = [(TOPICS.event(fact.kind), envelope(TOPICS.base, fact)) for fact in journal.facts_after(0, FLOOR_EVENTS)]
    async with connected(reach(broker.port, version, in_flight_max=WINDOW), "floor", Will("felt/will", b"")) as client:
        await asyncio.gather(*(client.post(topic, payload, content_type=CONTENT_TYPE) for topic, payload in messages))
