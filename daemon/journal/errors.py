"""What goes wrong with a journal; an operator acts, always.

None of these is survived in place. Intake stops, nothing more is acknowledged or published, and the daemon
ends with the code and the remedy in its last line. A start never puts an empty journal where one is damaged.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from daemon.errors import JournalError


class _JournalFileError(JournalError):
    """A journal error that knows its file, with one code and one remedy a class."""

    fixed_code: ClassVar[str]
    fixed_remedy: ClassVar[str]

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(self.fixed_code, f"{path}: {what}.", self.fixed_remedy)
        self.path = path


class JournalFullError(_JournalFileError):
    """The disk, its quota or the process's file size limit is used up."""

    fixed_code = "journal-full"
    fixed_remedy = (
        "Make room on the disk that holds the journal, or raise the limit, then start again; nothing is lost."
    )


class JournalIOError(_JournalFileError):
    """The disk did not do what it was told, so nobody knows what it holds until it is read again."""

    fixed_code = "journal-io"
    fixed_remedy = "Check the disk and its cable (dmesg, smartctl), then start again; the journal is read afresh."


class JournalDamagedError(_JournalFileError):
    """The file is not what was written."""

    fixed_code = "journal-damaged"
    fixed_remedy = (
        "Move the file away as evidence, with its -wal and -shm, put the last good copy in its place, and start again."
    )


class JournalFormatError(_JournalFileError):
    """The file is a journal of another version, or no journal."""

    fixed_code = "journal-format"
    fixed_remedy = "Start the version of feltd that wrote it, or point the configuration at the right file."


class JournalHeldError(_JournalFileError):
    """Another process writes to it."""

    fixed_code = "journal-held"
    fixed_remedy = "One journal has one daemon: stop the other one, or give this table a journal of its own."


class JournalMissingError(_JournalFileError):
    """There is no journal where one is expected."""

    fixed_code = "journal-missing"
    fixed_remedy = (
        "Mount its disk or put the file back. A new table's journal is made once, with feltd create-journal; where "
        "one was and is gone for good, remove what is left beside it (.lock, -wal) first."
    )


class JournalOfAnotherTableError(_JournalFileError):
    """It is whole, and another table wrote it."""

    fixed_code = "journal-of-another-table"
    fixed_remedy = "Name this table's own journal in [journal]; a table under a new name begins a new one."


class JournalThereError(_JournalFileError):
    """A new journal was asked for, and there is one."""

    fixed_code = "journal-there"
    fixed_remedy = "Start feltd run, which goes on with it; or give this table a journal of its own."


class JournalDirectoryError(_JournalFileError):
    """The directory is not there, as on a new machine, or where a disk was not mounted."""

    fixed_code = "journal-directory"
    fixed_remedy = "Mount the disk that it is on, or make it, owned by the user that runs the daemon."


class JournalPermissionError(_JournalFileError):
    """This user may not read and write it."""

    fixed_code = "journal-permission"
    fixed_remedy = "Give the user that runs the daemon read and write access to the file and its directory."


class JournalContentError(_JournalFileError):
    """A row is whole, and this version cannot read what it says."""

    fixed_code = "journal-content"
    fixed_remedy = "Start the version of feltd that wrote it, or one that is newer than this one."
