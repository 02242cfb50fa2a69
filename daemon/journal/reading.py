"""Reading a journal: replay, facts by sequence, answers, receipts and cursors.

Each query fetches all its rows at once, and long reads go in pieces. An unfinished SELECT would keep SQLite from
folding the write-ahead log back into the file, and the log would grow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Generic, TypeAlias, TypeVar, cast

import apsw

from daemon.journal.encoding import Codec, EncodingError, fields_codec
from daemon.journal.errors import JournalContentError
from daemon.journal.kinds import FACT_KINDS, KINDS
from daemon.journal.schema import faults_named
from daemon.table.facts import Fact, FactData
from daemon.table.inputs import Input
from daemon.table.step import Answer
from daemon.table.vocabulary import RequestId, RoundId
from drivers.events import DeviceName, Receipt

StateT = TypeVar("StateT")

REPLAY_ROWS: Final = 500  # in memory at once; at about 500 bytes a row a quarter of a megabyte

INPUTS: Final[Codec[Input]] = Codec(Input, KINDS)
ANSWERS: Final = Codec[Answer](Answer, KINDS)
FACT_BODIES: Final[dict[str, Codec[FactData]]] = {kind: fields_codec(cls, KINDS) for cls, kind in FACT_KINDS.items()}


@dataclass(frozen=True, slots=True)
class JournaledFact:
    """A fact as it was committed. `body` is its JSON: a resend in a year has the same bytes."""

    journal: str
    offset: int
    n: int
    sequence: int
    utc_ns: int
    rules_version: str
    kind: str
    round_id: RoundId | None
    body: bytes

    @property
    def id(self) -> str:
        """Return the event id. It is the same in every resend, so a consumer that keeps ids has each fact once."""
        return f"{self.journal}:{self.offset}:{self.n}"

    def fact(self) -> Fact:
        """Return the fact as a value."""
        return Fact(self.round_id, FACT_BODIES[self.kind].decode(self.body))


@dataclass(frozen=True, slots=True)
class Snapshot(Generic[StateT]):
    """The table's state after the event at `offset`."""

    offset: int
    state: StateT


_FACTS: Final = """
SELECT offset, n, sequence, utc_ns, rules, facts.kind, round, facts.body
FROM facts JOIN events USING (offset) WHERE sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?
"""
_INT64_MAX: Final = 2**63 - 1
_ValueT = TypeVar("_ValueT")
_Row: TypeAlias = "tuple[apsw.SQLiteValue, ...]"  # a name that only apsw's stubs have


class JournalReader:
    """A journal open for reading."""

    def __init__(self, path: Path, db: apsw.Connection) -> None:
        self.path = path
        self._db = db
        self.id = cast(str, self._one("SELECT value FROM meta WHERE key = 'journal'")[0])

    def answer_to(self, client: str, request: RequestId) -> Answer | None:
        """Return the answer to this request, or None if it was not made before."""
        row = self._first("SELECT offset, answer FROM requests WHERE client = ? AND id = ?", (client, request))
        return None if row is None else self._decoded(cast(int, row[0]), ANSWERS.decode, cast(str, row[1]))

    def last_receipt(self, device: DeviceName) -> Receipt | None:
        """Return the receipt of the device's last event that is committed, or None."""
        row = self._first("SELECT boot, seq FROM receipts WHERE device = ?", (device,))
        return None if row is None else Receipt(*cast("tuple[str, int]", row))

    def last_offset(self) -> int:
        """Return the offset of the newest event, 0 before the first."""
        return cast(int, self._one("SELECT coalesce(max(offset), 0) FROM events")[0])

    def last_sequence(self) -> int:
        """Return the sequence of the newest fact, 0 before the first."""
        return cast(int, self._one("SELECT coalesce(max(sequence), 0) FROM facts")[0])

    def replay(self, after_offset: int) -> Iterator[tuple[int, Input]]:
        """Yield every event after this offset, in order."""
        select = "SELECT offset, body FROM events WHERE offset > ? ORDER BY offset LIMIT ?"
        while rows := cast("list[tuple[int, str]]", self._all(select, (after_offset, REPLAY_ROWS))):
            for offset, body in rows:
                yield offset, self._decoded(offset, INPUTS.decode, body)
            after_offset = rows[-1][0]

    def facts_after(self, sequence: int, limit: int) -> tuple[JournaledFact, ...]:
        """Return the next facts after this sequence, at most `limit`."""
        return self._facts(sequence, _INT64_MAX, limit)

    def facts_between(self, first: int, last: int) -> tuple[JournaledFact, ...]:
        """Return the facts from `first` to `last`, both included, as far as they exist."""
        return self._facts(first - 1, last, max(0, last - first + 1))

    def cursor(self, name: str) -> int:
        """Return the last sequence that this reader has finished, 0 before the first."""
        row = self._first("SELECT sequence FROM cursors WHERE name = ?", (name,))
        return 0 if row is None else cast(int, row[0])

    def latest_snapshot(self, state_type: type[StateT], code_version: str) -> Snapshot[StateT] | None:
        """Return the newest snapshot of this version of the code, or None."""
        select = "SELECT offset, body FROM snapshots WHERE code_version = ? ORDER BY offset DESC LIMIT 1"
        row = self._first(select, (code_version,))
        if row is None:
            return None
        offset = cast(int, row[0])
        return Snapshot(offset, self._decoded(offset, state_codec(state_type).decode, cast(str, row[1])))

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _facts(self, after: int, last: int, limit: int) -> tuple[JournaledFact, ...]:
        rows = cast(
            "list[tuple[int, int, int, int, str, str, RoundId | None, str]]", self._all(_FACTS, (after, last, limit))
        )
        return tuple(JournaledFact(self.id, *row[:-1], body=row[-1].encode()) for row in rows)

    def _decoded(self, offset: int, decode: Callable[[str], _ValueT], body: str) -> _ValueT:
        try:
            return decode(body)
        except EncodingError as error:
            raise JournalContentError(self.path, f"event {offset}, {error}") from error

    def _all(self, select: str, values: _Row = ()) -> list[_Row]:
        with faults_named(self.path, self._db):
            return self._db.execute(select, values).fetchall()

    def _first(self, select: str, values: _Row) -> _Row | None:
        rows = self._all(select, values)
        return rows[0] if rows else None

    def _one(self, select: str) -> _Row:
        return self._all(select)[0]


def state_codec(state_type: type[StateT]) -> Codec[StateT]:
    """Return the codec of a state. No other version reads it, so what has no public name is written by its class's."""
    return Codec(state_type, KINDS, unnamed_by_class=True)
