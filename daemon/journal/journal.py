"""The journal: what happened, and what the table said of it, committed before anybody is told.

Theory of operation. One process writes, one append at a time, on one connection. An append is one transaction with one
record: the input, its facts with the next sequences, the answer to a request, and at a round's end what outlives it.
When `append` returns, all of it is on the disk. When it raises, nobody knows what is on the disk, and nobody is told.

After any failed write the journal refuses every further one with the same error. A disk that failed one fsync
may report success for the next while the bytes of the first are gone, so the only safe way on is to end, and to
read the file afresh at the next start. The failed append may then turn out to be there. Nobody was told of it,
so the device sends its event again and the receipt shows that it is known. The client asks again and gets the
answer that was committed.

Offsets and sequences run without holes because they are counted here, under the lock, from what is committed. Each
record is hashed onto the one before; `daemon.journal.record` says how.

`daemon.journal.start` says what opening reads, and what it checks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self, TypeVar

import apsw
import msgspec

from daemon.errors import JournalError
from daemon.journal import file
from daemon.journal.errors import JournalDirectoryError, JournalMissingError
from daemon.journal.faults import faults_named
from daemon.journal.kinds import FACT_KINDS
from daemon.journal.lock import LastCommit, WriterLock
from daemon.journal.notes import Notes, write_all
from daemon.journal.reading import FACTS_AHEAD, JournaledFact, JournalReader
from daemon.journal.record import (
    ANSWERS,
    CARRIED,
    FACT_BODIES,
    INPUTS,
    NOTHING,
    Base,
    Carried,
    FactLine,
    RecordLine,
    next_hash,
)
from daemon.journal.start import End, doubts_of, expect_newest, read_start
from daemon.table.carry_over import CarryOver
from daemon.table.facts import Fact
from daemon.table.inputs import Configured, Input, JournalRestored, Request
from daemon.table.round_facts import RoundOpened, RoundSettled
from daemon.table.step import Step
from drivers.events import DeviceName, DeviceReport, Receipt
from protocols.frozen import dataclass

if TYPE_CHECKING:
    from daemon.journal.signing import Signer  # a table without a key does without the library

StateT = TypeVar("StateT")

CHECKPOINT_RECORDS: Final = 1_000
"""So many records at least lie between two signatures while a table plays: about half an hour."""

CURSOR_FACTS: Final = 100
"""A cursor is saved after so many facts at least. A transaction for each would be half of all that is written."""

PRUNED_ROWS: Final = 20_000
"""So many records are deleted in one transaction."""


@dataclass(frozen=True, slots=True)
class Committed:
    """What one append committed."""

    offset: int
    facts: tuple[JournaledFact, ...]


class Journal(JournalReader):
    """A journal open for writing, from `open` to `close`. For one thread only."""

    def __init__(
        self,
        path: Path,
        db: apsw.Connection,
        lock: WriterLock,
        signer: Signer | None,
        is_restored: bool,
        on_progress: Callable[[], None],
    ) -> None:
        super().__init__(path, db)
        self._lock = lock
        self._signer = signer
        self._signed_offset = self.last_checkpoint()
        self._failure: JournalError | None = None
        self._newest: deque[JournaledFact] = deque(maxlen=FACTS_AHEAD)  # as committed: their reader is a step behind
        start = read_start(self, on_progress)
        self._end, self._receipts, self.rounds_opened = start.end, start.receipts, start.rounds_opened
        self._notes = self._saved = start.noted.notes  # nobody else writes them
        self.doubts = (*doubts_of(start, lock.remembered), *self._doubts_of_signature())
        self._watched = file.Watched(path)
        self.remembered = lock.remembered
        if lock.remembered is not None:
            self.rounds_opened = max(self.rounds_opened, lock.remembered.rounds)
            if not is_restored:
                expect_newest(self, self._end, lock.remembered)
        if not is_restored:  # until the restore is committed, the file remembers what was lost
            lock.sign(self._last_commit())

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        create: bool,
        signer: Signer | None = None,
        is_restored: bool = False,
        on_progress: Callable[[], None] = lambda: None,
    ) -> Self:
        """Open the journal at `path`, or raise JournalError. With `create`, make one where there never was one.

        With `is_restored`, an older copy is opened, too: a person has said that it is all that is left.
        Without `create`, a missing journal leaves no file behind: its disk may be about to be mounted here.
        With a `signer`, checkpoints are signed. `on_progress` is called again and again while many records are read.
        """
        with faults_named(path), ExitStack() as undo:
            if not file.is_directory(path.parent):
                raise JournalDirectoryError(path, "its directory does not exist")
            file.expect_files(path)
            if not (create or file.is_there(path)):
                raise JournalMissingError(path, "the file is missing")
            lock = WriterLock.take(path)
            undo.callback(lock.release)
            if create and not file.is_there(path):
                lock.expect_none(path)
                file.create(path)
            db = file.open_existing(path)
            undo.callback(db.close)
            try:
                opened = cls(path, db, lock, signer, is_restored, on_progress)
            except JournalError:
                file.leave_as_it_is(db)
                raise
            undo.pop_all()
            return opened

    def append(self, event: Input, step: Step[StateT], carry_over: CarryOver | None = None) -> Committed:
        """Commit an input with its facts and its answer, and with what is carried over after it, if anything is."""
        before, receipts = self._end, self._receipts_after(event)
        rules, configured = self._in_force_after(event)
        carried = None if carry_over is None else Carried(configured, carry_over, tuple(receipts.items()))
        record = _record(before, rules, event, step, carried)
        line = msgspec.json.encode(record)
        end = End(record.offset, before.sequence + len(record.facts), next_hash(before.hash, line), rules, configured)
        with self._writing():  # one transaction: when this block is left, all of it is on the disk
            row = (end.offset, end.sequence, end.hash, self._packer.pack(line))
            self._db.execute("INSERT INTO records VALUES (?, ?, ?, ?)", row)
            self._insert_indexes(event, end, carry_over)
        self._end, self._receipts = end, receipts
        self._note_what_changed(event, step)
        self._lock.keep(self._last_commit())  # beside the journal: an older file that is put back is noticed
        committed = tuple(self._facts_of(record, event.at.utc_ns))
        self._newest.extend(committed)  # the outbox reads them from here
        return Committed(end.offset, committed)

    def checkpoint(self, utc_ns: int) -> None:
        """Sign the journal's end, if there is a key and it is not signed already."""
        if self._end.offset > self._signed_offset and self._signer is not None:
            with self._writing():
                self._insert_checkpoint(self._end, utc_ns)

    def last_offset(self) -> int:
        """Return the offset of the newest record, 0 before the first."""
        return self._end.offset

    def last_sequence(self) -> int:
        """Return the sequence of the newest fact, 0 before the first."""
        return self._end.sequence

    def last_receipt(self, device: DeviceName) -> Receipt | None:
        """Return the receipt of the device's last event that is committed, or None."""
        return self._receipts.get(device)

    def cursor(self, name: str) -> int:
        """Return the last sequence that this reader has finished, 0 before the first."""
        return self._notes.cursors.get(name, 0)

    def slowest_cursor(self) -> int:
        """Return the sequence up to which every reader has finished, 0 if nobody has read yet."""
        return min(self._notes.cursors.values(), default=0)

    def advance(self, name: str, sequence: int) -> None:
        """Note that this reader has finished every fact up to `sequence`.

        It is saved after some facts, and by `do_upkeep`. After a crash the reader repeats what it did since, and every
        consumer has to accept a repeat anyway.
        """
        if not self.cursor(name) <= sequence <= self._end.sequence:
            raise ValueError(f"cursor {name} cannot go from {self.cursor(name)} to {sequence} of {self._end.sequence}")
        self._notes = Notes(self._end.configured, {**self._notes.cursors, name: sequence}, self._notes.marks)
        if sequence - self._saved.cursors.get(name, 0) >= CURSOR_FACTS:
            self._save_cursors()

    def do_upkeep(self) -> None:
        """Save the cursors, and fold SQLite's log into the file. Call it when nobody waits: it takes milliseconds.

        The next commits then write over the log's old bytes. A commit that makes the log longer takes the disk half as
        long again.
        """
        self._save_cursors()
        with self._guarding(), suppress(apsw.BusyError):  # another program folds it just now
            self._db.wal_checkpoint()

    def has_mark(self, name: str) -> bool:
        """Return whether this mark is set: something that a later process has to know, and no part of the record."""
        return name in self._notes.marks

    def set_mark(self, name: str, is_set: bool) -> None:
        """Set or remove a mark. When this returns, it is on the disk."""
        marks = self._notes.marks | {name} if is_set else self._notes.marks - {name}
        marked = Notes(self._end.configured, self._notes.cursors, marks)
        with self._writing():
            write_all(self._db, marked)
        self._notes = self._saved = marked

    def prune(self, offset: int) -> None:
        """Forget the records up to `offset`. Its hash stays: what is kept follows it.

        The base is committed first, with the small tables, in which nothing may stand below it. So a prune that was cut
        short leaves a whole journal, and `end_prune` ends it.
        """
        base = Base(offset, self.sequence_at(offset), self.hash_at(offset).hex())
        with self._writing():
            upsert = "INSERT INTO meta VALUES ('base', ?) ON CONFLICT DO UPDATE SET value = excluded.value"
            self._db.execute(upsert, (msgspec.json.encode(base),))
            self._db.execute("DELETE FROM carried WHERE offset <= ?", (offset,))
            self._db.execute("DELETE FROM checkpoints WHERE offset < ?", (offset,))
        self.base = base
        self.end_prune()

    def end_prune(self) -> None:
        """Delete the records that are forgotten. Do nothing if there are none."""
        if self._first_forgotten() is None:
            return
        with self._writing():
            self._db.execute("DELETE FROM requests WHERE offset <= ?", (self.base.offset,))
        while (first := self._first_forgotten()) is not None:
            with self._writing():  # in pieces: the log of one transaction would be as long as the journal
                last = min(self.base.offset, first + PRUNED_ROWS)
                self._db.execute("DELETE FROM records WHERE offset <= ?", (last,))
        with faults_named(self.path, self._db):
            self._db.execute("VACUUM")

    def _first_forgotten(self) -> int | None:
        row = self._first("SELECT min(offset) FROM records")
        first = self.base.offset + 1 if row is None or row[0] is None else self._typed(int, row[0])
        return first if first <= self.base.offset else None

    def close(self) -> None:
        """Close the file and release the lock."""
        try:
            super().close()
        finally:
            self._lock.release()

    def _read_facts(self, after_sequence: int) -> tuple[JournaledFact, ...]:
        """Return facts that were just committed without a look at the file: it would give the same bytes again."""
        if after_sequence >= self._end.sequence:
            return ()
        if self._newest and self._newest[0].sequence <= after_sequence + 1:
            return tuple(islice(self._newest, after_sequence + 1 - self._newest[0].sequence, None))
        return super()._read_facts(after_sequence)

    def _in_force_after(self, event: Input) -> tuple[str, int]:
        """Return the version of the rules, and the offset of the configuration, in force after this input."""
        if isinstance(event, Configured):
            return event.rules_version, self._end.offset + 1
        return self._end.rules_version, self._end.configured

    def _receipts_after(self, event: Input) -> dict[DeviceName, Receipt]:
        if isinstance(event, DeviceReport) and event.receipt is not None:
            return {**self._receipts, event.device: event.receipt}
        return self._receipts

    def _insert_indexes(self, event: Input, end: End, carry_over: CarryOver | None) -> None:
        if isinstance(event, JournalRestored):
            self._db.execute("INSERT INTO generations VALUES (?, ?)", (end.offset, event.journal))
        if isinstance(event, Request):
            # A prune that was cut short can have left an id here that nobody finds any longer, so it may be used again.
            upsert = "INSERT INTO requests VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET offset = excluded.offset"
            self._db.execute(upsert, (event.who, event.id, end.offset))
        if isinstance(event, Configured):
            write_all(self._db, self._notes_under(end.configured))
        if carry_over is not None:
            fresh = None if carry_over.round is None else carry_over.round.id
            self._db.execute("INSERT INTO carried VALUES (?, ?)", (end.offset, fresh))
            if end.offset - self._signed_offset >= CHECKPOINT_RECORDS:
                self._insert_checkpoint(end, event.at.utc_ns)

    def _note_what_changed(self, event: Input, step: Step[StateT]) -> None:
        """Note what a committed step changes of the generations, the configuration, and the number of rounds."""
        if isinstance(event, Configured):
            self._notes = self._saved = self._notes_under(self._end.configured)
        if isinstance(event, JournalRestored):
            self.generations = (*self.generations, (self._end.offset, event.journal))
        for fact in step.facts:
            if isinstance(fact.data, RoundOpened):
                self.rounds_opened = fact.data.number

    def _save_cursors(self) -> None:
        if self._saved is self._notes:
            return
        self._db.pragma("synchronous", "NORMAL")  # the next append syncs it along
        try:
            with self._writing():
                write_all(self._db, self._notes)
        finally:
            self._db.pragma("synchronous", "FULL")
        self._saved = self._notes

    def _notes_under(self, configured: int) -> Notes:
        return Notes(configured, self._notes.cursors, self._notes.marks)

    def _insert_checkpoint(self, end: End, utc_ns: int) -> None:
        if self._signer is not None:
            signed = self._signer.checkpoint(self.id, end.offset, end.hash, utc_ns)
            self._db.execute(
                "INSERT INTO checkpoints VALUES (?, ?, ?, ?)",
                (signed.offset, signed.line, signed.key, signed.signature),
            )
            self._signed_offset = end.offset

    def _doubts_of_signature(self) -> Iterator[str]:
        """Yield what is wrong with the last checkpoint, for a table with a key: it would have signed another one."""
        if self._signer is None:
            return
        for last in self.checkpoints(self._signed_offset - 1, self._signed_offset):
            what = self._signer.fault_of_own(last, self.id_at(last.offset), self.hash_at(last.offset))
            if what is not None:
                yield f"record {last.offset}: {what}"

    def _last_commit(self) -> LastCommit:
        return LastCommit(self.id, self._end.offset, self._end.sequence, self._end.hash.hex(), self.rounds_opened)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        # Leaving this block commits, and with synchronous=FULL the record is then on the disk. An exception rolls back.
        with self._guarding(), self._db:
            yield

    @contextmanager
    def _guarding(self) -> Iterator[None]:
        """Name a fault of the disk. After the first one, refuse whatever comes next."""
        if self._failure is not None:
            raise self._failure
        try:
            with faults_named(self.path, self._db):
                self._watched.expect_in_place()
                yield
        except JournalError as failure:
            self._failure = failure
            file.leave_as_it_is(self._db)
            raise


def _record(before: End, rules: str, event: Input, step: Step[StateT], carried: Carried | None) -> RecordLine:
    """Return the record that follows the journal's end."""
    if isinstance(event, Request) and step.answer is None:
        raise ValueError("a request is committed with its answer, or a repeat could not be answered")
    return RecordLine(
        offset=before.offset + 1,
        rules=rules,
        input=msgspec.Raw(INPUTS.encode(event)),
        facts=tuple(_fact_line(n, fact, before.hash) for n, fact in enumerate(step.facts, before.sequence + 1)),
        answer=NOTHING if step.answer is None else msgspec.Raw(ANSWERS.encode(step.answer)),
        carried=NOTHING if carried is None else msgspec.Raw(CARRIED.encode(carried)),
    )


def _fact_line(sequence: int, fact: Fact, before: bytes) -> FactLine:
    data = fact.data
    if isinstance(data, RoundSettled):
        # A consumer that keeps this event can prove later that the journal up to here was not changed.
        data = replace(data, journal_hash=before.hex())
    kind = FACT_KINDS[type(data)]
    return FactLine(sequence, kind, msgspec.Raw(FACT_BODIES[kind].encode(data)), fact.round_id)
