"""The disk under a storm's journal: full, broken, without power, or with an older copy on it.

Theory of operation. SQLite writes through `FaultyDisk`, so the disk knows what it was told to put down and what a power
cut would leave. A fault strikes at the next write. From then on the disk takes nothing until the process is gone, as
systemd starts it again: then there is room again, or what the power cut left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

import apsw
import msgspec

from daemon.errors import JournalError
from daemon.journal.errors import JournalBehindError
from daemon.journal.journal import Journal
from daemon.journal.lock import LastCommit
from tests.journal.faulty_disk import FaultyDisk, Operation, in_place
from tests.storm import faults
from tests.support.crash_points import CrashError, Point

FILES: Final = ("", "-wal")
OPERATIONS_MAX: Final = 12
"""An append takes about six. So the power goes at any place of one, or between two."""


class _Remembered(msgspec.Struct):
    """Of the lock file, the last commit."""

    last: LastCommit


@dataclass
class StormDisk:
    """The disk of one storm."""

    journal: Path
    chance: Random
    stops: list[str] = field(default_factory=list)
    is_off: bool = False
    _disk: FaultyDisk | None = None
    _older: tuple[int, dict[str, bytes]] | None = None

    @contextmanager
    def under(self) -> Iterator[None]:
        """Every journal is on this disk until this is left."""
        with in_place() as self._disk:
            yield

    def strike(self, what: str) -> None:
        """Have the disk fail from now on, or the power go at one of the next operations."""
        assert self._disk is not None
        at = self._disk.operations + self.chance.randint(1, OPERATIONS_MAX)
        match what:
            case faults.FULL:
                self._disk.before = _failing(apsw.FullError, "write")
            case faults.BROKEN:
                self._disk.before = _failing(apsw.IOError, "sync")
            case faults.POWER:
                self._disk.before = lambda operation: self._cut(operation.number >= at)
            case _:
                self._older = self._last(), self._read()

    def may_end(self, error: Exception) -> bool:
        """Whether this error is the disk's doing."""
        if isinstance(error, JournalError):
            self.stops.append(error.code)
        return self._disk is not None and self._disk.before is not _sound

    def spare_the_close(self) -> None:
        """Let a journal be closed whose process is gone. SQLite ignores it if that fails; our VFS could not."""
        assert self._disk is not None
        if not self.is_off:
            self._disk.before = _sound

    def mend(self) -> None:
        """While no process has the journal open: what the power cut left lies there, and the disk is sound again."""
        assert self._disk is not None
        self._disk.before = _sound
        if self.is_off:
            self.is_off = False
            for suffix in FILES:
                left = self._file(".left" + suffix)
                self._file(suffix).unlink(missing_ok=True)
                if left.exists():
                    left.rename(self._file(suffix))
            self._file("-shm").unlink(missing_ok=True)
        if self._older is not None:
            self._put_back(*self._older)
            self._older = None
        self._disk.files.clear()  # what lies there now is on the disk

    def _cut(self, is_now: bool) -> None:
        assert self._disk is not None
        if is_now and not self.is_off:
            self.is_off = True
            self._disk.power_cut(self.journal, self._file(".left"), self.chance)
        if self.is_off:
            raise CrashError(Point.AFTER_COMMIT)  # the journal may have what the process does not know

    def _put_back(self, ends: int, older: dict[str, bytes]) -> None:
        """Somebody puts back a copy that ends with this record. The table does not start on it, and they mend it."""
        sound = self._read()
        self._put(older)
        if ends < self._last():
            try:
                Journal.open(self.journal, create=False).close()
            except JournalBehindError as refusal:
                self.stops.append(refusal.code)
            else:
                raise AssertionError("the table starts on an older copy of its journal")
        self._put(sound)

    def _last(self) -> int:
        """Return the last record that was committed, as the file beside the journal remembers it."""
        return msgspec.json.decode(self._file(".lock").read_bytes(), type=_Remembered).last.offset

    def _read(self) -> dict[str, bytes]:
        return {suffix: self._file(suffix).read_bytes() for suffix in FILES if self._file(suffix).exists()}

    def _put(self, files: dict[str, bytes]) -> None:
        for suffix in (*FILES, "-shm"):
            self._file(suffix).unlink(missing_ok=True)
        for suffix, content in files.items():
            self._file(suffix).write_bytes(content)
            self._file(suffix).chmod(0o600)

    def _file(self, suffix: str) -> Path:
        return self.journal.with_name(self.journal.name + suffix)


def _sound(_: Operation) -> None:
    """Let the operation be done."""


def _failing(error: type[apsw.Error], kind: str) -> Callable[[Operation], None]:
    def before(operation: Operation) -> None:
        if operation.kind == kind:
            raise error(f"{operation.kind} {operation.number} failed by the storm")

    return before
