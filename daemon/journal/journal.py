"""The journal: what happened, and what the table said of it, committed before anybody is told.

Theory of operation. One process writes, one append at a time, on one connection. An append is one transaction:
the event, its facts with the next sequences, the answer to a request, the receipt of a device's own event. When
`append` returns, all of it is on the disk. When it raises, nobody knows what is on the disk, and nobody is told.

After any failed write the journal refuses every further one with the same error. A disk that failed one fsync
may report success for the next while the bytes of the first are gone, so the only safe way on is to end, and to
read the file afresh at the next start. The failed append may then turn out to be there. Nobody was told of it,
so the device sends its event again and the receipt shows that it is known. The client asks again and gets the
answer that was committed.

Offsets and sequences run without holes because they are counted here, under the lock, from what is committed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self, assert_never

import apsw

from daemon.errors import JournalError
from daemon.journal import schema
from daemon.journal.errors import JournalDirectoryError, JournalMissingError
from daemon.journal.kinds import FACT_KINDS, KINDS
from daemon.journal.lock import WriterLock
from daemon.journal.reading import ANSWERS, FACT_BODIES, INPUTS, JournaledFact, JournalReader, StateT, state_codec
from daemon.table.facts import Fact
from daemon.table.inputs import Configured, DayBegan, Input, Request
from daemon.table.step import Answer, Step
from drivers.events import DeviceReport

SNAPSHOTS_KEPT: Final = 2


@dataclass(frozen=True, slots=True)
class Committed:
    """What one append committed."""

    offset: int
    facts: tuple[JournaledFact, ...]


class Journal(JournalReader):
    """A journal open for writing, from `open` to `close`. For one thread only."""

    def __init__(self, path: Path, db: apsw.Connection, lock: WriterLock) -> None:
        super().__init__(path, db)
        self._lock = lock
        self._failure: JournalError | None = None
        self._offset = self.last_offset()
        self._sequence = self.last_sequence()
        self._rules_version = self._rules_in_force()
        lock.sign(self.id)

    @classmethod
    def open(cls, path: Path, *, create: bool) -> Self:
        """Open the journal at `path`, or raise JournalError. With `create`, make one where there never was one.

        Without `create`, a missing journal leaves no file behind: its disk may be about to be mounted here.
        """
        with schema.faults_named(path), ExitStack() as undo:
            if not path.parent.is_dir():
                raise JournalDirectoryError(path, "its directory does not exist")
            if not (create or schema.is_there(path)):
                raise JournalMissingError(path, "the file is missing")
            lock = WriterLock.take(path)
            undo.callback(lock.release)
            if create and not schema.is_there(path):
                lock.expect_none(path)
                schema.create(path)
            db = schema.open_existing(path)
            undo.callback(db.close)
            opened = cls(path, db, lock)
            undo.pop_all()
            return opened

    def append(self, event: Input, step: Step[StateT]) -> Committed:
        """Commit an event with its facts, its answer and its receipt."""
        offset = self._offset + 1
        rules_version = event.rules_version if isinstance(event, Configured) else self._rules_version
        facts = tuple(
            self._journaled(offset, n, fact, event.at.utc_ns, rules_version) for n, fact in enumerate(step.facts)
        )
        body = INPUTS.encode(event).decode()
        with self._writing():
            self._insert_event(offset, event, rules_version, body)
            self._insert_facts(facts)
            self._insert_origin(offset, event, step.answer)
        self._offset, self._sequence, self._rules_version = offset, self._sequence + len(facts), rules_version
        return Committed(offset, facts)

    def save_snapshot(self, offset: int, state: StateT, code_version: str) -> None:
        """Save the state after the event at `offset`. Of the older snapshots, keep only the newest."""
        body = state_codec(type(state)).encode(state).decode()
        older = "DELETE FROM snapshots WHERE offset NOT IN (SELECT offset FROM snapshots ORDER BY offset DESC LIMIT ?)"
        with self._writing():
            self._db.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?)", (offset, code_version, body))
            self._db.execute(older, (SNAPSHOTS_KEPT,))

    def advance(self, name: str, sequence: int) -> None:
        """Record that this reader has finished every fact up to `sequence`.

        This write is not synced: the next append syncs it along. If a power cut sets the cursor back, its reader
        repeats some facts, and every consumer has to accept a repeat anyway.
        """
        if not self.cursor(name) <= sequence <= self._sequence:
            raise ValueError(f"cursor {name} cannot go from {self.cursor(name)} to {sequence} of {self._sequence}")
        upsert = "INSERT INTO cursors VALUES (?, ?) ON CONFLICT DO UPDATE SET sequence = excluded.sequence"
        self._db.pragma("synchronous", "NORMAL")
        try:
            with self._writing():
                self._db.execute(upsert, (name, sequence))
        finally:
            self._db.pragma("synchronous", "FULL")

    def close(self) -> None:
        """Close the file and release the lock."""
        try:
            super().close()
        finally:
            self._lock.release()

    def _journaled(self, offset: int, n: int, fact: Fact, utc_ns: int, rules_version: str) -> JournaledFact:
        kind = FACT_KINDS[type(fact.data)]
        return JournaledFact(
            journal=self.id,
            offset=offset,
            n=n,
            sequence=self._sequence + 1 + n,
            utc_ns=utc_ns,
            rules_version=rules_version,
            kind=kind,
            round_id=fact.round_id,
            body=FACT_BODIES[kind].encode(fact.data),
        )

    def _insert_event(self, offset: int, event: Input, rules_version: str, body: str) -> None:
        receipt = event.receipt if isinstance(event, DeviceReport) else None
        device = event.device if isinstance(event, DeviceReport) else None
        origin = (device, None, None) if receipt is None else (device, receipt.boot, receipt.seq)
        row = (offset, event.at.utc_ns, event.at.mono_ns, KINDS[type(event)], *origin, rules_version, body)
        self._db.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def _insert_facts(self, facts: tuple[JournaledFact, ...]) -> None:
        rows = [(f.sequence, f.offset, f.n, f.kind, f.round_id, f.body.decode()) for f in facts]
        self._db.executemany("INSERT INTO facts VALUES (?, ?, ?, ?, ?, ?)", rows)

    def _insert_origin(self, offset: int, event: Input, answer: Answer | None) -> None:
        match event:
            case Request(client=client, id=request):
                if answer is None:
                    raise ValueError("a request is committed with its answer, or a repeat could not be answered")
                answered = ANSWERS.encode(answer).decode()
                self._db.execute("INSERT INTO requests VALUES (?, ?, ?, ?)", (client, request, offset, answered))
            case DeviceReport(device=device, receipt=receipt):
                if receipt is not None:
                    last = (device, receipt.boot, receipt.seq, offset)
                    self._db.execute("INSERT OR REPLACE INTO receipts VALUES (?, ?, ?, ?)", last)
            case Configured() | DayBegan():
                pass
            case _:
                assert_never(event)

    def _rules_in_force(self) -> str:
        row = self._first("SELECT rules FROM events WHERE offset = ?", (self._offset,))
        return "" if row is None else str(row[0])

    @contextmanager
    def _writing(self) -> Iterator[None]:
        if self._failure is not None:
            raise self._failure
        try:
            with schema.faults_named(self.path, self._db), self._db:
                yield
        except JournalError as failure:
            self._failure = failure
            schema.leave_as_it_is(self._db)
            raise
