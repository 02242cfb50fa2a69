"""Starting on a journal: what is not sound, not ours or not there is refused by name, and left as it was."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import apsw
import pytest

from daemon.errors import ExitStatus
from daemon.journal.errors import (
    JournalDamagedError,
    JournalDirectoryError,
    JournalFormatError,
    JournalFullError,
    JournalHeldError,
    JournalMissingError,
    JournalNotAFileError,
    JournalPermissionError,
)
from daemon.journal.file import APPLICATION_ID, open_read_only
from daemon.journal.journal import Journal
from tests.journal.values import dispensed, step
from tests.support.rights import without_rights
from tests.support.sentences import Says


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.journal"


def written(path: Path, events: int = 20) -> bytes:
    """A sound journal at `path`; what the file holds."""
    with closing(Journal.open(path, create=True)) as journal:
        for number in range(1, events + 1):
            journal.append(dispensed(number), step(2))
    return path.read_bytes()


@contextmanager
def writing(path: Path, *more: str) -> Iterator[subprocess.Popen[str]]:
    """A process that appends to the journal as fast as it can."""
    program = [sys.executable, "-m", "tests.journal.writer", str(path), *more]
    process = subprocess.Popen(program, stdout=subprocess.PIPE, text=True)
    with process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def limited_to(file_bytes_max: int) -> Iterator[None]:
    """No file of this process grows beyond it, as on a disk that is full; files that are larger can be read."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes_max, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("seed", range(4))
def test_a_killed_daemon_loses_nothing_that_it_had_committed(path: Path, seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(3):  # the same journal, killed again and again
        with writing(path) as daemon:
            assert daemon.stdout is not None
            for _ in range(dice.randint(1, 300)):
                daemon.stdout.readline()
            daemon.send_signal(signal.SIGKILL)
            said = daemon.stdout.read().split()
        with closing(Journal.open(path, create=False)) as journal:
            offsets = [offset for offset, _ in journal.replay(0)]
            facts = journal.facts_after(0, 10**6)
        assert offsets == list(range(1, len(offsets) + 1))
        assert [(fact.offset, fact.n) for fact in facts] == [(offset, n) for offset in offsets for n in range(3)]
        assert len(offsets) >= max(map(int, said), default=1)


def test_a_second_daemon_is_told_who_has_it(path: Path, says: Says) -> None:
    with writing(path) as daemon:
        assert daemon.stdout is not None
        daemon.stdout.readline()
        with pytest.raises(JournalHeldError) as raised:
            Journal.open(path, create=True)
        says(raised.value, pid=daemon.pid)
    Journal.open(path, create=False).close()


def test_the_same_process_cannot_have_it_twice(path: Path) -> None:
    with closing(Journal.open(path, create=True)), pytest.raises(JournalHeldError, match=f"process {os.getpid()}"):
        Journal.open(path, create=True)


def test_a_limit_on_the_files_size_is_a_full_disk(path: Path) -> None:
    with writing(path, "300000") as daemon:
        assert daemon.stdout is not None
        *offsets, refusal = daemon.stdout.read().splitlines()
        assert daemon.wait() == ExitStatus.JOURNAL
    assert "[journal-full]" in refusal
    assert "File too large" in refusal
    with closing(Journal.open(path, create=False)) as journal:
        assert journal.last_offset() >= int(offsets[-1]) > 10


def test_no_room_for_the_lock_is_a_full_disk_too(path: Path) -> None:
    with writing(path, "10") as daemon:
        assert daemon.stdout is not None
        refusal = daemon.stdout.read().splitlines()[-1]
    assert "[journal-full]" in refusal


def test_a_start_on_a_disk_without_room_for_the_shm_is_a_full_disk(path: Path, says: Says) -> None:
    """Reading the journal needs no room. Its -shm does, and is the first thing that a full disk stops."""
    written(path)
    lock = path.with_name("table.journal.lock")
    with limited_to(lock.stat().st_size), pytest.raises(JournalFullError) as raised:
        Journal.open(path, create=False)
    says(raised.value)
    Journal.open(path, create=False).close()


def test_without_leave_to_create_a_missing_journal_is_an_error(path: Path, says: Says) -> None:
    with pytest.raises(JournalMissingError) as raised:
        Journal.open(path, create=False)
    says(raised.value)
    assert not path.exists()


def test_a_missing_directory_is_an_error(tmp_path: Path, says: Says) -> None:
    with pytest.raises(JournalDirectoryError, match="directory") as raised:
        Journal.open(tmp_path / "not-mounted" / "table.journal", create=True)
    assert not (tmp_path / "not-mounted").exists()
    says(raised.value.remedy)


def test_a_journal_that_went_away_is_not_begun_again(path: Path, says: Says) -> None:
    written(path)
    path.unlink()
    with pytest.raises(JournalMissingError) as raised:
        Journal.open(path, create=True)
    says(raised.value)
    path.with_name("table.journal.lock").unlink()  # as the remedy says, when it is gone for good
    Journal.open(path, create=True).close()


def test_a_journal_that_went_away_without_its_log_is_not_begun_again(path: Path, says: Says) -> None:
    path.with_name("table.journal-wal").write_bytes(b"committed events")
    with pytest.raises(JournalMissingError) as raised:
        Journal.open(path, create=True)
    says(raised.value)


def test_a_draft_that_a_crash_left_is_no_journal(path: Path) -> None:
    path.with_name("table.journal.new").write_bytes(b"half a jour")
    path.with_name("table.journal.new-wal").write_bytes(b"half a log")
    Journal.open(path, create=True).close()
    assert {file.name for file in path.parent.iterdir()} == {"table.journal", "table.journal.lock"}


def _cut_off(sound: bytes) -> bytes:
    return sound[: len(sound) * 2 // 3]


def _page_of_noise(sound: bytes) -> bytes:
    return sound[:8192] + random.Random(1).randbytes(4096) + sound[12288:]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda _: b"", "the file is empty"),
        (_cut_off, "its header says"),
        (_page_of_noise, "malformed|record [0-9]+"),
        (lambda sound: bytes(len(sound)), "file is not a database"),
        (lambda sound: b"noise" + sound[5:], "file is not a database"),
    ],
    ids=["emptied", "cut off", "a page of noise", "all zeros", "a wrong first line"],
)
def test_a_damaged_journal_is_refused_and_left_as_it_is(path: Path, damage: object, message: str, says: Says) -> None:
    damaged = damage(written(path, events=200))  # type: ignore[operator]
    path.write_bytes(damaged)
    with pytest.raises(JournalDamagedError, match=message) as refusal:
        Journal.open(path, create=True)
    says(refusal.value.remedy)
    assert path.read_bytes() == damaged


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: path.symlink_to("/dev/zero")],
                         ids=["a pipe", "a directory", "a device"])  # fmt: skip
def test_what_is_not_a_file_is_refused_at_once(path: Path, make: Callable[[Path], None], says: Says) -> None:
    """A table's user may put a pipe there: root's backup of the night would never end."""
    make(path)
    with pytest.raises(JournalNotAFileError) as raised:
        open_read_only(path)
    says(raised.value)
    with pytest.raises(JournalNotAFileError, match="not a file"):
        Journal.open(path, create=False)


@pytest.mark.parametrize(
    "change",
    [
        "DROP TABLE carried; DROP TABLE cursors",
        "DELETE FROM meta WHERE key = 'header'",
    ],
)
def test_a_journal_that_lacks_a_part_is_damaged(path: Path, change: str, says: Says) -> None:
    written(path)
    with closing(apsw.Connection(str(path))) as hand:
        hand.execute(change)
    with pytest.raises(JournalDamagedError) as raised:
        Journal.open(path, create=True)
    says(raised.value)


def test_a_database_of_another_program_is_not_touched(path: Path, says: Says) -> None:
    with closing(apsw.Connection(str(path))) as other:
        other.execute("CREATE TABLE somebody_elses (x)")
    theirs = path.read_bytes()
    with pytest.raises(JournalFormatError) as raised:
        Journal.open(path, create=True)
    says(raised.value)
    assert path.read_bytes() == theirs
    assert not path.with_name("table.journal-wal").exists()


def test_a_journal_of_another_version_is_refused_with_both_versions(path: Path, says: Says) -> None:
    written(path)
    with closing(apsw.Connection(str(path))) as newer:
        newer.pragma("user_version", 99)
    with pytest.raises(JournalFormatError) as raised:
        Journal.open(path, create=True)
    says(raised.value)


@pytest.fixture
def open_directory() -> Iterator[Path]:
    """A directory that everybody may enter."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.parametrize(("file_mode", "directory_mode"), [(0o000, 0o777), (0o444, 0o777), (0o666, 0o555)])
def test_a_journal_that_this_user_may_not_write_is_refused(
    open_directory: Path, file_mode: int, directory_mode: int, says: Says
) -> None:
    path = open_directory / "table.journal"
    sound = written(path)
    path.with_name("table.journal.lock").chmod(0o666)
    path.chmod(file_mode)
    open_directory.chmod(directory_mode)
    try:
        with without_rights(), pytest.raises(JournalPermissionError) as raised:
            Journal.open(path, create=True)
        says(raised.value, path=path)
    finally:
        open_directory.chmod(0o755)
        path.chmod(0o600)
    assert path.read_bytes() == sound


def test_a_directory_that_this_user_may_not_write_is_refused(open_directory: Path) -> None:
    open_directory.chmod(0o555)
    try:
        with without_rights(), pytest.raises(JournalPermissionError):
            Journal.open(open_directory / "table.journal", create=True)
    finally:
        open_directory.chmod(0o755)


def test_it_is_recognised_before_anything_is_read(path: Path) -> None:
    assert APPLICATION_ID.to_bytes(4) == b"FELT"
    assert written(path)[68:72] == b"FELT"  # sqlite.org/fileformat.html: the application id stands at 68
