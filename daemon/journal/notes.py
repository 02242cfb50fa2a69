"""What feltd notes for its next process beside the records: how far each reader of the facts has come, and marks.

Theory of operation. Notes change without an input, so no hash of the chain has them. A flipped bit that moved a cursor
forward would skip events in silence, and a mark that went would let a stake be taken that was replaced. So each note is
written twice in one transaction: in a row of its own, and with all the others in the row `notes` of `meta`, which
begins with a sum of itself. If the two differ at a start, the one holds that repeats or refuses something in vain: the
lower cursor, the mark that is set. An alert says so.

A feltd from before this check writes the rows alone. But each start appends a configuration, and `notes` names the one
in force. So if it names an earlier one, such a feltd ran since, and its rows are believed.

This is a check against accidents. Who edits the file can edit both. They can only keep events from consumers, who see
the hole in the sequence: the records are hashed, and stay.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final

import apsw
import msgspec

from daemon.journal.errors import JournalDamagedError
from daemon.journal.rows import Rows
from protocols.frozen import dataclass

NOTES: Final = "notes"
MARK: Final = "mark-"
SUM_BYTES: Final = 8  # against accidents, so no more is needed


class Notes(msgspec.Struct, frozen=True):
    """Everything that is noted. `configured` is the offset of the configuration in force when it was written."""

    configured: int = 0
    cursors: dict[str, int] = {}
    marks: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Noted:
    """The notes that hold, and every place at which the file does not have them as they were left."""

    notes: Notes
    doubts: tuple[str, ...] = ()


class NotesReader(Rows):
    """A journal's notes, as its file has them."""

    def noted(self, configured: int, sequence: int) -> Noted:
        """Return the notes of a journal with this configuration in force, whose last fact has this sequence."""
        rows = {(what, name): value for what, name, value in self._all(_ALL)}
        cursors = {self._typed(str, name): value for (what, name), value in rows.items() if what == "cursor"}
        marks = frozenset(
            self._typed(str, name).removeprefix(MARK) for what, name in rows if what == "meta" and name != NOTES
        )
        known = Notes(configured, {name: self._typed(int, value) for name, value in cursors.items()}, marks)
        try:
            left = _left(rows.get(("meta", NOTES)), configured)
        except (ValueError, msgspec.MsgspecError):  # a later feltd may write them otherwise
            return Noted(self._held(known, known, sequence), ("the row notes of its table meta was changed",))
        return Noted(self._held(known, left or known, sequence), tuple(_differences(known, left or known)))

    def _held(self, known: Notes, left: Notes, sequence: int) -> Notes:
        cursors = {
            name: self._within(name, (known.cursors.get(name, place), place), sequence)
            for name, place in left.cursors.items()
        }
        return Notes(known.configured, cursors, known.marks | left.marks)

    def _within(self, name: str, places: tuple[int, ...], sequence: int) -> int:
        """Return the lowest place that a cursor can have. With one behind the last fact, what comes next is skipped."""
        possible = [place for place in places if 0 <= place <= sequence]
        if not possible:
            what = f"cursor {name} stands at {places[0]}, and the last fact is {sequence}"
            raise JournalDamagedError(self.path, what)
        return min(possible)


def write_all(db: apsw.Connection, notes: Notes) -> None:
    """Write these notes in the place of what the file has, within a transaction."""
    db.execute("DELETE FROM cursors")
    db.executemany("INSERT INTO cursors VALUES (?, ?)", list(notes.cursors.items()))
    db.execute("DELETE FROM meta WHERE key GLOB 'mark-*'")
    db.executemany("INSERT INTO meta VALUES (?, x'')", [(MARK + name,) for name in notes.marks])
    write_notes(db, notes)


def write_notes(db: apsw.Connection, notes: Notes) -> None:
    """Write the row that has all of these notes, within a transaction."""
    upsert = "INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value"
    said = msgspec.json.encode(notes)
    db.execute(upsert, (NOTES, _sum(said) + said))


def _sum(said: bytes) -> bytes:
    return hashlib.sha256(said).digest()[:SUM_BYTES]


def _left(value: apsw.SQLiteValue, configured: int) -> Notes | None:
    """Return the notes as they were left, or None if a feltd that does not write them ran last. Or raise ValueError."""
    if value is None:
        return None
    if not isinstance(value, bytes) or _sum(value[SUM_BYTES:]) != value[:SUM_BYTES]:
        raise ValueError("its sum does not fit")
    left = msgspec.json.decode(value[SUM_BYTES:], type=Notes)
    if left.configured > configured:
        raise ValueError("it names a configuration that is not there")
    return left if left.configured == configured else None


# One statement, so that what it finds is of one moment. The plus keeps SQLite from searching by the key: among keys of
# which one was changed, it would miss others too.
_ALL: Final = """
SELECT 'cursor', name, sequence FROM cursors
UNION ALL SELECT 'meta', key, value FROM meta WHERE +key = 'notes' OR +key GLOB 'mark-*'
"""


def _differences(rows: Notes, left: Notes) -> Iterator[str]:
    for name in sorted({**rows.cursors, **left.cursors}):
        here, there = rows.cursors.get(name), left.cursors.get(name)
        if here != there:
            was = "was not there" if there is None else f"was left at {there}"
            yield f"cursor {name} {'is missing' if here is None else f'stands at {here}'}, and {was}"
    for name in sorted(rows.marks ^ left.marks):
        yield f"mark {name} is set, and was not" if name in rows.marks else f"mark {name} is not set, and was"
