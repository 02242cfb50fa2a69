"""What stands beside the records for the next process: a note that is not as it was left holds by its safer side."""

from __future__ import annotations

import hashlib
from contextlib import closing
from pathlib import Path
from typing import Final

import apsw
import pytest

from daemon.journal.errors import JournalDamagedError
from daemon.journal.journal import Journal
from daemon.journal.notes import SUM_BYTES
from daemon.journal.reading import JournalReader
from daemon.tools.journal.verifying import verify
from tests.journal.values import configured, dispensed, step
from tests.support.sentences import Says

MQTT: Final = "mqtt"
FLOOD: Final = "single-users"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal of seven facts, of which five are published, with a mark."""
    path = tmp_path / "table.journal"
    with closing(Journal.open(path, create=True)) as journal:
        journal.append(configured(1), step(1))
        journal.append(dispensed(2), step(6))
        journal.advance(MQTT, 5)
        journal.set_mark(FLOOD, True)
    return path


def changed(path: Path, statement: str) -> None:
    with closing(apsw.Connection(str(path))) as hand:
        hand.execute(statement)


def faults(path: Path) -> list[str]:
    with closing(JournalReader.open_read_only(path)) as journal:
        return [fault.what for fault in verify(journal, {}, None).faults]


def test_what_was_noted_is_there_after_a_restart_and_not_doubted(path: Path) -> None:
    with closing(Journal.open(path, create=False)) as journal:
        assert (journal.cursor(MQTT), journal.slowest_cursor(), journal.has_mark(FLOOD)) == (5, 5, True)
        assert journal.doubts == ()
    assert faults(path) == []


@pytest.mark.parametrize(
    ("change", "cursor"),
    [
        ("UPDATE cursors SET sequence = 7", 5),
        ("UPDATE cursors SET sequence = 8", 5),
        ("UPDATE cursors SET sequence = 4", 4),
        ("UPDATE cursors SET sequence = -5", 5),
        ("UPDATE cursors SET name = 'mqtu'", 5),
        ("DELETE FROM cursors", 5),
        ("UPDATE meta SET value = CAST(replace(value, '\"mqtt\":5', '\"mqtt\":7') AS BLOB) WHERE key = 'notes'", 5),
        ("UPDATE meta SET value = x'ff' WHERE key = 'notes'", 5),
        ("DELETE FROM meta WHERE key = 'mark-single-users'", 5),
        ("UPDATE meta SET key = 'mark-single-usert' WHERE key = 'mark-single-users'", 5),
    ],
)
def test_a_note_that_was_changed_skips_nothing_and_is_told_once(
    path: Path, change: str, cursor: int, says: Says
) -> None:
    """The cursor skipped events in silence, and the mark was as if it had never been set."""
    changed(path, change)
    assert faults(path)
    with closing(Journal.open(path, create=False)) as journal:
        assert (journal.cursor(MQTT), journal.slowest_cursor(), journal.has_mark(FLOOD)) == (cursor, cursor, True)
        says("\n".join(journal.doubts))
        journal.append(configured(3), step(0))  # as each start does
    assert faults(path) == []
    with closing(Journal.open(path, create=False)) as again:
        assert (again.cursor(MQTT), again.has_mark(FLOOD), again.doubts) == (cursor, True, ())


def test_notes_of_another_form_are_doubted_and_the_rows_believed(path: Path) -> None:
    """Their sum fits, so nobody changed them: a later feltd writes them otherwise."""
    with closing(apsw.Connection(str(path))) as hand:
        other = hashlib.sha256(b"[]").digest()[:SUM_BYTES] + b"[]"
        hand.execute("UPDATE meta SET value = ? WHERE key = 'notes'", (other,))
    with closing(Journal.open(path, create=False)) as journal:
        assert (journal.cursor(MQTT), journal.has_mark(FLOOD), len(journal.doubts)) == (5, True, 1)


def older_feltd(path: Path, offset: int, cursor: int) -> None:
    """Write as a feltd from before the check does: a start, and its cursor."""
    with closing(Journal.open(path, create=False)) as journal:
        (kept,) = journal._one("SELECT value FROM meta WHERE key = 'notes'")
        journal.append(configured(offset), step(2))
    with closing(apsw.Connection(str(path))) as hand:
        hand.execute("UPDATE cursors SET sequence = ?", (cursor,))
        hand.execute("UPDATE meta SET value = ? WHERE key = 'notes'", (kept,))


def test_a_cursor_that_an_older_feltd_moved_is_believed(path: Path) -> None:
    """After a rollback: it starts on the journal, and knows only the cursor itself."""
    older_feltd(path, 3, cursor=8)
    assert faults(path) == []
    with closing(Journal.open(path, create=False)) as journal:
        assert (journal.cursor(MQTT), journal.doubts) == (8, ())


def test_a_journal_of_an_older_feltd_is_read_without_the_check(path: Path) -> None:
    changed(path, "DELETE FROM meta WHERE key = 'notes'")
    with closing(Journal.open(path, create=False)) as journal:
        assert (journal.cursor(MQTT), journal.has_mark(FLOOD), journal.doubts) == (5, True, ())
        journal.advance(MQTT, 6)
        journal.do_upkeep()
    changed(path, "UPDATE cursors SET sequence = 7")
    with closing(Journal.open(path, create=False)) as journal:
        assert journal.cursor(MQTT) == 6


@pytest.mark.parametrize("sequence", [-1, 8])
def test_a_place_that_no_cursor_can_have_is_damage_where_nothing_says_another(path: Path, sequence: int) -> None:
    """The outbox would not publish what comes next."""
    changed(path, "DELETE FROM meta WHERE key = 'notes'")
    changed(path, f"UPDATE cursors SET sequence = {sequence}")  # noqa: S608  # our own number
    with pytest.raises(JournalDamagedError, match="cursor mqtt"):
        Journal.open(path, create=False)
