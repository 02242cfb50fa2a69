"""A device that is unplugged and plugged in repeatedly: nothing leaks, and every event is journaled once and in order.

Hundreds of times in virtual time, a thousand in `make soak`, and twenty times on a real tty, through the composition
root, the journal and the drivers as they are. A key is pressed while the cable is out, and one while it is in; the
next pull comes as soon as the device was told that both are on disk.
"""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from daemon import app
from daemon.app import Graph, Outside
from daemon.config.load import load
from daemon.journal.creation import create
from daemon.journal.journal import Journal
from daemon.table.settings import Reconciling
from daemon.tools.bench.broker import BrokerKind
from daemon.tools.bench.settings import BenchSettings
from daemon.tools.bench.world import configuration
from drivers.events import DeviceReport, KeyPressed, Stamp
from drivers.tap import Tapped
from drivers.transports import open_transport
from protocols.felt_link.device import DeviceConnection
from protocols.felt_link.host import HostConnection
from sim_hardware.loop import run
from sim_hardware.pace import Pace
from sim_hardware.ports import MemoryPort, Port, PtyPort
from sim_hardware.rig import numbered_boots
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_settings import ShufflerSettings
from tests.captures.record import opener
from tests.drivers.ways import open_files
from tests.support.virtual_table import stamp

TIMES = 1_000 if "FELTD_SOAK" in os.environ else 400
TIMES_ON_A_TTY = 20
SAMPLE = 100
OBJECTS_MORE_MAX = 200 if "FELTD_SOAK" in os.environ else 50
"""One object in four times; a cache that fills is some dozens."""


@pytest.mark.soak
def test_hundreds_of_times_in_virtual_time(tmp_path: Path) -> None:
    port = MemoryPort()
    counts = run(_replugged(tmp_path, port, Outside(stamp, opener(port)), TIMES), 1)
    assert counts[-1] - counts[1] < OBJECTS_MORE_MAX, f"objects alive, every {SAMPLE} times: {counts}"
    assert _journaled(tmp_path) == _pressed(TIMES)


@pytest.mark.long
def test_twenty_times_on_a_real_tty(tmp_path: Path) -> None:
    async def soon(seconds: float) -> None:  # as a hot-plug event ends the pause
        await asyncio.sleep(min(seconds, 0.02))

    before = open_files()
    outside = Outside(app.REAL.stamp, open_transport, lambda: soon)
    asyncio.run(_replugged(tmp_path, PtyPort(tmp_path / "tty"), outside, TIMES_ON_A_TTY))
    assert open_files() == before
    assert _journaled(tmp_path) == _pressed(TIMES_ON_A_TTY)


def _pressed(times: int) -> list[str]:
    return [f"{when}-{number}" for number in range(times) for when in ("out", "in")]


def _journaled(directory: Path) -> list[str]:
    journal = Journal.open(directory / "journal.db", create=False)
    events = [event for _, event in journal.replay(0)]
    journal.close()
    return [e.event.key for e in events if isinstance(e, DeviceReport) and isinstance(e.event, KeyPressed)]


async def _replugged(directory: Path, port: Port, outside: Outside, times: int) -> list[int]:
    """How many objects were alive, every so often."""
    rig = ShufflerRig(ShufflerSettings(pace=Pace(0)), port, boots=numbered_boots("replug"))
    await rig.start(loaded=False)
    asked = BenchSettings(directory, 1, 4, 1.0, Reconciling.STEP, BrokerKind.AUTO, "5")
    config = load(configuration(asked, 1883, f"serial:{directory / 'tty'}"))
    create(config.journal)
    counts = []
    try:
        with app.built(config, outside) as graph:
            async with _living(graph):
                await _told(rig)
                tasks = len(asyncio.all_tasks())
                for number in range(times):
                    await _once(rig, number)
                    if number % SAMPLE == 0:
                        counts.append(_objects())
                    assert len(asyncio.all_tasks()) <= tasks + 1, asyncio.all_tasks()  # one may be closing the port
    finally:
        await rig.stop()
    return counts


async def _once(rig: ShufflerRig, number: int) -> None:
    rig.unplug()
    rig.press(f"out-{number}")
    rig.replug()
    rig.press(f"in-{number}")
    await _told(rig)


async def _told(rig: ShufflerRig) -> None:
    """Until the device was told that all its events are on disk."""
    async with asyncio.timeout(60):
        while rig.end.unacknowledged:
            await rig.emulator.turned()


def _objects() -> int:
    """Without what the tap's ring keeps: that grows on purpose, up to its bound."""
    gc.collect()
    alive = gc.get_objects()
    connections = sum(isinstance(each, HostConnection | DeviceConnection) for each in alive)
    assert connections <= 2, f"{connections} connections are alive"
    return sum(not isinstance(each, Tapped | Stamp) for each in alive)


@asynccontextmanager
async def _living(graph: Graph) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(graph.intake.run())]
    tasks += [asyncio.create_task(device.run()) for device in graph.devices.values()]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        broken = [error for error in ended if not isinstance(error, asyncio.CancelledError)]
        assert not broken, broken
