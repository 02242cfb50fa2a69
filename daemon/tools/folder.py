"""A directory that a command writes files into, also one of another user and with links in it.

Root exports, draws and unpacks into directories of other users. They can put a link in the place of a file or of a
directory, and have root write somewhere else. So a directory is opened once and never through a link of its own name.
A file is written under a name that nobody knows, and then takes the place of what has its name: no link is followed,
and no half of a file is ever there.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final, Self

_DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW


class Folder:
    """An open directory. Use it from `made_new` or `opened`, which close it."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    @classmethod
    @contextmanager
    def made_new(cls, directory: Path, mode: int) -> Iterator[Self]:
        """Make a directory that does not exist yet. Raise OSError if somebody puts another in its place."""
        directory.mkdir(mode=mode)
        with cls._closed(os.open(directory, _DIRECTORY | os.O_NOFOLLOW)) as made:
            if os.fstat(made._handle).st_uid != os.geteuid():
                raise OSError(errno.EPERM, "somebody replaced it")
            yield made

    @classmethod
    @contextmanager
    def opened(cls, directory: Path) -> Iterator[Self]:
        """Open the directory that a person named. It may be behind a link."""
        with cls._closed(os.open(directory, _DIRECTORY)) as opened:
            yield opened

    @contextmanager
    def below(self, name: str) -> Iterator[Self]:
        """Open a directory in this one, and make it if it is missing. Raise OSError if it is a link."""
        with suppress(FileExistsError):
            os.mkdir(name, dir_fd=self._handle)  # a Path knows no open directory
        with self._closed(os.open(name, _DIRECTORY | os.O_NOFOLLOW, dir_fd=self._handle)) as opened:
            yield opened

    def write(self, name: str, content: bytes, like: os.stat_result | None = None) -> None:
        """Write a file, whole or not at all, in the place of what has its name. `like` has its rights and its time."""
        with self.writing(name, like) as written:
            written.write(content)

    @contextmanager
    def writing(self, name: str, like: os.stat_result | None = None) -> Iterator[BinaryIO]:
        """Yield a file to write to. It gets its name when the block ends, and is removed if the block raises."""
        draft = f".{name}.{secrets.token_hex(8)}"
        handle = os.open(draft, _NEW, 0o666, dir_fd=self._handle)
        try:
            with os.fdopen(handle, "wb") as written:
                yield written
                written.flush()
                if like is not None:
                    os.fchmod(handle, stat.S_IMODE(like.st_mode))
                    os.utime(handle, ns=(like.st_atime_ns, like.st_mtime_ns))
            os.replace(draft, name, src_dir_fd=self._handle, dst_dir_fd=self._handle)
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(draft, dir_fd=self._handle)
            raise

    @classmethod
    @contextmanager
    def _closed(cls, handle: int) -> Iterator[Self]:
        try:
            yield cls(handle)
        finally:
            os.close(handle)
