"""A disk under SQLite that fails when it is told to, and that knows what a power cut would leave of it.

It stands between SQLite and the real files. Each write and each sync is counted and can be made to fail. For a
power cut it keeps what every file held at its last sync, and every piece that was written since: a disk may have
put any part of those down, in sectors, and nothing else.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import apsw

SECTOR: Final = 512
NAME: Final = "faulty-disk"
SOUND: Final = apsw.vfs_names()[0]


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that SQLite asks of the disk: `number` counts all of them from 1."""

    number: int
    kind: str  # write, sync or truncate
    file: str


@dataclass
class Contents:
    """What a power cut finds of one file."""

    synced: bytearray = field(default_factory=bytearray)
    since: list[tuple[int, bytes]] = field(default_factory=list)

    def sync(self) -> None:
        """Put down everything that was written."""
        for start, data in self.since:
            _put(self.synced, start, data)
        self.since.clear()


class FaultyDisk(apsw.VFS):
    """SQLite's default way to the disk while `in_place` lasts."""

    def __init__(self) -> None:
        super().__init__(NAME, SOUND)
        self.operations = 0
        self.before: Callable[[Operation], None] = lambda _: None
        self.files: dict[Path, Contents] = {}

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> FaultyFile:  # noqa: N802  # SQLite's name
        return FaultyFile(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        self.files.pop(Path(filename), None)
        super().xDelete(filename, syncdir)

    def operation(self, kind: str, file: str) -> None:
        """Count it, and let the test fail it."""
        self.operations += 1
        self.before(Operation(self.operations, kind, file))

    def power_cut(self, journal: Path, left: Path, dice: random.Random) -> None:
        """Put beside `left` what the disk would hold of a journal and its log if the power went now."""
        for path, contents in self.files.items():
            if path.parent != journal.parent or path.name.removeprefix(journal.name) not in ("", "-wal"):
                continue
            image = bytearray(contents.synced)
            for start, sector in _sectors(contents.since):
                if dice.random() < 0.5:
                    _put(image, start, sector)
            left.with_name(left.name + path.name.removeprefix(journal.name)).write_bytes(image)


class FaultyFile(apsw.VFSFile):
    """One of the journal's files."""

    def __init__(self, disk: FaultyDisk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        super().__init__(SOUND, name, flags)
        self._disk = disk
        self._path = Path(path or "temporary")
        self._contents = disk.files.setdefault(self._path, Contents())
        if not self._contents.synced and self._path.exists():
            self._contents.synced[:] = self._path.read_bytes()

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self._disk.operation("write", self._path.name)
        super().xWrite(data, offset)
        self._contents.since.append((offset, data))

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._disk.operation("sync", self._path.name)  # and no real one: `Contents` says what it would have kept
        self._contents.sync()

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self._disk.operation("truncate", self._path.name)
        super().xTruncate(newsize)
        self._contents.sync()
        del self._contents.synced[newsize:]


@contextmanager
def in_place() -> Iterator[FaultyDisk]:
    """Every database that is opened meanwhile is on this disk."""
    disk = FaultyDisk()
    apsw.set_default_vfs(NAME)
    try:
        yield disk
    finally:
        apsw.set_default_vfs(SOUND)
        disk.unregister()


def fail_from(number: int, error: type[apsw.Error], kinds: tuple[str, ...]) -> Callable[[Operation], None]:
    """Operations of these kinds fail from this one on."""

    def before(operation: Operation) -> None:
        if operation.number >= number and operation.kind in kinds:
            raise error(f"{operation.kind} {operation.number} of {os.fspath(operation.file)} failed by test")

    return before


def _sectors(written: list[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    for offset, data in written:
        for start in range(0, len(data), SECTOR):
            yield offset + start, data[start : start + SECTOR]


def _put(image: bytearray, start: int, piece: bytes) -> None:
    if len(image) < start:
        image.extend(bytes(start - len(image)))
    image[start : start + len(piece)] = piece
