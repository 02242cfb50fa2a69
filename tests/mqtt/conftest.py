"""A broker, a journal and the settings to use them with."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from daemon.mqtt.settings import MqttSettings, MqttVersion
from daemon.mqtt.topics import Topics
from sim_hardware.broker import Broker, Judge
from tests.mqtt.running import WatchedJournal
from tests.sim_hardware.free_port import free_port
from tests.support.mosquitto import Mosquitto, mosquitto


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    directory = tmp_path / "broker"
    directory.mkdir()
    with mosquitto(directory) as running:
        yield running


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[WatchedJournal]:
    opened = WatchedJournal.open(tmp_path / "table.journal", create=True)
    opened.moved = asyncio.Event()
    yield opened
    opened.close()


@pytest.fixture
def topics() -> Topics:
    return Topics("north", "7")


@pytest.fixture(params=list(MqttVersion), ids=lambda version: version.value)
def version(request: pytest.FixtureRequest) -> MqttVersion:
    """Both versions of the protocol."""
    assert isinstance(request.param, MqttVersion)
    return request.param


def reach(port: int, version: MqttVersion = MqttVersion.V5, **changed: float) -> MqttSettings:
    """Settings for a broker on this machine, with waits that suit a test."""
    waits = {"backoff_s_min": 0.02, "backoff_s_max": 0.1, "connect_s_max": 2.0} | changed
    return MqttSettings(host="127.0.0.1", port=port, version=version, **waits)  # type: ignore[arg-type]


@asynccontextmanager
async def bench_broker(judge: Judge) -> AsyncIterator[Broker]:
    """Run our own broker, whose judge decides on each message: for behaviour that Mosquitto does not have."""
    bench = Broker(judge=judge)
    await bench.start(free_port())
    try:
        yield bench
    finally:
        await bench.close()
