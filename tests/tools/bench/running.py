"""`feltd bench` as a process, its children, and what it said."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from tests.support.forked import feltd
from tests.support.processes import gone_afterwards

FELTD: Final = Path(sys.executable).with_name("feltd")
SOON_S: Final = 180.0
RUN_S_MAX: Final = 600.0
"""A run of a few rounds needs 3 s of a processor, and waits for devices that are silent. Beside other tests it took
110 s; only a hang needs more than this."""


def bench(*words: str | Path, timeout_s: float = RUN_S_MAX) -> subprocess.CompletedProcess[str]:
    """Run it to its end."""
    return feltd("bench", *words, timeout_s=timeout_s)


@contextmanager
def benching(*words: str) -> Iterator[subprocess.Popen[str]]:
    """Run it beside the test, with its output in a pipe; gone afterwards."""
    command = [str(FELTD), "bench", *words]
    with gone_afterwards(
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    ) as process:
        yield process


def until_said(process: subprocess.Popen[str], words: str) -> str:
    """Read its lines until one has these words."""
    assert process.stdout is not None
    for line in process.stdout:
        if words in line:
            return line
    assert process.stderr is not None
    raise AssertionError(f"it ended without saying {words!r}: {process.stderr.read()}")


def children(process: subprocess.Popen[str]) -> dict[str, int]:
    """The processes that it started, by the first word of their command."""
    return {_name(pid): pid for pid in children_of(process.pid)}


def children_of(pid: int) -> list[int]:
    """The processes that this one started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _name(pid: int) -> str:
    words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    return "daemon" if b"daemon" in words else Path(words[0].decode()).name


def is_alive(pid: int) -> bool:
    with suppress(FileNotFoundError):
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    return False


def line_of(summary: str, name: str) -> str:
    """One line of the closing summary."""
    return next(line for line in summary.splitlines() if line.startswith(f"{name} "))
