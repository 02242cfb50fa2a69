"""A table's journal is made once, by somebody who says that the table is new.

A start makes none: one that finds no journal cannot tell a new table from a disk that was not mounted.
"""

from __future__ import annotations

from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from daemon.journal import schema
from daemon.journal.errors import JournalThereError
from daemon.journal.journal import Journal

DIRECTORY_MODE: Final = 0o750


def create(path: Path) -> str:
    """Make an empty journal, and its own directory where that is missing; the journal's id, or JournalError."""
    with schema.faults_named(path), suppress(FileExistsError, FileNotFoundError):
        path.parent.mkdir(mode=DIRECTORY_MODE)
    if schema.is_there(path):
        raise JournalThereError(path, "there is a journal")
    with closing(Journal.open(path, create=True)) as journal:
        return journal.id
