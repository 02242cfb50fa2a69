"""Checking that a journal holds what was written, from its first record to its last.

Theory of operation. Each record is hashed onto the one before, so a changed, missing or inserted record does not fit.
What is not hashed follows from what is: the sequence beside a record, the index of requests, the index of what was
carried over. A check goes through the records in pieces and continues behind a fault, so it names every place.

A start checks the last records only. `check_while_playing` checks the rest in a table's idle moments, and
`feltd journal verify` checks everything at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from typing import Final

import msgspec
import structlog

from daemon.errors import JournalError
from daemon.journal.errors import JournalDamagedError
from daemon.journal.reading import Checkpoint, JournalReader, StoredRecord
from daemon.journal.record import NOT_THAT_JSON, NOTHING, RecordLine, UnreadableRecordError, next_hash, read_line
from daemon.table.vocabulary import RoundId
from protocols.frozen import dataclass

PIECE_RECORDS: Final = 50
"""How many records are checked without a pause: about a millisecond, in which a hand would wait."""

PAUSE_S: Final = 0.15
"""The pause between two pieces. So the check costs less than a hundredth of a core, and a year takes twelve hours."""

_UNREADABLE: Final = "a part of it cannot be read"
_SETTLED: Final = "round-settled"
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Fault:
    """A place in the journal that does not fit, and why."""

    offset: int
    what: str


@dataclass(frozen=True, slots=True)
class Place:
    """How far a check has come: the last record that it has seen, its hash, and the last fact up to there.

    `hash` is None behind a hole, where nobody can know it.
    """

    offset: int
    sequence: int
    hash: bytes | None


class _Asked(msgspec.Struct):
    """Of the input of a record, what the index of requests has."""

    kind: str
    who: str = ""
    id: str = ""


class _Fresh(msgspec.Struct):
    """The round that takes bets from here on."""

    id: RoundId


class _Table(msgspec.Struct):
    """Of a table between two rounds, the next one."""

    round: _Fresh | None = None


class _CarriedOver(msgspec.Struct):
    """Of what a record carries over, what its index has: it is where a round is found by its name."""

    table: _Table


class _Settled(msgspec.Struct):
    """Of a settled round, what it says of the chain."""

    journal_hash: str = ""


def check_piece(journal: JournalReader, place: Place, limit: int) -> tuple[Place, tuple[Fault, ...]]:
    """Check the next records, at most `limit`. Return the place behind them, and every fault among them.

    At the end of the journal the place does not move.
    """
    faults: list[Fault] = []
    records = tuple(_readable(journal, place.offset, limit, faults))
    unreadable = {fault.offset for fault in faults}
    end = max(unreadable | {record.offset for record in records[-1:]}, default=place.offset)
    signed = {found.offset: found for found in journal.checkpoints(place.offset, end)}
    carried = dict(journal.marks(place.offset + 1, end))
    for record in records:
        if record.offset != place.offset + 1:
            if record.offset - 1 not in unreadable:
                faults.append(Fault(place.offset + 1, f"records {place.offset + 1} to {record.offset - 1} are missing"))
            place = Place(record.offset - 1, place.sequence, None)
        faults += [Fault(record.offset, what) for what in _faults_of(journal, place, record, carried)]
        if record.offset in signed:
            faults += _faults_of_signature(journal, record, signed[record.offset])
        place = Place(record.offset, record.sequence, record.hash)
    if end > place.offset:  # the last records of the piece cannot be read
        place = Place(end, place.sequence, None)
    return place, tuple(sorted(faults, key=lambda fault: fault.offset))


def first_place(journal: JournalReader) -> Place:
    """Return the place before the first record that the file has."""
    return Place(journal.base.offset, journal.base.sequence, bytes.fromhex(journal.base.hash))


async def check_while_playing(
    journal: JournalReader,
    doubt: Callable[[str], None],
    checked: Callable[[int], None] = lambda _: None,
    pause_s: float = PAUSE_S,
) -> None:
    """Check the whole journal once, slowly. Call `doubt` with the first fault that is found, and return.

    `checked` is called again and again with the last record up to which everything is as it was written.
    """
    place = first_place(journal)
    end = journal.last_offset()  # what is written from now on was never anywhere but here
    while place.offset < end:
        try:
            place, faults = check_piece(journal, place, min(PIECE_RECORDS, end - place.offset))
        except JournalError as error:  # the disk does not give the bytes
            faults = (Fault(place.offset, error.message),)
        if faults:
            _log.error("journal-doubted", offset=faults[0].offset, fault=faults[0].what)
            doubt(f"record {faults[0].offset}: {faults[0].what}")
            return
        checked(place.offset)
        await asyncio.sleep(pause_s)
    _log.info("journal-checked", records=place.offset)


def _readable(journal: JournalReader, after: int, limit: int, faults: list[Fault]) -> Iterator[StoredRecord]:
    """Yield the next records. Add a fault for each that cannot be unpacked."""
    try:
        yield from journal.stored(after, limit)
    except JournalDamagedError:
        for offset in journal.offsets(after, limit):
            try:
                found = journal.stored(offset - 1, 1)
            except JournalDamagedError:
                faults.append(Fault(offset, "it cannot be unpacked"))
            else:
                yield from found


def _faults_of(
    journal: JournalReader, before: Place, record: StoredRecord, carried: Mapping[int, RoundId | None]
) -> Iterator[str]:
    if before.hash is not None and next_hash(before.hash, record.line) != record.hash:
        yield "its content is not what was hashed"
    try:
        yield from _faults_of_line(journal, before, record, read_line(record.line), carried)
    except UnreadableRecordError as error:
        yield str(error)
    except NOT_THAT_JSON:
        yield _UNREADABLE


def _faults_of_line(
    journal: JournalReader,
    before: Place,
    record: StoredRecord,
    line: RecordLine,
    carried: Mapping[int, RoundId | None],
) -> Iterator[str]:
    if line.offset != record.offset:
        yield f"it is record {line.offset}"
    expected = range(before.sequence + 1, before.sequence + 1 + len(line.facts))
    if before.hash is not None and [fact.sequence for fact in line.facts] != list(expected):
        yield f"its facts do not follow fact {before.sequence}"
    if line.facts and line.facts[-1].sequence != record.sequence:
        yield "the sequence beside it is not that of its last fact"
    yield from faults_of_indexes(journal, line, carried)
    for fact in line.facts:
        if fact.kind == _SETTLED and before.hash is not None:
            said = msgspec.json.decode(fact.data, type=_Settled).journal_hash
            if said and said != before.hash.hex():
                yield "the hash in its round-settled is not that of the record before"


def _faults_of_signature(journal: JournalReader, record: StoredRecord, checkpoint: Checkpoint) -> Iterator[Fault]:
    from daemon.journal.signing import fault_of  # a journal without a signature does without the library

    what = fault_of(checkpoint, journal.id_at(record.offset), record.hash)
    if what is not None:
        yield Fault(record.offset, what)


def faults_of_indexes(journal: JournalReader, line: RecordLine, carried: Mapping[int, RoundId | None]) -> Iterator[str]:
    """Yield what does not fit of the indexes of a record. `carried` is the index of what is carried over, around it."""
    try:
        yield from _faults_of_indexes(journal, line, carried)
    except NOT_THAT_JSON:
        yield _UNREADABLE


def _faults_of_indexes(
    journal: JournalReader, line: RecordLine, carried: Mapping[int, RoundId | None]
) -> Iterator[str]:
    asked = msgspec.json.decode(line.input, type=_Asked)
    if asked.kind == "request" and journal.offset_of_request(asked.who, asked.id) != line.offset:
        yield "the index of requests does not have it"
    if (asked.kind == "journal-restored") != any(offset == line.offset for offset, _ in journal.generations[1:]):
        yield "the index of generations does not fit it"
    if line.carried is NOTHING:
        fits = line.offset not in carried
    else:
        fresh = msgspec.json.decode(line.carried, type=_CarriedOver).table.round
        fits = line.offset in carried and carried[line.offset] == (None if fresh is None else fresh.id)
    if not fits:
        yield "the index of what is carried over does not fit it"
