"""A disk that cannot be read under the real commands: each names the disk, and not a journal that is sound.

strace answers the Nth read of the file with EIO, and all after it or none of them. SQLite calls most of these a
malformed image. Who believed that would put an older copy in the place of a sound journal.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from daemon.clock import stamp
from daemon.config.load import load
from daemon.errors import ExitStatus
from daemon.journal.creation import create
from daemon.journal.journal import Journal
from daemon.rules.limits import Day
from daemon.table.carry_over import CarryOver
from daemon.table.inputs import Configured
from tests.daemon.config.files import GOOD
from tests.daemon.test_cli import FELTD
from tests.journal.values import ACCEPTED, bet, dispensed, step
from tests.sim_hardware.free_port import free_port
from tests.support.processes import gone_afterwards
from tests.support.strace import injecting

RECORDS: Final = 2_000
LOGGED: Final = 50
SOON_S: Final = 120.0
JOURNAL: Final = "table7.journal"
LOG: Final = f"{JOURNAL}-wal"
PAGE_BYTES: Final = 4_096


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table's file, and a journal that is longer than what SQLite keeps of it in memory."""
    directory = tmp_path_factory.mktemp("sound")
    file = directory / "t.toml"
    file.write_text(f"{GOOD}[mqtt]\nport = {free_port()}\n")
    create(directory / JOURNAL)
    settings = load(file).table
    with closing(Journal.open(directory / JOURNAL, create=False)) as journal:
        configured = Configured(stamp(), Day(20_000), journal.id, "1", settings)
        journal.append(configured, step(0))
        for number in range(2, RECORDS):
            journal.append(*((bet(number), step(2, ACCEPTED)) if number % 2 else (dispensed(number), step(2))))
        journal.append(configured, step(0), CarryOver(settings.game, Day(20_000)))
    return directory


@pytest.fixture
def table(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sound, tmp_path / "table"))


@pytest.fixture
def killed(table: Path) -> Path:
    """That table after a SIGKILL: its last records are in SQLite's log."""
    writer = subprocess.Popen((sys.executable, "-m", "tests.journal.writer", table / JOURNAL), stdout=subprocess.PIPE)
    with gone_afterwards(writer) as process:
        assert process.stdout is not None
        for _ in range(LOGGED):
            process.stdout.readline()
        process.kill()
    return table


def failing(table: Path, first: int) -> tuple[str, ...]:
    return injecting("pread64", f"error=EIO:when={first}+", str(table / JOURNAL))


def failing_once(file: Path, number: int) -> tuple[str, ...]:
    return injecting("pread64", f"error=EIO:when={number}", str(file))


@pytest.mark.parametrize("first", [1, 3, 40])
@pytest.mark.parametrize("command", ["verify", "backup"])
def test_a_command_names_the_disk(table: Path, command: str, first: int) -> None:
    words = [str(FELTD), "journal", command, str(table / JOURNAL)]
    words += [str(table / "copy")] if command == "backup" else []
    done = subprocess.run((*failing(table, first), *words), capture_output=True, text=True, timeout=SOON_S, check=False)
    assert done.returncode == ExitStatus.JOURNAL, done.stdout + done.stderr
    assert "[journal-io]" in done.stderr
    assert "Everything fits" not in done.stdout
    assert not list(table.glob("copy*"))


@pytest.mark.parametrize("file", [JOURNAL, LOG])
@pytest.mark.parametrize("number", [2, 20])
def test_a_read_that_fails_once_is_the_disks_too(killed: Path, file: str, number: int) -> None:
    """The next read succeeds: nothing is damaged, and the disk gave its warning."""
    words = (*failing_once(killed / file, number), str(FELTD), "journal", "verify", str(killed / JOURNAL))
    done = subprocess.run(words, capture_output=True, text=True, timeout=SOON_S, check=False)
    assert (done.returncode, done.stderr.count("[journal-io]")) == (ExitStatus.JOURNAL, 1), done.stdout + done.stderr
    assert "its disk refused a read" in done.stderr
    again = subprocess.run(words[-4:], capture_output=True, text=True, timeout=SOON_S, check=False)
    assert again.returncode == 0, again.stdout + again.stderr


@pytest.mark.parametrize("file", [JOURNAL, LOG])
def test_a_start_at_which_a_read_fails_once_names_the_disk(killed: Path, file: str) -> None:
    words = (*failing_once(killed / file, 2), str(FELTD), "run", "--config", str(killed / "t.toml"))
    done = subprocess.run(words, capture_output=True, text=True, timeout=SOON_S, check=False)
    assert done.returncode == ExitStatus.JOURNAL, done.stdout + done.stderr
    assert "[journal-io]" in done.stdout + done.stderr


def test_what_is_really_damaged_is_still_called_so(table: Path) -> None:
    """The look for a fault of the disk takes a second look at the file, and finds it as damaged as the first."""
    with (table / JOURNAL).open("r+b") as journal:
        for page in range(2, 200):
            journal.seek(page * PAGE_BYTES)
            journal.write(bytes(100))
    words = [str(FELTD), "journal", "verify", str(table / JOURNAL)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=SOON_S, check=False)
    assert done.returncode == ExitStatus.JOURNAL, done.stdout + done.stderr
    assert "[journal-damaged]" in done.stderr


def test_doctor_names_the_disk(table: Path) -> None:
    words = (str(FELTD), "doctor", "--config", str(table / "t.toml"))
    done = subprocess.run((*failing(table, 3), *words), capture_output=True, text=True, timeout=SOON_S, check=False)
    assert done.returncode == ExitStatus.UNAVAILABLE, done.stdout + done.stderr
    assert "its disk refused a read: Input/output error" in " ".join(done.stdout.split())


@pytest.mark.parametrize("first", [1, 5, 20])
def test_a_start_names_the_disk(table: Path, first: int) -> None:
    words = (str(FELTD), "run", "--config", str(table / "t.toml"))
    done = subprocess.run((*failing(table, first), *words), capture_output=True, text=True, timeout=SOON_S, check=False)
    assert done.returncode == ExitStatus.JOURNAL, done.stdout + done.stderr
    assert "[journal-io]" in done.stdout + done.stderr


def test_an_append_that_needs_a_page_names_the_disk_and_loses_nothing(sound: Path, tmp_path: Path) -> None:
    """While a table plays: an index is read where the next row belongs."""
    committed = []
    for first in (40, 44, 47):
        table = Path(shutil.copytree(sound, tmp_path / str(first)))
        writer = (*failing(table, first), sys.executable, "-m", "tests.journal.writer", str(table / JOURNAL))
        done = subprocess.run(writer, capture_output=True, text=True, timeout=SOON_S, check=False)
        *acknowledged, refusal = done.stdout.splitlines()
        assert done.returncode == ExitStatus.JOURNAL, done.stdout + done.stderr
        assert "[journal-io]" in refusal
        with closing(Journal.open(table / JOURNAL, create=False)) as journal:
            assert journal.last_offset() - RECORDS in (len(acknowledged), len(acknowledged) + 1)
        committed += acknowledged
    assert committed, "each failed before it wrote anything"


def test_a_disk_that_fails_under_the_slow_check_is_an_alert_and_the_table_goes_on(table: Path) -> None:
    words = (str(FELTD), "run", "--config", str(table / "t.toml"))
    started = subprocess.Popen((*failing(table, 60), *words), stdout=subprocess.PIPE, text=True, start_new_session=True)
    with gone_afterwards(started) as process:
        try:
            assert process.stdout is not None
            said = next(line for line in process.stdout if '"alert": "journal-doubted"' in line)
            assert process.poll() is None
        finally:
            os.killpg(process.pid, signal.SIGKILL)  # strace and the daemon
    assert "its disk refused a read: Input/output error" in said
    assert "was changed" not in said
