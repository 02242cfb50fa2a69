"""Which fault of a disk or a file is behind an error of SQLite's or of the system's.

SQLite calls a read that the disk refuses a malformed image, and keeps no number of that error. People who believed it
would put an older copy in the place of a sound journal. So a file is called damaged only if it can be read, and is not
whole when it is read again.
"""

from __future__ import annotations

import ctypes
import errno
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import apsw

from daemon.errors import JournalError
from daemon.journal.errors import (
    JournalDamagedError,
    JournalFullError,
    JournalHeldError,
    JournalIOError,
    JournalMissingError,
    JournalPermissionError,
)

# SQLite calls only the first of these "full"; the others are a quota and a limit of the process.
NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
SHM_GROWS_BYTES: Final = 32_768  # the step by which the -shm grows (sqlite.org/walformat.html)
READ_AGAIN_S_MAX: Final = 2.0  # far below the watchdog's deadline
READ_AGAIN_BYTES: Final = 1_000_000
STEPS_BETWEEN_LOOKS: Final = 10_000  # of SQLite's machine; some milliseconds
SOUND: Final = ("ok",)
TAKEN_FOR_DAMAGE: Final = frozenset({errno.EIO, errno.ENXIO, errno.ERANGE})  # by SQLite's unixRead, in os_unix.c


@contextmanager
def faults_named(path: Path, db: apsw.Connection | None = None) -> Iterator[None]:
    """Raise SQLite's and the system's errors as the JournalError whose remedy helps. Let a defect of ours pass."""
    try:
        yield
    except (apsw.Error, OSError) as error:
        named = _name(path, error, db)
        if named is None:
            raise
        raise named from error


def _errno(path: Path, error: apsw.Error | OSError, db: apsw.Connection | None) -> int | None:
    if isinstance(error, OSError):
        return error.errno
    if getattr(error, "extendedresult", None) == apsw.SQLITE_IOERR_SHMSIZE:  # only SQLite's own errors have one
        return _why_nothing_grows(path.parent)
    return None if db is None else db.system_errno


def _why_nothing_grows(directory: Path) -> int | None:
    """Return the errno for a -shm that cannot grow. SQLite keeps none, and a full disk stops the -shm first."""
    try:
        with tempfile.TemporaryFile(dir=directory, buffering=0) as probe:
            os.posix_fallocate(probe.fileno(), 0, SHM_GROWS_BYTES)
    except OSError as error:
        return error.errno
    return None


def _name(path: Path, error: apsw.Error | OSError, db: apsw.Connection | None) -> JournalError | None:
    what, number = str(error), _errno(path, error, db)
    match error:
        case apsw.FullError():
            return JournalFullError(path, what)
        case apsw.CorruptError() | apsw.NotADBError():
            unread = _why_unread(path, db)
            return JournalDamagedError(path, what) if unread is None else JournalIOError(path, unread)
        case apsw.IOError() | OSError() if number is not None and number in NO_ROOM:
            return JournalFullError(path, f"{what}: {os.strerror(number)}")
        case apsw.PermissionsError() | apsw.ReadOnlyError() | apsw.CantOpenError() | PermissionError():
            return JournalPermissionError(path, what)
        case apsw.BusyError() | apsw.LockedError():
            return JournalHeldError(path, f"{what}. Another program writes to it")
        case FileNotFoundError():
            return JournalMissingError(path, what)
        case apsw.IOError() | OSError():
            return JournalIOError(path, what)
        case _:
            return None


def _why_unread(path: Path, db: apsw.Connection | None) -> str | None:
    """Return what the disk refused, if a read of the file failed: that one, or one of those that are tried now."""
    failed = _last_failure(db)
    if failed in TAKEN_FOR_DAMAGE:
        return f"its disk refused a read: {os.strerror(failed)}"
    unreadable = _why_unreadable(path)
    if unreadable is None and _is_sound(path):
        return "its disk refused a read once, and the file is sound"
    return unreadable


def _last_failure(db: apsw.Connection | None) -> int:
    """Return the system's number of the file's last failure, or 0. SQLite tells none of its log."""
    number = ctypes.c_int(0)
    if db is not None:
        db.file_control("main", apsw.SQLITE_FCNTL_LAST_ERRNO, ctypes.addressof(number))
    return number.value


def _why_unreadable(path: Path) -> str | None:
    """Return the system's error if the file or its log cannot be read to its end."""
    until_s = time.monotonic() + READ_AGAIN_S_MAX
    for each in (path, path.with_name(f"{path.name}-wal")):
        try:
            with each.open("rb", buffering=0) as file:
                at = 0
                while time.monotonic() < until_s and (read := os.pread(file.fileno(), READ_AGAIN_BYTES, at)):
                    at += len(read)
        except FileNotFoundError:
            continue
        except OSError as error:
            return f"{each.name} cannot be read: {error.strerror}"
    return None


def _is_sound(path: Path) -> bool:
    """Return whether SQLite reads all of the file now, in two seconds at most, and finds nothing wrong."""
    until_s = time.monotonic() + READ_AGAIN_S_MAX
    try:
        with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as db:
            db.set_progress_handler(lambda: time.monotonic() > until_s, STEPS_BETWEEN_LOOKS)
            return db.execute("PRAGMA quick_check").fetchall() == [SOUND]
    except apsw.Error:
        return False
