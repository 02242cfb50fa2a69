"""What a start reads of a journal, and what it checks before it believes any of it.

It reads the last record that carries over what outlives a round, and the records after it. It reads nothing else, so it
takes as long for ten million records as for ten. Every index of those records is compared with them, and what stands
beside the records: what the first one follows, the ids of the journal, the last checkpoint, the notes. `feltd doctor`
reads and checks the same, so it says of a journal what a start would say.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from daemon.journal.checking import faults_of_indexes
from daemon.journal.errors import JournalBehindError, JournalDamagedError
from daemon.journal.lock import LastCommit
from daemon.journal.notes import Noted
from daemon.journal.reading import ROWS_MAX, JournalReader, StoredRecord
from daemon.journal.record import RecordLine
from daemon.table.inputs import Configured, Input, JournalRestored
from drivers.events import DeviceName, DeviceReport, Receipt
from protocols.frozen import dataclass

_ONE_PIECE: Final = 1
_FORGOTTEN: Final = (
    "its lock file is missing or empty, so it may be an older copy: then stop the table and run feltd journal restored"
)


@dataclass(frozen=True, slots=True)
class End:
    """The end of the journal: what the next record follows."""

    offset: int
    sequence: int
    hash: bytes
    rules_version: str = ""
    configured: int = 0  # the offset of the configuration in force


@dataclass(frozen=True, slots=True)
class Start:
    """What a daemon begins with. `rounds_opened` is the number of the last round that was carried over."""

    end: End
    rounds_opened: int
    receipts: dict[DeviceName, Receipt]
    noted: Noted


def read_start(journal: JournalReader, on_progress: Callable[[], None] = lambda: None) -> Start:
    """Return what a daemon begins with, or raise JournalError if something that it needs does not fit.

    `on_progress` is called again and again while many records are read.
    """
    _expect_beginning(journal)
    _expect_generations(journal)
    last = journal.last_carried()
    offset, configured, rounds_opened, receipts = journal.base.offset, 0, 0, dict[DeviceName, Receipt]()
    if last is not None:
        offset, carried = last
        configured, rounds_opened = carried.configured, carried.table.rounds_opened
        receipts = dict(carried.receipts)
        offset -= 1  # the record that carries over is checked as well
    end = End(offset, journal.sequence_at(offset), journal.hash_at(offset), configured=configured)
    while found := journal.checked(end.offset, ROWS_MAX):
        if len(found) == ROWS_MAX:  # there is more to come
            on_progress()
        carried_over = dict(journal.marks(found[0].offset, found[-1].offset))
        for record in found:
            line, event = journal.read(record)
            _expect(journal, record, next(faults_of_indexes(journal, line, carried_over), ""))
            if isinstance(event, DeviceReport) and event.receipt is not None:
                receipts[event.device] = event.receipt
            end = _end_after(journal, end, record, line, event)
    if journal.last_checkpoint() > end.offset:  # what comes before it would no longer be signed
        raise JournalDamagedError(journal.path, f"a checkpoint is signed behind its last record, {end.offset}")
    return Start(end, rounds_opened, receipts, journal.noted(end.configured, end.sequence))


def _end_after(journal: JournalReader, before: End, record: StoredRecord, line: RecordLine, event: Input) -> End:
    sequence = line.facts[-1].sequence if line.facts else before.sequence
    if sequence != record.sequence:
        raise JournalDamagedError(journal.path, f"record {record.offset} is in the index under another sequence")
    configured = record.offset if isinstance(event, Configured) else before.configured
    return End(record.offset, sequence, record.hash, line.rules, configured)


def _expect_beginning(journal: JournalReader) -> None:
    """Raise if the first record does not follow what stands before it: the header, or the base of a pruned journal."""
    for record in journal.checked(journal.base.offset, _ONE_PIECE):
        facts = journal.read(record)[0].facts
        first = facts[0].sequence if facts else journal.base.sequence + 1
        _expect(journal, record, "" if first == journal.base.sequence + 1 else "its facts do not follow the base")


def _expect_generations(journal: JournalReader) -> None:
    """Raise if the journal got an id otherwise than by a restore: events and commands would get ids of another one."""
    for offset, id_ in journal.generations[1:]:
        if offset > journal.base.offset:  # what was pruned cannot be read
            restored = journal.input_at(offset)
            if not isinstance(restored, JournalRestored) or restored.journal != id_:
                raise JournalDamagedError(journal.path, f"record {offset} does not give the journal the id {id_}")


def _expect(journal: JournalReader, record: StoredRecord, fault: str) -> None:
    if fault:
        raise JournalDamagedError(journal.path, f"record {record.offset}: {fault}")


def doubts_of(start: Start, remembered: LastCommit | None) -> tuple[str, ...]:
    """Return what a start raises an alert for: what is not as it was left, and that nothing remembers its end.

    A copy in a new directory would go on there in silence, whatever the table did after it was made.
    """
    is_forgotten = remembered is None and start.end.offset > 0
    return (*start.noted.doubts, *((_FORGOTTEN,) if is_forgotten else ()))


def expect_newest(journal: JournalReader, end: End, remembered: LastCommit) -> None:
    """Raise if the file beside the journal remembers a record that the journal does not have."""
    path = journal.path
    if remembered.journal != journal.id:
        raise JournalBehindError(path, f"it is journal {journal.id}, and journal {remembered.journal} was here")
    if remembered.offset > end.offset:
        raise JournalBehindError(
            path, f"it ends with record {end.offset}, and record {remembered.offset} was committed"
        )
    if remembered.hash and journal.hash_at(remembered.offset).hex() != remembered.hash:
        raise JournalBehindError(path, f"its record {remembered.offset} is not the one that was committed")
