"""The container itself: however a test of it ends, nothing of it runs on."""

from __future__ import annotations

import os
import select
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from tests.systemd import container

NEVER_ENDS = "touch /lab/notes/up\nsleep infinity"
MOMENT_MS = 30_000
BOOTS_S = (5, 30, 120)  # the first is enough on a quiet machine


def running_in(directory: Path) -> list[int]:
    """The processes that see something of the directory mounted."""
    found = []
    for mounts in Path("/proc").glob("[0-9]*/mountinfo"):
        with suppress(OSError):  # it has just ended
            if f"{directory}/" in mounts.read_text(encoding="utf-8"):
                found.append(int(mounts.parent.name))
    return found


def is_ending(process: int) -> bool:
    """Whether a process that was killed has gone. The kernel needs a moment for it."""
    try:
        gone = os.pidfd_open(process)
    except ProcessLookupError:
        return True
    try:
        poll = select.poll()
        poll.register(gone, select.POLLIN)
        return poll.poll(MOMENT_MS) != []
    finally:
        os.close(gone)


def test_one_that_takes_too_long_is_gone(tmp_path: Path) -> None:
    for seconds in BOOTS_S:
        directory = tmp_path / f"{seconds}"
        directory.mkdir()
        with pytest.raises(subprocess.TimeoutExpired):
            container.run(directory, NEVER_ENDS, None, {}, seconds)
        assert [process for process in running_in(directory) if not is_ending(process)] == []
        if (directory / "lab/notes/up").exists():
            return
    pytest.fail("no container was up in time to be left behind")
