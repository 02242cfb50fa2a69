"""Finds the processes that have a port open, as far as this user may see."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from protocols.frozen import dataclass

PROC: Final = Path("/proc")


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that has a port open."""

    pid: int
    program: str

    def __str__(self) -> str:
        return f"process {self.pid} ({self.program})"


def holders(port: Path, proc: Path = PROC) -> tuple[Holder, ...]:
    """Return the other processes that have a port open. Only root sees what other users' processes have open."""
    found = []
    for process in proc.glob("[0-9]*"):
        with suppress(OSError):  # it ended meanwhile, or is not ours to look into
            if int(process.name) != os.getpid() and _has_open(process, port):
                found.append(Holder(int(process.name), _program(process)))
    return tuple(sorted(found, key=lambda holder: holder.pid))


def _program(process: Path) -> str:
    """Return what a process calls itself. These are bytes of its own choice, and the kernel cuts them anywhere."""
    return (process / "comm").read_bytes().decode(errors="backslashreplace").strip()


def _has_open(process: Path, port: Path) -> bool:
    for handle in (process / "fd").iterdir():
        with suppress(OSError):
            if handle.readlink() == port and _is_same(handle.stat(), port.stat()):
                return True
    return False


def _is_same(held: os.stat_result, named: os.stat_result) -> bool:
    """Return whether these are one port. In a container or another root the same path can be another one."""
    if stat.S_ISCHR(named.st_mode):
        return held.st_rdev == named.st_rdev
    return os.path.samestat(held, named)


def holds_itself(port: Path) -> bool:
    """Return whether this process has the port open."""
    return _has_open(PROC / "self", port)
