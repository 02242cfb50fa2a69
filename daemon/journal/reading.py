"""Reading a journal: records, replay, facts by sequence, answers and cursors.

Each query fetches all its rows at once, and long reads go in pieces. An unfinished SELECT would keep SQLite from
folding the write-ahead log back into the file, and the log would grow.

Whatever is read by its place in the chain is checked against it. Whatever is found by an index (a round, a request) is
compared with the record that the index names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Self, TypeAlias, TypeVar, cast

import apsw
import msgspec

from daemon.journal import file
from daemon.journal.errors import JournalContentError, JournalDamagedError
from daemon.journal.faults import faults_named
from daemon.journal.notes import NotesReader
from daemon.journal.record import (
    ANSWERS,
    CARRIED,
    FACT_BODIES,
    INPUTS,
    NOTHING,
    Base,
    Carried,
    Header,
    Moment,
    Packer,
    RecordLine,
    UnreadableRecordError,
    first_hash,
    next_hash,
    read_json,
    read_line,
)
from daemon.journal.values import EncodingError
from daemon.table.facts import Fact
from daemon.table.inputs import Input, Request
from daemon.table.step import Answer
from daemon.table.vocabulary import RequestId, RoundId
from protocols.frozen import dataclass

ROWS_MAX: Final = 500
"""Records in memory at once. At about half a kilobyte each they take a quarter of a megabyte."""

FACTS_AHEAD: Final = 200
"""Facts that are read at once. A reader of facts asks for the next ones soon."""

_ValueT = TypeVar("_ValueT")
_Stored: TypeAlias = "tuple[int, apsw.SQLiteValue, apsw.SQLiteValue, apsw.SQLiteValue]"


class JournaledFact(msgspec.Struct, frozen=True):
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
class Checkpoint:
    """A signed line, as the file holds it. `daemon.journal.signing` says what it means."""

    offset: int
    line: bytes
    key: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A record as the file holds it. `sequence` and `hash` are what the file has for the line."""

    offset: int
    sequence: int
    hash: bytes
    line: bytes


class JournalReader(NotesReader):
    """A journal open for reading."""

    def __init__(self, path: Path, db: apsw.Connection) -> None:
        super().__init__(path, db)
        self.header = self._typed(bytes, self._one("SELECT value FROM meta WHERE key = 'header'")[0])
        pruned = self._first("SELECT value FROM meta WHERE key = 'base'")
        try:
            first = read_json(self.header, Header).journal
            self.base = Base(0, 0, first_hash(self.header).hex())
            if pruned is not None:
                self.base = read_json(self._typed(bytes, pruned[0]), Base)
        except UnreadableRecordError as error:
            raise JournalDamagedError(path, f"in its table meta, {error}") from error
        rows = self._all("SELECT offset, journal FROM generations ORDER BY offset")
        continued = ((self._typed(int, offset), self._typed(str, journal)) for offset, journal in rows)
        self.generations = ((0, first), *continued)
        self._packer = Packer(self._typed(bytes, self._one("SELECT value FROM meta WHERE key = 'dictionary'")[0]))
        self._ahead: tuple[JournaledFact, ...] = ()

    @property
    def id(self) -> str:
        """Return the journal's id. A copy that continues in the place of a lost journal gets another one."""
        return self.generations[-1][1]

    def id_at(self, offset: int) -> str:
        """Return the id that the journal had at this record."""
        return next(journal for first, journal in reversed(self.generations) if first <= offset)

    @classmethod
    def open_read_only(cls, path: Path) -> Self:
        """Open the journal at `path` beside the daemon that may be writing to it. Nothing is changed."""
        with faults_named(path):
            db = file.open_read_only(path)
            try:
                return cls(path, db)
            except BaseException:
                db.close()
                raise

    def last_offset(self) -> int:
        """Return the offset of the newest record, 0 before the first."""
        return cast(int | None, self._one("SELECT max(offset) FROM records")[0]) or self.base.offset

    def last_sequence(self) -> int:
        """Return the sequence of the newest fact, 0 before the first."""
        return self.sequence_at(self.last_offset())

    def hash_at(self, offset: int) -> bytes:
        """Return the hash that the file has for this record, or for what the first record follows."""
        if offset == self.base.offset:
            return bytes.fromhex(self.base.hash)
        row = self._first("SELECT hash FROM records WHERE offset = ?", (offset,))
        if row is None:
            raise JournalDamagedError(self.path, f"record {offset} is missing")
        return self._typed(bytes, row[0])

    def stored(self, after_offset: int, limit: int) -> tuple[StoredRecord, ...]:
        """Return the next records after this offset, at most `limit`. None of them is checked."""
        select = "SELECT offset, sequence, hash, body FROM records WHERE offset > ? ORDER BY offset LIMIT ?"
        return tuple(
            StoredRecord(offset, self._typed(int, sequence), self._typed(bytes, hash_), self._unpacked(offset, body))
            for offset, sequence, hash_, body in cast("list[_Stored]", self._all(select, (after_offset, limit)))
        )

    def offsets(self, after_offset: int, limit: int) -> tuple[int, ...]:
        """Return the offsets of the next records that the file has, at most `limit`."""
        select = "SELECT offset FROM records WHERE offset > ? ORDER BY offset LIMIT ?"
        return tuple(self._typed(int, offset) for (offset,) in self._all(select, (after_offset, limit)))

    def tables_before_the_first(self) -> tuple[str, ...]:
        """Return the tables with a row of a record before the first that there ever was. Nothing reads such a row."""
        tables = ("records", "carried", "requests", "checkpoints")
        return tuple(table for table in tables if self._first(f"SELECT 1 FROM {table} WHERE offset < 1 LIMIT 1"))  # noqa: S608

    def checked(self, after_offset: int, limit: int) -> tuple[StoredRecord, ...]:
        """Return the next records after this offset, at most `limit`, or raise if one does not continue the chain."""
        return tuple(self.checked_one_by_one(after_offset, limit))

    def checked_one_by_one(self, after_offset: int, limit: int) -> Iterator[StoredRecord]:
        """Yield the same. Who needs only the first of them does not hear of a fault in what follows."""
        before = self.hash_at(after_offset)
        for expected, record in enumerate(self.stored(after_offset, limit), after_offset + 1):
            if record.offset != expected:
                raise JournalDamagedError(self.path, f"record {expected} is missing")
            before = next_hash(before, record.line)
            if before != record.hash:
                raise JournalDamagedError(
                    self.path, f"record {record.offset} does not have the content that was hashed"
                )
            yield record

    def last_carried(self) -> tuple[int, Carried] | None:
        """Return the last record that carries over what outlives a round, by its offset, or None if none does."""
        row = self._first("SELECT max(offset) FROM carried")
        if row is None or row[0] is None:
            return None
        return self._typed(int, row[0]), self.carried_at(self._typed(int, row[0]))

    def carried_at(self, offset: int) -> Carried:
        """Return what this record carries over. Raise if the index names a record that carries nothing over."""
        carried = self.line(offset).carried
        if carried is NOTHING:
            raise JournalDamagedError(
                self.path, f"record {offset} carries nothing over, and the index says that it does"
            )
        return self._decoded(offset, CARRIED.decode, bytes(carried))

    def marks(self, first: int, last: int) -> tuple[tuple[int, RoundId | None], ...]:
        """Return the records in this range that carry over, each with the round that takes bets after it."""
        select = "SELECT offset, round FROM carried WHERE offset BETWEEN ? AND ? ORDER BY offset"
        rows = self._all(select, (first, last))
        return tuple(
            (self._typed(int, offset), None if fresh is None else RoundId(self._typed(str, fresh)))
            for offset, fresh in rows
        )

    def opened_at(self, round_id: str) -> int | None:
        """Return the record in which a round was opened, or None. No check looks at what lies below the base."""
        select = "SELECT min(offset) FROM carried WHERE round = ? AND offset > ?"
        row = self._first(select, (round_id, self.base.offset))
        return None if row is None else cast(int | None, row[0])

    def next_opened(self, after: int, round_id: str) -> int | None:
        """Return the record behind this one in which another round was opened, or None."""
        select = "SELECT offset FROM carried WHERE offset > ? AND round != ? ORDER BY offset LIMIT 1"
        row = self._first(select, (after, round_id))
        return None if row is None else cast(int, row[0])

    def read(self, record: StoredRecord) -> tuple[RecordLine, Input]:
        """Return what a stored record says, and its input."""
        line = self._read_line(record.offset, record.line)
        return line, self._decoded(record.offset, INPUTS.decode, bytes(line.input))

    def input_at(self, offset: int) -> Input:
        """Return the input of one record."""
        return self._decoded(offset, INPUTS.decode, bytes(self.line(offset).input))

    def replay(self, after_offset: int) -> Iterator[tuple[int, Input]]:
        """Yield every input after this offset, in order. Raise if a record does not continue the chain."""
        while found := self.checked(after_offset, ROWS_MAX):
            for record in found:
                yield record.offset, self.read(record)[1]
            after_offset = found[-1].offset

    def facts_after(self, sequence: int, limit: int) -> tuple[JournaledFact, ...]:
        """Return the next facts after this sequence, at most `limit`."""
        found: list[JournaledFact] = []
        while len(found) < limit:
            if not (self._ahead and self._ahead[0].sequence <= sequence + 1 <= self._ahead[-1].sequence):
                self._ahead = self._read_facts(sequence)
                if not self._ahead:
                    break
            start = sequence + 1 - self._ahead[0].sequence
            found += self._ahead[start : start + limit - len(found)]
            sequence = found[-1].sequence
        return tuple(found)

    def facts_between(self, first: int, last: int) -> tuple[JournaledFact, ...]:
        """Return the facts from `first` to `last`, both included, as far as they exist."""
        return self.facts_after(first - 1, max(0, last - first + 1))

    def answered(self, who: str, request: RequestId) -> tuple[Request, Answer] | None:
        """Return this request as it was first made, and its answer. Return None if it was not made before."""
        offset = self.offset_of_request(who, request)
        if offset is None:
            return None
        line = self.line(offset)
        asked = self._decoded(offset, INPUTS.decode, bytes(line.input))
        if not isinstance(asked, Request) or (asked.who, asked.id) != (who, request) or line.answer is NOTHING:
            raise JournalDamagedError(self.path, f"record {offset} is not the request that the index names")
        return asked, self._decoded(offset, ANSWERS.decode, bytes(line.answer))

    def offset_of_request(self, who: str, request: str) -> int | None:
        """Return the offset that the index has for this request, or None."""
        select = "SELECT offset FROM requests WHERE who = ? AND id = ? AND offset > ?"
        row = self._first(select, (who, request, self.base.offset))
        return None if row is None else self._typed(int, row[0])

    def checkpoints(self, after_offset: int, last: int) -> tuple[Checkpoint, ...]:
        """Return the signed checkpoints of the records after this offset, up to the last one given."""
        select = "SELECT offset, line, key, signature FROM checkpoints WHERE offset > ? AND offset <= ? ORDER BY offset"
        return tuple(
            Checkpoint(self._typed(int, offset), *(self._typed(bytes, value) for value in signed))
            for offset, *signed in self._all(select, (after_offset, last))
        )

    def last_checkpoint(self) -> int:
        """Return the offset of the last signed checkpoint, 0 before the first."""
        row = self._first("SELECT max(offset) FROM checkpoints")
        return 0 if row is None or row[0] is None else self._typed(int, row[0])

    def _read_facts(self, after_sequence: int) -> tuple[JournaledFact, ...]:
        """Return some facts after this sequence, and with them those of the same record that come before.

        They are published as they stand here, so each record is checked against the chain, and no fact may be missing.
        """
        before = self._first_offset_after(after_sequence) - 1
        sequence = self.sequence_at(before)
        if sequence > after_sequence:
            raise JournalDamagedError(self.path, f"fact {after_sequence + 1} is missing")
        found: list[JournaledFact] = []
        while len(found) < FACTS_AHEAD and (records := self.checked(before, FACTS_AHEAD // 4)):
            for record in records:
                line = self._read_line(record.offset, record.line)
                if line.facts:
                    found += self._facts_of(line, self._moment(line))
            before = records[-1].offset
        for expected, fact in enumerate(found, sequence + 1):
            if fact.sequence != expected:
                raise JournalDamagedError(self.path, f"fact {fact.sequence} stands where fact {expected} belongs")
        return tuple(found)

    def _first_offset_after(self, sequence: int) -> int:
        """Return the offset of the record with the first fact after this sequence, by bisection."""
        low, high = self.base.offset + 1, self.last_offset() + 1
        if self._ahead and self._ahead[-1].sequence <= sequence:
            low = self._ahead[-1].offset  # the usual case: the next facts are the next ones in the file
            if self.sequence_at(low) > sequence:
                return low
            if self.sequence_at(min(low + 1, high - 1)) > sequence:
                return low + 1
        while low < high:
            middle = (low + high) // 2
            if self.sequence_at(middle) > sequence:
                high = middle
            else:
                low = middle + 1
        return low

    def sequence_at(self, offset: int) -> int:
        """Return the sequence of the last fact up to this record. A row below the base is none of this journal."""
        if offset <= self.base.offset:
            return self.base.sequence
        row = self._first("SELECT sequence FROM records WHERE offset = ?", (offset,))
        return self.base.sequence if row is None else self._typed(int, row[0])

    def _facts_of(self, line: RecordLine, utc_ns: int) -> Iterator[JournaledFact]:
        journal = self.id_at(line.offset)
        for n, fact in enumerate(line.facts):
            yield JournaledFact(
                journal=journal,
                offset=line.offset,
                n=n,
                sequence=fact.sequence,
                utc_ns=utc_ns,
                rules_version=line.rules,
                kind=fact.kind,
                round_id=fact.round,
                body=bytes(fact.data),
            )

    def line(self, offset: int) -> RecordLine:
        """Return one record, or raise if the file does not have it."""
        row = self._first("SELECT body FROM records WHERE offset = ?", (offset,))
        if row is None:
            raise JournalDamagedError(self.path, f"record {offset} is missing")
        return self._read_line(offset, self._unpacked(offset, row[0]))

    def _unpacked(self, offset: int, body: apsw.SQLiteValue) -> bytes:
        try:
            return self._packer.unpack(self._typed(bytes, body))
        except UnreadableRecordError as error:
            raise JournalDamagedError(self.path, f"record {offset}: {error}") from error

    def _read_line(self, offset: int, line: bytes) -> RecordLine:
        try:
            read = read_line(line)
        except UnreadableRecordError as error:
            raise JournalDamagedError(self.path, f"record {offset}: {error}") from error
        if read.offset != offset:
            raise JournalDamagedError(self.path, f"in the place of record {offset} is record {read.offset}")
        return read

    def _moment(self, line: RecordLine) -> int:
        try:
            return read_json(line.input, Moment).at.utc_ns
        except UnreadableRecordError as error:
            raise JournalContentError(self.path, f"record {line.offset}: {error}") from error

    def _decoded(self, offset: int, decode: Callable[[bytes], _ValueT], body: bytes) -> _ValueT:
        try:
            return decode(body)
        except EncodingError as error:
            raise JournalContentError(self.path, f"record {offset}, {error}") from error
