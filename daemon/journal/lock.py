"""One journal, one writer: a lock file beside the journal, which also remembers how far the journal went.

The lock is the kernel's (`flock`), so it ends with its process, whatever ends that. The file stays. It names the
journal and the last record that was committed. So a start notices what the journal itself cannot show: that it is
missing, that it is an older copy, that its -wal is lost, or that another journal has taken its place.

The file is written after each commit and not synced. A power cut can set it back, never ahead: a journal that is newer
than the file says is sound, if the record that the file names is in it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from daemon.journal.errors import JournalHeldError, JournalMissingError

FILE_BYTES: Final = 512  # a sector, and always the same: rewriting it needs no room and tears nowhere
PROGRAM: Final = Path(sys.argv[0]).name[:64]
RELEASED: Final = -1  # no descriptor: closing a number twice could close somebody else's file


class LastCommit(msgspec.Struct, frozen=True):
    """The last record that was committed to a journal."""

    journal: str
    offset: int = 0
    sequence: int = 0
    hash: str = ""
    rounds: int = 0  # the number of the last round that was opened


class _Content(msgspec.Struct, frozen=True):
    """The content of the lock file: the journal's end, and the process that has or had it open."""

    pid: int
    program: str
    last: LastCommit


def lock_file(journal: Path) -> Path:
    """Return the path of a journal's lock file."""
    return journal.with_name(journal.name + ".lock")


def last_commit(journal: Path) -> LastCommit | None:
    """Return what the file beside a journal remembers, without the lock. None if there is no file, or nothing in it."""
    try:
        handle = os.open(lock_file(journal), os.O_RDONLY | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    try:
        content = _read(handle)
    finally:
        os.close(handle)
    return content.last if content else None


@dataclass
class WriterLock:
    """Held from `take` to `release`. `remembered` is what the file said when it was taken."""

    path: Path
    remembered: LastCommit | None
    _handle: int

    @classmethod
    def take(cls, journal: Path) -> WriterLock:
        """Take the lock, or raise JournalHeldError with the process that has it."""
        path = lock_file(journal)
        # Root prunes in a directory that is a table's user's: a link there must not lead to a file of root's.
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            content = _read(handle)
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            who = f"process {content.pid} ({content.program})" if content else "another process"
            raise JournalHeldError(journal, f"{who} has it open") from None
        except BaseException:
            os.close(handle)
            raise
        return cls(path, content.last if content else None, handle)

    def expect_none(self, journal: Path) -> None:
        """Raise JournalMissingError if the file remembers a journal: a new one must not take its place."""
        if self.remembered is not None and self.remembered.journal:
            raise JournalMissingError(journal, f"journal {self.remembered.journal} was here and is gone")

    def sign(self, last: LastCommit) -> None:
        """Write the journal's end and this process into the file, and sync it."""
        self._write(last)
        os.fsync(self._handle)

    def keep(self, last: LastCommit) -> None:
        """Write the journal's end into the file. The record is committed already: a failure here only notices less."""
        with contextlib.suppress(OSError):
            self._write(last)

    def release(self) -> None:
        """Release the lock. Idempotent."""
        if self._handle != RELEASED:
            os.close(self._handle)
            self._handle = RELEASED

    def _write(self, last: LastCommit) -> None:
        content = _Content(os.getpid(), PROGRAM, last)
        os.pwrite(self._handle, msgspec.json.encode(content).ljust(FILE_BYTES - 1) + b"\n", 0)


def _read(handle: int) -> _Content | None:
    with contextlib.suppress(msgspec.MsgspecError, UnicodeDecodeError):
        return msgspec.json.decode(os.pread(handle, FILE_BYTES, 0), type=_Content)
    return None
