"""One journal, one writer: a lock file beside the journal, which also remembers that there is a journal.

The lock is the kernel's (`flock`), so it goes with its process however that ends. The file stays: it names the
journal that it belongs to, and a start that finds the name but not the journal knows that something is missing
and does not begin an empty one.
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
    """What the lock file says: the journal, and who has or had it open."""

    journal: str
    pid: int
    program: str


def lock_file(journal: Path) -> Path:
    """The file whose lock says who writes to a journal."""
    return journal.with_name(journal.name + ".lock")


@dataclass
class WriterLock:
    """Held from `take` to `release`."""

    path: Path
    _file: IO[bytes]

    @classmethod
    def take(cls, journal: Path) -> WriterLock:
        """The lock, or JournalHeldError that says who has it."""
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
        """Refuse to begin a journal where the file remembers one."""
        held = _read(self._file)
        if held is not None and held.journal:
            raise JournalMissingError(journal, f"journal {held.journal} was here and is gone")

    def sign(self, journal_id: str) -> None:
        """Say who holds it, for whoever comes second."""
        said = msgspec.json.encode(_Holder(journal_id, os.getpid(), Path(sys.argv[0]).name))
        self._file.seek(0)
        self._file.write(said)
        self._file.truncate()
        self._file.flush()
        os.fsync(self._file.fileno())

    def release(self) -> None:
        """Let the next one in."""
        self._file.close()


def _read(file: IO[bytes]) -> _Holder | None:
    file.seek(0)
    with contextlib.suppress(msgspec.MsgspecError):
        return msgspec.json.decode(file.read(), type=_Holder)
    return None
