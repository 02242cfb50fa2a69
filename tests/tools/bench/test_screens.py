"""The screens beside a bench."""

from __future__ import annotations

import socket
from pathlib import Path

import aiohttp
import pytest

from daemon.tools.bench import screens
from tests.sim_hardware.free_port import free_port
from tests.support.mosquitto import mosquitto


async def test_a_port_that_another_bench_took_meanwhile_is_left_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as another, mosquitto(tmp_path) as broker:
        ports = iter((another.getsockname()[1], free_port()))
        monkeypatch.setattr(screens, "free_port", lambda _: next(ports))
        async with (
            screens.page(broker.port, tmp_path) as address,
            aiohttp.ClientSession() as client,
            client.get(address) as answer,
        ):
            assert answer.status == 200
