"""One journal, one writer: a lock file beside the journal, which also remembers that a journal exists.

The lock is the kernel's (`flock`), so it ends with its process, whatever ends that. The file stays and names its
journal. A start that finds this name but no journal knows that the journal is missing, and refuses to make a new one.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import msgspec

from daemon.journal.errors import JournalHeldError, JournalMissingError


class _Holder(msgspec.Struct):
    """The content of the lock file: the journal, and the process that has or had it open."""

    journal: str
    pid: int
    program: str


def lock_file(journal: Path) -> Path:
    """Return the path of a journal's lock file."""
    return journal.with_name(journal.name + ".lock")


@dataclass
class WriterLock:
    """Held from `take` to `release`."""

    path: Path
    _file: IO[bytes]

    @classmethod
    def take(cls, journal: Path) -> WriterLock:
        """Take the lock, or raise JournalHeldError with the process that has it."""
        path = lock_file(journal)
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        file = os.fdopen(handle, "r+b")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            with file:
                held = _read(file)
            who = f"process {held.pid} ({held.program})" if held else "another process"
            raise JournalHeldError(journal, f"{who} has it open") from None
        except BaseException:
            file.close()
            raise
        return cls(path, file)

    def expect_none(self, journal: Path) -> None:
        """Raise JournalMissingError if the lock file names a journal: a new one must not take its place."""
        held = _read(self._file)
        if held is not None and held.journal:
            raise JournalMissingError(journal, f"journal {held.journal} was here and is gone")

    def sign(self, journal_id: str) -> None:
        """Write the journal and this process into the file, for the error that a second process gets."""
        said = msgspec.json.encode(_Holder(journal_id, os.getpid(), Path(sys.argv[0]).name))
        self._file.seek(0)
        self._file.write(said)
        self._file.truncate()
        self._file.flush()
        os.fsync(self._file.fileno())

    def release(self) -> None:
        """Release the lock."""
        self._file.close()


def _read(file: IO[bytes]) -> _Holder | None:
    file.seek(0)
    with contextlib.suppress(msgspec.MsgspecError):
        return msgspec.json.decode(file.read(), type=_Holder)
    return None
