"""What a journal does between two rounds: it saves the cursors, and folds SQLite's log into the file."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import apsw
import pytest

from daemon.journal.journal import CURSOR_FACTS, Journal
from daemon.journal.reading import JournalReader
from daemon.journal.start import read_start
from tests.journal.values import dispensed, step
from tests.support.processes import gone_afterwards

OUTBOX = "mqtt"
ROUND_RECORDS = 40
FOLDING = """
import fcntl, sys
with open(sys.argv[1], "r+b") as shared:
    fcntl.lockf(shared, fcntl.LOCK_EX, 1, 121)  # WAL_CKPT_LOCK: sqlite.org/walformat.html
    print(flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with closing(Journal.open(tmp_path / "table.journal", create=True)) as opened:
        yield opened


def play(journal: Journal, records: int = ROUND_RECORDS) -> None:
    first = journal.last_offset() + 1
    for number in range(first, first + records):
        journal.append(dispensed(number), step(facts=3))


def log_bytes(journal: Journal) -> int:
    return Path(f"{journal.path}-wal").stat().st_size


def saved_cursor(journal: Journal) -> int:
    """Return where the outbox would begin if the process were killed now."""
    with closing(JournalReader.open_read_only(journal.path)) as reader:
        return read_start(reader).noted.notes.cursors.get(OUTBOX, 0)


@contextmanager
def somebody_folds(journal: Journal) -> Iterator[None]:
    """Hold the lock of one who folds the log, from another process."""
    words = (sys.executable, "-c", FOLDING, f"{journal.path}-shm")
    with gone_afterwards(subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)) as other:
        assert other.stdout is not None
        assert other.stdout.readline()
        yield
        assert other.stdin is not None
        other.stdin.close()


def test_a_round_writes_over_the_log_of_the_one_before(journal: Journal) -> None:
    play(journal)
    grown = log_bytes(journal)
    for _ in range(5):
        journal.do_upkeep()
        play(journal)
    assert log_bytes(journal) < grown * 1.2  # an index may have a page more


def test_without_upkeep_the_log_grows(journal: Journal) -> None:
    play(journal)
    grown = log_bytes(journal)
    play(journal)
    assert log_bytes(journal) > grown * 1.5


def test_a_reader_and_another_who_folds_keep_no_table_from_playing(journal: Journal) -> None:
    play(journal)
    with closing(apsw.Connection(str(journal.path), flags=apsw.SQLITE_OPEN_READONLY)) as reader, reader:
        read = reader.execute("SELECT count(*) FROM records").fetchall()
        play(journal)
        journal.do_upkeep()
        assert reader.execute("SELECT count(*) FROM records").fetchall() == read
    with somebody_folds(journal):
        journal.do_upkeep()
    play(journal)
    assert journal.last_offset() == 3 * ROUND_RECORDS


def test_a_cursor_is_saved_after_some_facts_and_by_upkeep(journal: Journal) -> None:
    play(journal, CURSOR_FACTS)
    for sequence, saved in ((1, 0), (CURSOR_FACTS - 1, 0), (CURSOR_FACTS, CURSOR_FACTS)):
        journal.advance(OUTBOX, sequence)
        assert (journal.cursor(OUTBOX), saved_cursor(journal)) == (sequence, saved)
    journal.advance(OUTBOX, CURSOR_FACTS + 1)
    assert saved_cursor(journal) == CURSOR_FACTS
    journal.do_upkeep()
    assert saved_cursor(journal) == CURSOR_FACTS + 1
