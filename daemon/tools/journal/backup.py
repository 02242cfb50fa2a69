"""A copy of a journal that is whole, made while its table plays."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from daemon.journal.errors import BackupThereError
from daemon.journal.file import copy, is_there, sync_directory
from daemon.journal.reading import JournalReader
from daemon.journal.start import read_start
from daemon.recovery import recover
from protocols.frozen import dataclass


@dataclass(frozen=True, slots=True)
class BackedUp:
    """A copy that a table can start on: its journal, last record, last hash, and size."""

    journal: str
    last: int
    head: str
    size_bytes: int


def back_up(source: Path, target: Path) -> BackedUp:
    """Copy the journal to a new file. Raise JournalError if the copy could not be started on.

    The copy is that of one moment: the daemon appends meanwhile, and what it appends is not in it. It appears under its
    name when it is whole and on the disk.
    """
    if is_there(target):
        raise BackupThereError(target, "a file exists already")
    draft = target.with_name(target.name + ".new")
    draft.unlink(missing_ok=True)
    try:
        copy(source, draft)
        with closing(JournalReader.open_read_only(draft)) as made:
            read_start(made)  # as a start would, with every check of a start
            recover(made)
            last = made.last_offset()
            done = BackedUp(made.id, last, made.hash_at(last).hex(), draft.stat().st_size)
    except BaseException:
        draft.unlink(missing_ok=True)  # it has cards, and nobody would look for it
        raise
    draft.rename(target)
    sync_directory(target.parent)
    return done
