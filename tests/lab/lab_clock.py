"""The guest's clock is set while the installed daemon deals, by `date -s`: forward, back, and twice over one midnight.

The people out here keep the guest's time, as terminals of the same house would. What the clock may not do: bring a day
twice, refuse a command that is not late, have systemd end the daemon, raise an alert, or change a round.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from daemon.app import CALENDAR_LOOK_S_MAX
from daemon.clock import day_of
from sim_hardware.usb_port import UsbKind
from tests.lab.lab_daemon import dealing
from tests.lab.machine import Machine
from tests.lab.table import JOURNAL, UNIT
from tests.line.at_the_bench import Table, bench, is_whole, results
from tests.support.set_clock import SetClock

NOON = datetime(2027, 3, 1, 12, tzinfo=UTC)
TO_MIDNIGHT_S = 20
LATE = NOON.replace(hour=0) + timedelta(days=1, seconds=-TO_MIDNIGHT_S)
NEXT_DAY = day_of(NOON.date()) + 1
LATE_S_MAX = 5.0
"""An emulated machine takes its time."""

_DAYS = f"""
from pathlib import Path
from daemon.journal.reading import JournalReader
from daemon.table.inputs import DayBegan
journal = JournalReader.open_read_only(Path("{JOURNAL}"))
print(*(happened.day for _, happened in journal.replay(0) if isinstance(happened, DayBegan)))
"""


@asynccontextmanager
async def right_afterwards(guest: Machine) -> AsyncIterator[None]:
    """Leave the guest with the right time."""
    try:
        yield
    except BaseException as error:
        error.add_note(await guest.run("dmesg | tail -n 20"))
        raise
    finally:
        await guest.run(f"date -u -s @{time.time():.3f}")


async def set_to(guest: Machine, clock: SetClock, moment: datetime) -> None:
    """Set the guest's clock, and that of the people."""
    await guest.run(f"date -u -s @{moment.timestamp():.3f}")
    clock.set_at(moment)


async def set_in_a_round(guest: Machine, clock: SetClock, moment: datetime, table: Table) -> None:
    """Set the clock as a hand was dealt: no command is on its way then. The round ends, and one more."""
    before = table.tally.kinds["hand-dealt"]
    await table.until(lambda: table.tally.kinds["hand-dealt"] > before)
    await set_to(guest, clock, moment)
    await table.rounds(table.tally.rounds + 2)


async def play_over_midnight(table: Table) -> None:
    """Play until the daemon has looked at its calendar behind midnight."""
    ends_s = time.monotonic() + TO_MIDNIGHT_S + CALENDAR_LOOK_S_MAX + LATE_S_MAX
    while time.monotonic() < ends_s:
        await table.rounds(table.tally.rounds + 1)


async def days_begun(guest: Machine) -> list[int]:
    said = await guest.run(f"/opt/feltd/bin/python -c '{_DAYS}'")
    return [int(day) for day in said.split()]


@pytest.mark.timeout(900)
async def test_the_clock_is_set_while_rounds_are_played(guest: Machine, tmp_path: Path) -> None:
    clock = SetClock(tmp_path)
    async with right_afterwards(guest):
        await set_to(guest, clock, NOON)
        with clock.of_the_people():
            async with dealing(guest, UsbKind.FELT_LINK, tmp_path) as (table, _):
                for moment in (NOON + timedelta(hours=3), NOON - timedelta(hours=3)):
                    await set_in_a_round(guest, clock, moment, table)
                for _ in range(2):  # over midnight, and back behind it and over it again
                    await set_in_a_round(guest, clock, LATE, table)
                    await play_over_midnight(table)
                    assert await days_begun(guest) == [NEXT_DAY]
                restarts = await guest.run(f"systemctl show -p NRestarts --value {UNIT}")
    assert restarts.strip() == "0"
    is_whole(table)
    raised = [alert["alert"] for alert in table.all_of("alert-raised")]
    assert [alert for alert in raised if not alert.startswith("verify-")] == []  # a quick machine plays to a large win
    await expect_the_rounds_of_the_bench(table, tmp_path / "sound")


async def expect_the_rounds_of_the_bench(table: Table, directory: Path) -> None:
    """Compare every round but the last, which was played when the table was stopped."""
    directory.mkdir()  # noqa: ASYNC240
    every = range(1, table.tally.rounds)
    async with bench(directory) as sound:
        await sound.rounds(len(every))
    assert results(table, every) == results(sound, every)
