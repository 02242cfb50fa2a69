"""The broker away for a long time, and back: play never waits, and every event arrives once it can, in order."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import aiomqtt
import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from daemon import app
from daemon.config.load import load
from daemon.journal.creation import create
from daemon.mqtt.topics import Topics
from daemon.tools.bench.client import EventHeard, read_event
from daemon.tools.bench.dealer import Habits, People
from daemon.tools.bench.dealing import DealingPace
from daemon.tools.bench.devices import machine
from daemon.tools.bench.tally import Tally
from daemon.tools.bench.world import SITE, TABLE, configuration
from sim_hardware.ports import PtyPort
from sim_hardware.shuffler_rig import ShufflerRig
from tests.line.at_the_bench import SEATS, SEED, settings
from tests.line.direct import DirectClient
from tests.support.mosquitto import Mosquitto

ROUNDS_AWAY = 500 if "FELTD_SOAK" in os.environ else 40
ROUND_S_MAX = 15.0
DRAIN_S_MAX = 120.0


class Counted:
    """Counts rounds as they end, wherever they are heard."""

    def __init__(self) -> None:
        self.tally = Tally()
        self.heard: list[EventHeard] = []
        self._news = asyncio.Event()

    def hear(self, heard: EventHeard) -> None:
        if self.tally.note(heard):
            self.heard.append(heard)
        self._news.set()

    async def until_rounds(self, rounds: int) -> None:
        while self.tally.rounds < rounds:
            self._news.clear()
            await self._news.wait()


@pytest.mark.soak
async def test_every_event_of_the_rounds_without_a_broker_arrives_in_order(tmp_path: Path) -> None:
    broker = Mosquitto(tmp_path)
    broker.start()
    async with auditor(broker.port) as absent:
        await absent.subscribe(Topics(SITE, TABLE).event("+"), qos=1)
    rig = ShufflerRig(machine(settings(tmp_path)), PtyPort(tmp_path / "shuffler"))
    await rig.start()
    config = load(configuration(settings(tmp_path), broker.port, rig.address))
    create(config.journal)
    stop = asyncio.Event()
    with app.built(config) as graph:
        client, played = DirectClient(graph), Counted()
        client.listen(played.hear)
        people = People(client, rig, Habits(SEED, SEATS, DealingPace(0)))  # type: ignore[arg-type]
        daemon = asyncio.create_task(app.run_graph(graph, stop))
        playing = asyncio.create_task(people.run())
        try:
            await played.until_rounds(2)
            broker.stop()
            async with asyncio.timeout(ROUND_S_MAX * ROUNDS_AWAY):
                await played.until_rounds(2 + ROUNDS_AWAY)
            playing.cancel()
            assert graph.session.outbox.counts.delivered < (played.tally.last_sequence or 0)
            broker.start()
            await _all_arrives(broker, played)
        finally:
            playing.cancel()
            with suppress(asyncio.CancelledError):
                await playing
            stop.set()
            await daemon
            await rig.stop()
            broker.stop()


@asynccontextmanager
async def auditor(port: int) -> AsyncIterator[aiomqtt.Client]:
    """A subscriber whose session the broker keeps while the client is away."""
    keep = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    keep.SessionExpiryInterval = 3600
    async with aiomqtt.Client(
        "127.0.0.1", port, identifier="auditor", protocol=aiomqtt.ProtocolVersion.V5, clean_start=False, properties=keep
    ) as client:
        yield client


async def _all_arrives(broker: Mosquitto, played: Counted) -> None:
    arrived, last = Counted(), played.tally.last_sequence or 0
    async with auditor(broker.port) as client, asyncio.timeout(DRAIN_S_MAX):
        async for message in client.messages:
            arrived.hear(read_event(bytes(message.payload), 0))
            if arrived.tally.last_sequence == last:
                break
    assert [heard.sequence for heard in arrived.heard] == list(range(1, last + 1))
    committed = {heard.sequence: (heard.kind, heard.data) for heard in played.heard}
    assert [heard.sequence for heard in arrived.heard if heard.sequence not in committed] == [
        1,
        2,
    ]  # before we listened
    assert all((heard.kind, heard.data) == committed.get(heard.sequence) for heard in arrived.heard[2:])
