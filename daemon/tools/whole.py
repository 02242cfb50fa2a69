"""Writes a file that a running program reads: whole, or not at all."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from pathlib import Path
from typing import Final

_NEW_FILE: Final = 0o640


def write_whole(file: Path, text: str) -> None:
    """Replace the file, with the same owner and rights. Raise OSError, and leave it as it was, where that fails."""
    if file.is_symlink() and file.lstat().st_uid not in (0, os.geteuid()):
        raise OSError(errno.ELOOP, "it is a link of another user")  # who could have root write over any file
    file = file.resolve()  # a link stays one
    if file.exists() and not file.is_file():
        raise OSError(errno.EINVAL, "it is not a regular file")  # a device, a pipe or a directory stays what it is
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    new = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as written:
            written.write(text)
            if file.exists():
                was = file.stat()
                os.fchown(handle, was.st_uid, was.st_gid)
                os.fchmod(handle, stat.S_IMODE(was.st_mode))
            else:
                os.fchmod(handle, _NEW_FILE)
            written.flush()
            os.fsync(handle)
        new.replace(file)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
