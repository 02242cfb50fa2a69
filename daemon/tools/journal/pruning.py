"""Forgetting what is old, so that the rest still proves itself.

Theory of operation. The first record that is kept follows a base: number, sequence and hash of the last one that was
forgotten. So every hash that follows can still be checked, and who kept an older one, or an export, can join the
two. A checkpoint that was signed at the base stays.

A journal is cut only before a start of the daemon between two rounds. Such a record has the settings in force and
carries over what outlives a round, so nothing that is kept refers to anything that is forgotten.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from daemon.journal.checking import check_piece, first_place
from daemon.journal.errors import JournalDamagedError
from daemon.journal.journal import Journal
from protocols.frozen import dataclass

PIECE: Final = 1_000


@dataclass(frozen=True, slots=True)
class Pruned:
    """What was forgotten, from `first` to `last`, and the hash that the rest follows."""

    first: int
    last: int
    hash: str
    is_signed: bool
    size_bytes: int


def prune(
    path: Path, before_utc_ns: int, on_progress: Callable[[int, int], None] = lambda _done, _of: None
) -> Pruned | None:
    """Forget what happened before this time. Return None if there is no start between two rounds that is so old.

    A prune that was cut short is ended first.

    Raise JournalDamagedError, with the journal unchanged, if what would be forgotten does not fit: it is evidence.
    """
    with closing(Journal.open(path, create=False)) as journal:
        journal.end_prune()
        start = last_start(journal, before_utc_ns)
        if start is None:
            return None
        first, last = journal.base.offset + 1, start - 1
        place = first_place(journal)
        while place.offset < last:
            place, faults = check_piece(journal, place, min(PIECE, last - place.offset))
            if faults:
                raise JournalDamagedError(path, f"record {faults[0].offset}: {faults[0].what}")
            on_progress(place.offset - first + 1, last - first + 1)
        journal.prune(last)
        is_signed = bool(journal.checkpoints(last - 1, last))
        hash_ = journal.base.hash
    return Pruned(first, last, hash_, is_signed, path.stat().st_size)


def last_start(journal: Journal, before_utc_ns: int) -> int | None:
    """Return the last start before this time at which the journal can be cut, or None."""
    published = journal.slowest_cursor()
    marks = [offset for offset, _ in journal.marks(journal.base.offset + 2, journal.last_offset())]
    known = frozenset(marks)
    place = bisect_right(marks, before_utc_ns, key=lambda offset: journal.input_at(offset).at.utc_ns)
    while place > 0:
        start = journal.carried_at(marks[place - 1]).configured
        if start in known and journal.sequence_at(start - 1) <= published:
            return start
        place = bisect_right(marks, start - 1)
    return None
