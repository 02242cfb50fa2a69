"""The installed daemon under its own unit, dealing Big 50 from a shuffler on the guest's USB bus.

The players, the dealer and the subscriber are the bench's, out here; the broker is Debian's Mosquitto, in there. What
is settled has to be what the same seed gives on the bench, whatever happens to the plug meanwhile.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from daemon.mqtt.topics import Topics
from daemon.tools.bench.client import TableClient, connected
from daemon.tools.bench.devices import machine
from daemon.tools.bench.world import SITE, TABLE, configuration
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.usb_port import UsbKind
from tests.lab.machine import MQTT_PORT, Machine, Plug, plugged, shuffler, socket_of, sockets_are_free
from tests.lab.table import JOURNAL, UNIT, running
from tests.line.at_the_bench import Table, bench, is_whole, results, settings
from tests.systemd.container import EXPOSURE_MAX

SERIAL = "S-1"
ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Played:
    """A table on the guest, and the plug of its shuffler."""

    guest: Machine
    rig: ShufflerRig
    client: TableClient
    plug: Plug


@asynccontextmanager
async def dealing(guest: Machine, kind: UsbKind, directory: Path) -> AsyncIterator[tuple[Table, Played]]:
    """The daemon is started as a technician starts it, and stopped afterwards; nothing of its table is left."""
    asked = settings(directory)
    await guest.run("systemctl restart lab-mosquitto")
    async with (
        connected(guest.mqtt_port, Topics(SITE, TABLE)) as client,
        shuffler(guest, kind, SERIAL, machine(asked)) as there,
    ):
        file = configuration(asked, MQTT_PORT, there.plug.port.address)
        text = file.read_text(encoding="utf-8").replace('path = "journal.db"', f'path = "{JOURNAL}"')
        table = Table(played := Played(guest, there.rig, client, there.plug))
        playing = asyncio.create_task(table.people.run())
        try:
            async with running(guest, text):
                yield table, played
        finally:
            playing.cancel()
            with suppress(asyncio.CancelledError):
                await playing


@pytest.fixture(scope="module")
def on_the_bench(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, list[str]]]:
    """What the seed comes to where nothing is unplugged."""

    async def play() -> list[tuple[str, list[str]]]:
        async with bench(tmp_path_factory.mktemp("bench")) as table:
            await table.rounds(ROUNDS)
        return results(table, range(1, ROUNDS + 1))

    return asyncio.run(play())


async def heard(table: Table, kind: str, times: int = 1) -> None:
    await table.until(lambda: table.kinds().count(kind) >= times)


@pytest.mark.parametrize("kind", list(UsbKind))
async def test_the_rounds_go_on_when_the_shuffler_is_unplugged_in_the_middle_of_one_and_plugged_in_elsewhere(
    guest: Machine, kind: UsbKind, tmp_path: Path, on_the_bench: list[tuple[str, list[str]]]
) -> None:
    async with dealing(guest, kind, tmp_path) as (table, played):
        await table.rounds(1)
        await heard(table, "hand-dealt", len(table.all_of("hand-dealt")) + 1)
        before = await socket_of(guest, SERIAL)
        played.rig.unplug()
        await heard(table, "device-lost")
        await sockets_are_free(guest)
        async with plugged(guest, UsbKind.CDC_ACM, "S-9"):
            played.rig.replug()
            await played.plug.attach()
            assert await socket_of(guest, SERIAL) != before
            await table.rounds(ROUNDS)
    is_whole(table)
    assert results(table, range(1, ROUNDS + 1)) == on_the_bench


@pytest.mark.parametrize("kind", [UsbKind.FELT_LINK, UsbKind.FTDI])
async def test_the_unit_confines_a_table_that_plays_from_a_real_device(
    guest: Machine, kind: UsbKind, tmp_path: Path
) -> None:
    """One over USB itself and one at a serial port of the kernel: `DeviceAllow=` is not wider than both need."""
    async with dealing(guest, kind, tmp_path) as (table, _):
        await table.rounds(1)
        said = await guest.run(f"systemd-analyze security --no-pager {UNIT} | tail -n 1")
    exposure = re.search(r"exposure level for \S+: ([0-9.]+)", said)
    assert exposure is not None, said
    assert float(exposure[1]) <= EXPOSURE_MAX


async def test_the_rounds_go_on_when_the_daemon_is_killed_in_the_middle_of_one(
    guest: Machine, tmp_path: Path, on_the_bench: list[tuple[str, list[str]]]
) -> None:
    """systemd starts it again, the kernel has given the device free, and the journal knows the place."""
    async with dealing(guest, UsbKind.FELT_LINK, tmp_path) as (table, _):
        await table.rounds(1)
        await heard(table, "hand-dealt", len(table.all_of("hand-dealt")) + 1)
        await guest.run(f"systemctl kill --signal KILL {UNIT}")
        await table.rounds(ROUNDS)
        assert (await guest.run(f"systemctl show -p NRestarts --value {UNIT}")).strip() == "1"
    is_whole(table)
    assert results(table, range(1, ROUNDS + 1)) == on_the_bench
