"""The outbox beside its floor: the same messages published by the bare client in the same window, in the same run."""

from __future__ import annotations

import asyncio
import sys
from contextlib import closing
from pathlib import Path
from time import perf_counter

from daemon.mqtt.client import Will, connected
from daemon.mqtt.envelope import CONTENT_TYPE, envelope
from daemon.mqtt.settings import MqttVersion
from tests.mqtt.conftest import reach
from tests.mqtt.running import TOPICS, HandTable, WatchedJournal, running
from tests.support.mosquitto import Mosquitto, mosquitto

EVENTS = 20_000
WINDOW = 64


async def test_outbox_beside_the_bare_client(tmp_path: Path) -> None:
    (tmp_path / "broker").mkdir()
    with mosquitto(tmp_path / "broker", options=(f"max_inflight_messages {WINDOW}",)) as broker:
        for version in MqttVersion:
            await _compare(broker, tmp_path / f"{version.value}.journal", version)


async def _compare(broker: Mosquitto, path: Path, version: MqttVersion) -> None:
    journal = WatchedJournal.open(path, create=True)
    journal.moved = asyncio.Event()
    with closing(journal):
        table = HandTable(journal)
        for _ in range(EVENTS // 100):
            table.commit(100)
        ours = await _by_outbox(broker, journal, table, version)
        floor = await _by_client(broker, journal, version)
    sys.stdout.write(
        f"\nMQTT {version.value}, QoS 1, window {WINDOW}: outbox {ours:,.0f} events/s, "
        f"bare client {floor:,.0f}, ratio {ours / floor:.2f}\n"
    )
    assert ours > floor / 4


async def _by_outbox(broker: Mosquitto, journal: WatchedJournal, table: HandTable, version: MqttVersion) -> float:
    session = table.session(reach(broker.port, version, in_flight_max=WINDOW))
    began = perf_counter()
    async with running(session):
        await journal.delivered(EVENTS)
    return EVENTS / (perf_counter() - began)


async def _by_client(broker: Mosquitto, journal: WatchedJournal, version: MqttVersion) -> float:
    messages = [(TOPICS.event(fact.kind), envelope(TOPICS.base, fact)) for fact in journal.facts_after(0, EVENTS)]
    async with connected(reach(broker.port, version, in_flight_max=WINDOW), "floor", Will("felt/will", b"")) as client:
        began = perf_counter()
        await asyncio.gather(*(client.post(topic, payload, content_type=CONTENT_TYPE) for topic, payload in messages))
        return EVENTS / (perf_counter() - began)
