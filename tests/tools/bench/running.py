"""`feltd bench` as a process, its children, and what it said."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

FELTD: Final = Path(sys.executable).with_name("feltd")
SOON_S: Final = 60.0


def bench(*words: str | Path, timeout_s: float = SOON_S) -> subprocess.CompletedProcess[str]:
    """Run it to its end."""
    return subprocess.run([FELTD, "bench", *words], capture_output=True, text=True, timeout=timeout_s, check=False)


@contextmanager
def benching(*words: str) -> Iterator[subprocess.Popen[str]]:
    """Run it beside the test, with its output in a pipe; gone afterwards."""
    command = [str(FELTD), "bench", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.terminate()


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
    listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    return {_name(int(pid)): int(pid) for pid in listed}


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
