"""What can be wrong with a journal. An operator has to act on each of these.

None of them is survived in place. The intake stops, nothing more is acknowledged or published, and the daemon ends
with the code and the remedy in its last lines. A start never puts an empty journal where a damaged one is.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from daemon.error_codes import ErrorCode
from daemon.errors import JournalError
from daemon.visible import visible


class _JournalFileError(JournalError):
    """A journal error that names its file. Each class has one code and one remedy."""

    fixed_code: ClassVar[ErrorCode]
    fixed_remedy: ClassVar[str]

    def __init__(self, path: Path, what: str) -> None:
        said = visible(what)  # names in a forged file are in it
        super().__init__(self.fixed_code, f"{path}: {said}.", self.fixed_remedy)
        self.path = path


class JournalFullError(_JournalFileError):
    """The disk, a quota or the process's limit on file sizes is used up."""

    fixed_code = "journal-full"
    fixed_remedy = (
        "Make room on the disk that holds the journal, or raise the limit. Then start again. Nothing is lost."
    )


class JournalIOError(_JournalFileError):
    """The disk reported an error. What it holds is unknown until it is read again."""

    fixed_code = "journal-io"
    fixed_remedy = "Check the disk and its cable (dmesg, smartctl). Then start again: feltd reads the journal afresh."


class JournalDamagedError(_JournalFileError):
    """The file does not hold what was written."""

    fixed_code = "journal-damaged"
    fixed_remedy = (
        "Move the file away as evidence, with its -wal and -shm, put the last good copy in its place, and start again."
    )


class JournalFormatError(_JournalFileError):
    """The file is a journal of another format, or not a journal."""

    fixed_code = "journal-format"
    fixed_remedy = "Start the version of feltd that wrote it, or point the configuration at the right file."


class JournalHeldError(_JournalFileError):
    """Another process has the journal open for writing."""

    fixed_code = "journal-held"
    fixed_remedy = "Stop the other process, or give this table a journal of its own. One journal has one daemon."


class JournalMissingError(_JournalFileError):
    """There is no journal where one is expected."""

    fixed_code = "journal-missing"
    fixed_remedy = (
        "Mount its disk or put the file back. If the table is new, make its journal once with feltd create-journal. "
        "If the old journal is lost for good, first remove what is left beside it (.lock, -wal)."
    )


class JournalNotAFileError(_JournalFileError):
    """In the place of the journal, or of a file that belongs to it, is a directory, a pipe, a device or a link."""

    fixed_code = "journal-not-a-file"
    fixed_remedy = (
        "Move away what has that name. Put back the journal with its -wal, or the last good copy. feltd makes a .lock "
        "and a -shm itself. Then start again."
    )


class JournalOfAnotherTableError(_JournalFileError):
    """The journal is whole, and another table wrote it."""

    fixed_code = "journal-of-another-table"
    fixed_remedy = "Name this table's own journal in [journal]. A table that gets a new name needs a new journal."


class JournalThereError(_JournalFileError):
    """A new journal was asked for where one exists."""

    fixed_code = "journal-there"
    fixed_remedy = "Start feltd run to continue on it, or give this table a journal of its own."


class BackupThereError(_JournalFileError):
    """A backup was asked for where a file exists, or somebody put one there while it was made."""

    fixed_code = "backup-there"
    fixed_remedy = "Name another file for the backup, in a directory that only its owner writes to."


class JournalBehindError(_JournalFileError):
    """The journal is an older copy, or lacks what was committed: the lock file beside it remembers more."""

    fixed_code = "journal-behind"
    fixed_remedy = (
        "Put back the newest file, together with its -wal. If this copy is all that is left, say so with "
        "feltd journal restored --because REASON: the events after it are lost."
    )


class LastRoundUnknownError(_JournalFileError):
    """A copy was put in the place of a lost journal, and nothing here remembers which rounds were dealt after it."""

    fixed_code = "last-round-unknown"
    fixed_remedy = (
        "Say it with --last-round: the highest round number that was dealt. feltd check, a screen or a consumer has "
        "it. Without it, rounds would get numbers that were used before."
    )


class JournalGoneError(_JournalFileError):
    """The file was removed, replaced or cut short while feltd had it open."""

    fixed_code = "journal-gone"
    fixed_remedy = (
        "Find the program or person that touched the file. Put the last good copy in its place, with its -wal. If "
        "records are lost, say so with feltd journal restored --because REASON."
    )


class JournalDirectoryError(_JournalFileError):
    """The directory does not exist: the machine is new, or a disk is not mounted."""

    fixed_code = "journal-directory"
    fixed_remedy = "Mount its disk, or make it for the user that runs the daemon."


class JournalPermissionError(_JournalFileError):
    """This user may not read and write the journal."""

    fixed_code = "journal-permission"
    fixed_remedy = "Give the user that runs the daemon read and write access to the file and its directory."


class JournalContentError(_JournalFileError):
    """A row is whole, but this version cannot read what it says."""

    fixed_code = "journal-content"
    fixed_remedy = "Start the version of feltd that wrote it, or a newer one than this."
