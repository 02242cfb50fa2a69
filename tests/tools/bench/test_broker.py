"""The bench's own broker: another program that takes the same port in the same moment is not mistaken for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from daemon.errors import SetupError
from daemon.tools.bench import broker as bench_broker
from daemon.tools.bench.broker import BrokerChoice, BrokerKind, broker
from tests.sim_hardware.free_port import free_port
from tests.support.mosquitto import Mosquitto
from tests.support.sentences import Says

MOSQUITTO = BrokerChoice(BrokerKind.MOSQUITTO, "5", None)
SAID_BY_2_1 = """\
1795087458: Info: running mosquitto as user: visitor.
1795087458: mosquitto version 2.1.2 starting
1795087458: Opening ipv4 listen socket on port 21883.
1795087458: Error: Address already in use
1795087458: mosquitto version 2.1.2 terminating"""
BUILT_IN = BrokerChoice(BrokerKind.BUILT_IN, "5", None)


@pytest.fixture
def another(tmp_path: Path) -> Mosquitto:
    """Another bench's broker, which was quicker."""
    directory = tmp_path / "another"
    directory.mkdir()
    return Mosquitto(directory)


@pytest.mark.parametrize("choice", [MOSQUITTO, BUILT_IN], ids=lambda choice: choice.kind.value)
async def test_a_port_that_another_bench_took_meanwhile_is_left_to_it(
    choice: BrokerChoice, another: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ports = iter((another.port, free_port()))
    monkeypatch.setattr(bench_broker, "free_port", lambda: next(ports))
    another.start()
    try:
        async with broker(choice, tmp_path) as own:
            assert own.port != another.port
    finally:
        another.stop()


async def test_mosquitto_that_never_runs_is_said_with_its_status(
    another: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: Says
) -> None:
    monkeypatch.setattr(bench_broker, "free_port", lambda: another.port)
    another.start()
    try:
        with pytest.raises(SetupError) as raised:
            async with broker(MOSQUITTO, tmp_path):
                pass
        says(raised.value)
    finally:
        another.stop()


async def test_mosquitto_2_1_says_that_it_runs_as_somebody_before_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: Says
) -> None:
    """What 2.1.2 logs where another program has its port. Debian 12 has 2.0 only, so the words are kept here."""
    program = tmp_path / "mosquitto"
    program.write_text(f"#!/bin/sh\necho '{SAID_BY_2_1}' >&2\nsleep 0.1\nexit 1\n")  # long enough to be mistaken
    program.chmod(0o755)
    monkeypatch.setattr(bench_broker, "MOSQUITTO_PATH", str(tmp_path))
    with pytest.raises(SetupError) as raised:
        async with broker(MOSQUITTO, tmp_path):
            pass
    says(raised.value)


async def test_a_built_in_broker_that_finds_no_port_says_so(
    another: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench_broker, "free_port", lambda: another.port)
    another.start()
    try:
        with pytest.raises(SetupError, match=f"cannot listen: .*{another.port}.*address already in use"):
            async with broker(BUILT_IN, tmp_path):
                pass
    finally:
        another.stop()
