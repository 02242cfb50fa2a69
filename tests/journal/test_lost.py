"""What a journal cannot show by itself: that it is an older copy, that its log is lost, that its file is gone."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from daemon.errors import JournalError
from daemon.journal.errors import JournalBehindError, JournalGoneError
from daemon.journal.journal import Journal
from tests.journal.values import dispensed, step
from tests.support.sentences import Says

FILES = ("", "-wal")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.journal"


def beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def append_to(path: Path, events: int) -> None:
    with closing(Journal.open(path, create=True)) as journal:
        for _ in range(events):
            journal.append(dispensed(journal.last_offset() + 1), step(2))


def crashed(path: Path, events: int) -> None:
    """The journal after so many events more, as a kill leaves it: the last ones are in the log alone."""
    journal = Journal.open(path, create=True)
    for _ in range(events):
        journal.append(dispensed(journal.last_offset() + 1), step(2))
    left = {suffix: beside(path, suffix).read_bytes() for suffix in (*FILES, ".lock")}
    journal.close()
    for suffix, content in left.items():
        beside(path, suffix).write_bytes(content)


def test_an_older_copy_is_refused(path: Path, says: Says) -> None:
    append_to(path, 10)
    shutil.copy(path, beside(path, ".copy"))
    append_to(path, 5)
    shutil.copy(beside(path, ".copy"), path)
    with pytest.raises(JournalBehindError) as raised:
        Journal.open(path, create=False)
    says(raised.value)


def test_a_lost_log_is_refused_and_nothing_is_changed(path: Path, says: Says) -> None:
    append_to(path, 10)
    crashed(path, 24)
    beside(path, "-wal").unlink()
    before = path.read_bytes()
    for _ in range(2):  # the refused start has not made it look sound
        with pytest.raises(JournalBehindError) as raised:
            Journal.open(path, create=False)
    says(raised.value)
    assert path.read_bytes() == before


def test_a_journal_that_went_another_way_is_refused(path: Path, says: Says) -> None:
    """A copy that was played on elsewhere has as many records as this one had, and other ones."""
    append_to(path, 10)
    elsewhere = beside(path, ".elsewhere")
    shutil.copy(path, elsewhere)
    append_to(path, 5)
    with closing(Journal.open(elsewhere, create=False)) as journal:
        for number in range(100, 120):
            journal.append(dispensed(number), step(1))
    shutil.copy(elsewhere, path)
    with pytest.raises(JournalBehindError) as raised:
        Journal.open(path, create=False)
    says(raised.value)


def test_another_tables_journal_in_its_place_is_refused(path: Path) -> None:
    append_to(path, 3)
    other = path.with_name("other.journal")
    append_to(other, 9)
    shutil.copy(other, path)
    with pytest.raises(JournalBehindError, match="was here"):
        Journal.open(path, create=False)


def test_a_link_in_the_place_of_the_lock_file_leads_nowhere(path: Path, tmp_path: Path) -> None:
    """The directory is the table's user's, and root prunes in it: what a link led to was written over."""
    append_to(path, 1)
    victim = tmp_path / "of-root"
    victim.write_text("kept")
    beside(path, ".lock").unlink()
    beside(path, ".lock").symlink_to(victim)
    with pytest.raises(JournalError):
        Journal.open(path, create=False)
    assert victim.read_text() == "kept"


def test_a_kill_and_what_it_leaves_are_no_loss(path: Path) -> None:
    append_to(path, 10)
    crashed(path, 24)
    with closing(Journal.open(path, create=False)) as journal:
        assert journal.last_offset() == 34


@pytest.mark.parametrize("left", [None, b"", bytes(512)], ids=["missing", "empty", "zeros"])
def test_a_copy_beside_which_nothing_remembers_the_journals_end_is_doubted_once(path: Path, left: bytes | None) -> None:
    """Somebody started an older copy in a new directory, without a restore: it went on in silence."""
    append_to(path, 10)
    copied = path.with_name("moved.journal")
    shutil.copy(path, copied)
    if left is not None:
        beside(copied, ".lock").write_bytes(left)
    for doubts in (1, 0):
        with closing(Journal.open(copied, create=False)) as journal:
            assert len(journal.doubts) == doubts, journal.doubts
    with closing(Journal.open(path, create=False)) as journal:
        assert journal.doubts == ()


def test_a_lock_file_that_a_power_cut_set_back_or_emptied_refuses_nothing(path: Path) -> None:
    append_to(path, 10)
    lock = beside(path, ".lock")
    older = lock.read_bytes()
    append_to(path, 5)
    for left in (older, b"", bytes(512)):
        lock.write_bytes(left)
        with closing(Journal.open(path, create=False)) as journal:
            assert journal.last_offset() == 15


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    opened = Journal.open(path, create=True)
    opened.append(dispensed(1), step(2))
    yield opened
    opened.close()


def _remove(path: Path) -> None:
    path.unlink()


def _replace(path: Path) -> None:
    shutil.copy(path, path.with_name("copy"))
    path.with_name("copy").replace(path)


def _truncate(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


@pytest.mark.parametrize("harm", [_remove, _replace, _truncate], ids=["removed", "replaced", "cut short"])
@pytest.mark.parametrize("suffix", FILES, ids=["file", "log"])
def test_a_file_that_goes_while_it_is_written_to_stops_the_journal(
    journal: Journal, suffix: str, harm: Callable[[Path], None], says: Says
) -> None:
    for number in range(2, 6):
        journal.append(dispensed(number), step(2))
    harm(beside(journal.path, suffix))
    for _ in range(2):  # and every write after it
        with pytest.raises(JournalGoneError) as raised:
            journal.append(dispensed(9), step(2))
    says(raised.value)


def test_many_commits_and_a_reader_beside_them_are_no_harm(journal: Journal) -> None:
    """SQLite folds the log back every thousand pages, and begins it again."""
    with closing(apsw.Connection(str(journal.path), flags=apsw.SQLITE_OPEN_READONLY)) as reader:
        for number in range(2, 3_000):
            journal.append(dispensed(number), step(2))
            if number % 500 == 0:
                reader.execute("SELECT count(*) FROM records").fetchall()
