"""The outbox beside its floor: the same messages published by the bare client in the same window, in the same run.

The journal is that of a table that was played, over and over: what a broker gets that was away for a night. The table
plays on meanwhile.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile
from time import perf_counter, process_time

import pytest

from daemon.mqtt.client import Will, connected
from daemon.mqtt.envelope import CONTENT_TYPE, envelope
from daemon.mqtt.outbox import CURSOR
from daemon.mqtt.session import MqttSession
from daemon.mqtt.settings import MqttVersion
from tests.bench.conftest import Figures
from tests.journal.generated import generate
from tests.journal.played import journal_of, shuffled_games
from tests.mqtt.conftest import reach
from tests.mqtt.running import TOPICS, HandTable, WatchedJournal, running
from tests.support.mosquitto import Mosquitto, mosquitto

LEG_EVENTS = 100_000 if "FELTD_SOAK" in os.environ else 20_000
LEGS = 10 if "FELTD_SOAK" in os.environ else 3
EVENTS = LEGS * LEG_EVENTS
WINDOW = 64
RATIO_MIN = 0.8
FLOOR_EVENTS = 20_000
PLAYED_EVERY_S = 0.2  # more often than any table plays
GROWTH_BYTES_MAX = 8_000_000
"""From the first leg to the last. A window and what is read ahead are far below this, a list of events far above."""


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
    ours, floors, rss_bytes = [], [], []
    late_s: list[float] = []
    with mosquitto(tmp_path, options=(f"max_inflight_messages {WINDOW}",)) as broker:
        own = tmp_path / "own.journal"  # on which nothing was published
        copyfile(played, own)
        journal = WatchedJournal.open(own, create=False)
        journal.moved = asyncio.Event()
        with closing(journal):
            for leg in range(1, LEGS + 1):  # in turn, so that both meet the same machine
                drained = _by_outbox(broker, journal, version, leg * LEG_EVENTS, late_s)
                ours.append(await _timed(LEG_EVENTS, drained))
                floors.append(await _timed(FLOOR_EVENTS, _by_client(broker, journal, version)))
                rss_bytes.append(_rss_bytes())
    growth = rss_bytes[-1] - rss_bytes[0]
    wall, floor = (min(speed.wall_us for speed in of) for of in (ours, floors))
    cpu, cpu_floor = (min(speed.cpu_us for speed in of) for of in (ours, floors))
    name = f"outbox drains {EVENTS} events, MQTT {version.value}, window {WINDOW}"
    figures.keep(name, 1e6 / wall, "events/s", 1e6 / floor)
    figures.keep(f"{name}, processor time", cpu, "us an event", cpu_floor)
    figures.keep(f"{name}, the table's line came late by at most", max(late_s) * 1e3, "ms")
    figures.hold(f"{name}, memory grew by", growth / 1e6, "MB", bar=GROWTH_BYTES_MAX / 1e6)
    figures.hold(f"{name}, beside the bare client", wall, "us an event", floor, bar=1 / RATIO_MIN)


def _rss_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGESIZE")


async def _by_outbox(
    broker: Mosquitto, journal: WatchedJournal, version: MqttVersion, sequence: int, late_s: list[float]
) -> None:
    """Drain up to this event, while the table plays on."""
    table = HandTable(journal)
    session = table.session(reach(broker.port, version, in_flight_max=WINDOW))
    async with running(session):
        playing = asyncio.create_task(_play(table, session, late_s))
        while journal.cursor(CURSOR) < sequence:
            journal.moved.clear()
            await journal.moved.wait()
        playing.cancel()


async def _play(table: HandTable, session: MqttSession, late_s: list[float]) -> None:
    """Commit an input with three facts every now and then, and note how late the line came to it."""
    loop = asyncio.get_running_loop()
    while True:
        due_s = loop.time() + PLAYED_EVERY_S
        await asyncio.sleep(PLAYED_EVERY_S)
        late_s.append(loop.time() - due_s)
        table.commit(3)
        session.wake()


async def _by_client(broker: Mosquitto, journal: WatchedJournal, version: MqttVersion) -> None:
    messages = [(TOPICS.event(fact.kind), envelope(TOPICS.base, fact)) for fact in journal.facts_after(0, FLOOR_EVENTS)]
    async with connected(reach(broker.port, version, in_flight_max=WINDOW), "floor", Will("felt/will", b"")) as client:
        await asyncio.gather(*(client.post(topic, payload, content_type=CONTENT_TYPE) for topic, payload in messages))
