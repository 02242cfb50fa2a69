"""The brokers that people run, each once for all tests of a process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import pytest

from daemon.journal.journal import Journal
from daemon.mqtt.client import connected
from daemon.mqtt.settings import MqttVersion
from tests.brokers.running import Guarded, guarded_mosquitto, guarded_nats, guarded_rabbitmq
from tests.brokers.site import TABLE, TOPICS
from tests.journal.values import configured, step

BROKERS: dict[str, Callable[[Path], AbstractContextManager[Guarded]]] = {
    "mosquitto": lambda directory: guarded_mosquitto(directory, MqttVersion.V5),
    "mosquitto-3.1.1": lambda directory: guarded_mosquitto(directory, MqttVersion.V3_1_1),
    "nats": guarded_nats,
    "rabbitmq": guarded_rabbitmq,
}


@pytest.fixture(scope="session", params=list(BROKERS))
def broker(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    with BROKERS[request.param](tmp_path_factory.mktemp(request.param)) as running:
        yield replace(running, name=request.param)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = Journal.open(tmp_path / "table.journal", create=True)
    opened.append(configured(1), step(50))
    yield opened
    opened.close()


@pytest.fixture
async def forgotten(broker: Guarded) -> AsyncIterator[None]:
    """Have the broker forget this table's journal and its session afterwards: the next test has others."""
    yield
    settings = broker.settings(TABLE)
    own = settings.own_client_id(TOPICS.site, TOPICS.table)
    async with connected(replace(settings, session_expiry_s=0), own) as connection:
        for topic in (TOPICS.state, TOPICS.status, TOPICS.metrics):
            await connection.post(topic, b"", retain=True)
