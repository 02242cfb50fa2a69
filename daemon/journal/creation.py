"""Making a table's journal, once, by a command of its own.

`feltd run` never makes one: if the file is missing, it cannot tell a new table from a disk that is not mounted.
"""

from __future__ import annotations

from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from daemon.journal import file
from daemon.journal.errors import JournalThereError
from daemon.journal.faults import faults_named
from daemon.journal.journal import Journal

DIRECTORY_MODE: Final = 0o750


def create(path: Path) -> str:
    """Make an empty journal, and its last directory if that is missing. Return the journal's id."""
    with faults_named(path):
        with suppress(FileExistsError, FileNotFoundError):
            path.parent.mkdir(mode=DIRECTORY_MODE)
        file.expect_files(path)
        if file.is_there(path):
            raise JournalThereError(path, "a journal exists already")
    with closing(Journal.open(path, create=True)) as journal:
        return journal.id
