"""The machine under the table: its clock, and the disk and file of the journal."""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Final

from daemon.errors import JournalError
from daemon.journal import file
from daemon.journal.errors import JournalPermissionError
from daemon.journal.faults import faults_named
from daemon.journal.lock import last_commit, lock_file
from daemon.journal.reading import JournalReader
from daemon.journal.start import doubts_of, expect_newest, read_start
from daemon.recovery import expect_own, recover
from daemon.table.settings import TableSettings
from daemon.tools.doctor.findings import Finding, fine, problem, warning

ROOM_MB_MIN: Final = 100
ROOM_MB_GOOD: Final = 1_000
"""A busy table writes some tens of megabytes a day: weeks of notice."""
SYNCS: Final = 20
SYNC_MS_GOOD: Final = 50.0
"""Above this a dealer begins to notice: each event waits for one write."""
_STATUS_AT: Final = 40  # struct timex of 64-bit Linux: modes, four longs, status (adjtimex(2))
_OFFSET_AT: Final = 8
_UNSYNCHRONISED: Final = 0x0040  # STA_UNSYNC, sys/timex.h
_NANOSECONDS: Final = 0x2000  # STA_NANO
_IN_MEMORY: Final = frozenset({"tmpfs", "ramfs"})


def clock_status() -> int | None:
    """Return the status of the kernel's clock, or None if the kernel does not tell."""
    told = _timex()
    return None if told is None else int.from_bytes(told[_STATUS_AT : _STATUS_AT + 4], "little")


def clock_offset_s() -> float | None:
    """Return how far the clock still has to be moved, or None if the kernel does not tell or no time service runs."""
    told, status = _timex(), clock_status()
    if told is None or status is None or status & _UNSYNCHRONISED:
        return None
    offset = int.from_bytes(told[_OFFSET_AT : _OFFSET_AT + 8], "little", signed=True)
    return offset / (1_000_000_000 if status & _NANOSECONDS else 1_000_000)


def _timex() -> bytes | None:
    room = ctypes.create_string_buffer(512)  # the structure has 208 bytes; zero in `modes` only reads
    return None if ctypes.CDLL(None, use_errno=True).adjtimex(room) < 0 else room.raw


def check_clock(status: int | None) -> Finding:
    """Check whether the wall clock, whose time is in every record, is synchronised."""
    remedy = "Start a time service (systemd-timesyncd or chrony) and look at timedatectl."
    if status is None:
        return warning("clock", "clock", "the kernel does not tell whether it is synchronised.", remedy)
    if status & _UNSYNCHRONISED:
        return warning("clock", "clock", "is not synchronised: records will carry wrong times.", remedy)
    return fine("clock", "clock", "is synchronised.")


def check_journal(path: Path, table: TableSettings) -> Iterator[Finding]:
    """Check the journal's directory, its disk, and whether the daemon would start on the file."""
    directory = path.parent
    try:
        with faults_named(path):
            is_there = file.is_directory(directory)
    except JournalError as error:  # this user may not even look
        yield problem("journal", str(path), error.message, error.remedy)
        return
    if not is_there:
        yield problem("journal-directory", str(directory), "does not exist.", "Create it, or mount its disk.")
        return
    yield check_room(directory)
    yield _check_disk(directory)
    yield _check_writing(directory)
    yield _check_file(path, table)


def check_room(directory: Path) -> Finding:
    """Check how much room is left on a disk."""
    disk = os.statvfs(directory)
    free_mb = disk.f_bavail * disk.f_frsize // 1_000_000
    said, remedy = f"{free_mb} MB are free.", "Free space on the disk that holds the journal."
    if free_mb >= ROOM_MB_GOOD:
        return fine("journal-room", str(directory), said)
    if free_mb >= ROOM_MB_MIN:
        return warning("journal-room", str(directory), said, remedy)
    return problem("journal-room", str(directory), said, remedy)


def _check_disk(directory: Path) -> Finding:
    kind = filesystem(directory)
    if kind not in _IN_MEMORY:
        return fine("journal-disk", str(directory), f"is on {kind}.")
    said = f"is {kind}: the journal would be lost with the power."
    return problem("journal-disk", str(directory), said, "Put the journal on a disk.")


def filesystem(directory: Path, mounts: Path = Path("/proc/self/mounts")) -> str:
    """Return the kind of file system that a directory is on."""
    parents = set(map(os.fsencode, (directory.resolve(), *directory.resolve().parents)))
    best, kind = b"", "an unknown file system"
    for line in mounts.read_bytes().rstrip().split(b"\n"):  # any user may mount something at a name that is not UTF-8
        _, place, found, *_ = line.split(b" ")
        if place in parents and len(place) >= len(best):
            best, kind = place, found.decode()
    return kind


def _check_writing(directory: Path) -> Finding:
    try:
        took_ms = _sync_ms(directory)
    except OSError as error:
        remedy = "Give the user that runs the daemon write access to the directory, and run doctor as that user."
        return problem("journal-writing", str(directory), f"cannot be written: {error.strerror}.", remedy)
    said = f"a write reaches the disk in {median(took_ms):.2f} ms, the slowest of {SYNCS} in {max(took_ms):.2f} ms."
    if median(took_ms) > SYNC_MS_GOOD:
        return warning("journal-writing", str(directory), said, "Check the disk (smartctl), or use a faster one.")
    return fine("journal-writing", str(directory), said)


def _sync_ms(directory: Path) -> list[float]:
    path, took_ms = directory / f".feltd-doctor-{os.getpid()}", []
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        for _ in range(SYNCS):
            begun_ns = time.monotonic_ns()
            os.write(handle, bytes(4096))
            os.fsync(handle)
            took_ms.append((time.monotonic_ns() - begun_ns) / 1e6)
    finally:
        os.close(handle)
        path.unlink()
    return took_ms


def _check_file(path: Path, table: TableSettings) -> Finding:
    try:
        with faults_named(path):
            return _as_a_start(path, table)
    except JournalError as error:
        return problem("journal", str(path), error.message, error.remedy)


def _as_a_start(path: Path, table: TableSettings) -> Finding:
    """Read and check what a start does, so that what is fine here starts. Raise what a start would raise."""
    file.expect_files(path)
    if not file.is_there(path) and not file.exists(lock_file(path)):
        remedy = "Mount its disk. If the table is new, create its journal once with feltd create-journal."
        return problem("journal", str(path), "does not exist, and never did.", remedy)
    _expect_writable(path)
    remembered = last_commit(path)  # first: a daemon writes there what the journal has already
    with closing(JournalReader.open_read_only(path)) as journal, journal.one_moment():
        start, recovered = read_start(journal), recover(journal)
        if remembered is not None:
            expect_newest(journal, start.end, remembered)
        if recovered is not None:
            expect_own(journal, recovered, table)
        said = f"is journal {journal.id} with {start.end.offset} records. A start would continue on it."
    if doubts := doubts_of(start, remembered):
        remedy = "Play can go on: no event is skipped. Check the disk, and run feltd journal verify on a backup."
        return warning("journal", str(path), f"{said} It would raise an alert: {doubts[0]}.", remedy)
    return fine("journal", str(path), said)


def _expect_writable(path: Path) -> None:
    for each in (path, lock_file(path)):
        if file.exists(each) and not os.access(each, os.R_OK | os.W_OK, effective_ids=True):
            raise JournalPermissionError(path, f"this user may not write {each.name}")
