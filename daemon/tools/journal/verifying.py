"""Checking a whole journal at once, against itself and against what other people kept of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from daemon.errors import JournalError
from daemon.journal.checking import Fault, check_piece, first_place
from daemon.journal.journal import CHECKPOINT_RECORDS
from daemon.journal.reading import Checkpoint, JournalReader
from daemon.journal.start import read_start
from protocols.frozen import dataclass

PIECE_RECORDS: Final = 1_000
FAULTS_MAX: Final = 1_000  # a file of noise has more, and nobody reads them


@dataclass(frozen=True, slots=True)
class Verified:
    """What a check found. `head` is the hash of the last record, `keys` those that signed, by their hex."""

    journal: str
    first: int
    last: int
    head: str
    signed: int
    signed_to: int
    keys: tuple[str, ...]
    faults: tuple[Fault, ...]


def verify(
    journal: JournalReader,
    known: Mapping[int, str],
    key: str | None,
    on_progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> Verified:
    """Check every record. `known` are hashes that other people kept, by offset; `key` is the only one that may sign.

    The end is that of the call: a table may play on meanwhile.
    """
    end = journal.last_offset()
    place, faults = first_place(journal), list[Fault]()
    while place.offset < end and len(faults) < FAULTS_MAX:
        place, found = check_piece(journal, place, min(PIECE_RECORDS, end - place.offset))
        faults += found
        on_progress(place.offset - journal.base.offset, end - journal.base.offset)
    faults += _faults_of_a_start(journal) if not faults else ()
    signed = journal.checkpoints(-1, end)  # the first that counts is that of the base, after a prune
    faults += _faults_outside(journal, signed)
    for offset, kept in sorted(known.items()):
        if not journal.base.offset <= offset <= end:
            faults.append(Fault(offset, "the journal does not have it, and its hash is known"))
        elif journal.hash_at(offset).hex() != kept.lower():
            faults.append(Fault(offset, "it does not have the hash that is known of it"))
    if key is not None:
        faults += [
            Fault(one.offset, "its checkpoint is signed by another key") for one in signed if one.key.hex() != key
        ]
        faults += _faults_of_the_unsigned(journal, signed[-1].offset if signed else None, end)
    return Verified(
        journal=journal.id,
        first=journal.base.offset + 1,
        last=end,
        head=journal.hash_at(end).hex(),
        signed=len(signed),
        signed_to=signed[-1].offset if signed else 0,
        keys=tuple(dict.fromkeys(one.key.hex() for one in signed)),
        faults=tuple(faults),
    )


def _faults_outside(journal: JournalReader, signed: Sequence[Checkpoint]) -> Iterator[Fault]:
    """Yield what is of no record of this journal: rows that were put there, and checkpoints: it would look signed."""
    for table in journal.tables_before_the_first():
        yield Fault(0, f"a row of its table {table} is of no record of this journal")
    base = journal.base
    for one in (one for one in signed if 0 < one.offset <= base.offset):
        if one.offset < base.offset:
            yield Fault(one.offset, "its checkpoint is of no record of this journal")
        else:
            from daemon.journal.signing import fault_of  # a journal without a signature does without the library

            what = fault_of(one, journal.id_at(base.offset), bytes.fromhex(base.hash))
            if what is not None:
                yield Fault(one.offset, what)


def _faults_of_the_unsigned(journal: JournalReader, signed_to: int | None, end: int) -> Iterator[Fault]:
    """Yield the first round's end that a table with a key would have signed. A forger removes what no longer fits."""
    if signed_to is None:
        yield Fault(end, "no checkpoint is signed, and a key was given")
        return
    for offset, _ in journal.marks(signed_to + 1, end):
        if offset - signed_to >= CHECKPOINT_RECORDS:
            yield Fault(offset, f"it is not signed, and the last checkpoint is that of record {signed_to}")
            return


def _faults_of_a_start(journal: JournalReader) -> Iterator[Fault]:
    """Yield what a start would refuse or doubt of a journal whose records fit."""
    with journal.one_moment():
        end = journal.last_offset()
        try:
            doubts = read_start(journal).noted.doubts
        except JournalError as error:
            doubts = (error.message,)
    yield from (Fault(end, doubt) for doubt in doubts)
