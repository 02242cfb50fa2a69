"""The brokers that people run, each once for all tests of a process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import pytest

from daemon.mqtt.settings import MqttVersion
from tests.brokers.running import Guarded, guarded_mosquitto, guarded_nats, guarded_rabbitmq

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
