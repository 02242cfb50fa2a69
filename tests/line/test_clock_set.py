"""The machine's clock is set while rounds are played, as by `date -s`: the rounds are those that nobody disturbed.

The daemon is a process of its own, and libfaketime sets its clock. `tests/lab/lab_clock.py` sets the real clock of a
guest, under systemd and over midnight.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import timedelta
from pathlib import Path

import pytest

from daemon.table.vocabulary import Actor
from tests.line.at_the_bench import WAIT_S_MAX, BenchTable, bench, is_whole, results
from tests.support.set_clock import SetClock
from tests.tools.journal.tampering import checked, exported

DAY = timedelta(days=1)
STEPS = (timedelta(hours=1), timedelta(hours=-3), DAY, -400 * DAY)
"""From one to the next the clock goes forward and back, by hours and by years."""
DEADLINE_US = 300_000
WHERE_THE_MACHINE_IS_BUSY = {"missing-shuffler"}
"""Its emulator is in this process, and silent while that gets no processor. `test_storm.py` allows no alert at all."""


@contextmanager
def manager(directory: Path) -> Iterator[socket.socket]:
    """Listen for signs of life in the place of systemd. This manager ends nothing."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as there:
        there.bind(str(directory / "manager"))
        there.setblocking(False)
        yield there


async def is_alive(there: socket.socket) -> None:
    """Wait for two signs of life that come from now on."""
    with suppress(BlockingIOError):
        while True:
            there.recv(4096)
    async with asyncio.timeout(WAIT_S_MAX):
        for _ in range(2):
            while await asyncio.get_running_loop().sock_recv(there, 4096) != b"WATCHDOG=1":
                pass


@asynccontextmanager
async def table_by(clock: SetClock, directory: Path, **changes: str) -> AsyncIterator[BenchTable]:
    """A bench whose daemon goes by this clock, and tells the manager of this directory that it is alive."""
    async with bench(directory, **changes) as table:
        daemon = table.world.daemon
        await daemon.end(signal.SIGTERM)
        watched = (f"NOTIFY_SOCKET={directory / 'manager'}", f"WATCHDOG_USEC={DEADLINE_US}")
        daemon.program = (*clock.prefix, *watched, *daemon.program)
        await daemon.start()
        yield table


@pytest.fixture(scope="module")
def sound_results(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, list[str]]]:
    """What the seed comes to when nobody sets a clock."""

    async def play() -> list[tuple[str, list[str]]]:
        async with bench(tmp_path_factory.mktemp("sound")) as table:
            await table.rounds(len(STEPS))
        return results(table, range(1, len(STEPS) + 1))

    return asyncio.run(play())


@pytest.mark.soak
@pytest.mark.parametrize("mqtt", ["5", "3.1.1"] if "FELTD_SOAK" in os.environ else ["5"])
async def test_the_clock_is_set_in_each_round_and_nothing_comes_of_it(
    mqtt: str, tmp_path: Path, sound_results: list[tuple[str, list[str]]]
) -> None:
    """The people's terminals stand on the same machine. The last step comes while the daemon is away."""
    clock = SetClock(tmp_path)
    with clock.of_the_people(), manager(tmp_path) as there:
        async with table_by(clock, tmp_path, mqtt=mqtt) as table:
            for step in STEPS:
                dealt, over = table.tally.kinds["hand-dealt"], table.tally.rounds
                await table.until(lambda dealt=dealt: table.tally.kinds["hand-dealt"] > dealt)  # type: ignore[misc]
                if step is STEPS[-1]:
                    await table.world.daemon.end(signal.SIGKILL)
                    clock.set_off(step)
                    await table.world.daemon.start()
                clock.set_off(step)
                await is_alive(there)
                await table.rounds(over + 1)
            await table.rounds(len(STEPS))
            assert table.client.status["problems"] == []
    is_whole(table)
    assert {raised["alert"] for raised in table.all_of("alert-raised")} <= WHERE_THE_MACHINE_IS_BUSY
    assert results(table, range(1, len(STEPS) + 1)) == sound_results
    verified = checked(exported(tmp_path / "journal.db", tmp_path / "bundle"))
    assert verified.returncode == 0, verified.stdout + verified.stderr


async def test_a_command_expires_by_the_clock_of_the_table_and_by_no_other(tmp_path: Path) -> None:
    """The people's terminals are elsewhere, and their clock is right. What is refused has moved no stake."""
    clock = SetClock(tmp_path)

    async def bet() -> str:
        stake = {"seat": 1, "wager": "range", "stake_cents": 500}
        return str((await table.client.ask("bet", Actor.PLAYER, round_id, **stake))["code"])

    async with table_by(clock, tmp_path) as table:
        await table.until(lambda: table.client.status.get("status") == "running" and table.tally.rounds > 0)
        table.people.pause_or_go_on()
        await table.until(lambda: table.kinds()[-1] == "dealer-prompted" and "round-opened" in table.kinds()[-3:])
        round_id = table.heard[-1].round_id
        codes = []
        for step in (DAY, -DAY, timedelta()):
            clock.set_off(step)
            codes.append(await bet())
        assert codes == ["expired", "expires-too-late", "accepted"]
        await table.world.daemon.end(signal.SIGKILL)
        waiting = asyncio.create_task(bet())
        clock.set_off(timedelta(minutes=5))  # while the bet waits at the broker
        await table.world.daemon.start()
        assert await waiting == "expired"
        clock.set_off(timedelta())
        placed = [heard for heard in table.heard if (heard.round_id, heard.kind) == (round_id, "bet-placed")]
        assert len(placed) == 1
        table.people.pause_or_go_on()
        await table.rounds(table.tally.rounds + 1)
    is_whole(table)
