"""A process beside a test. Whatever happens in the test, it is gone and reaped afterwards, and its pipes are closed.

`with subprocess.Popen(…)` alone waits for the process on leaving. After a failure inside, that wait never ends where
nobody ends the process; and a limit that breaks the wait leaves the process to whichever test runs next.
"""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any, AnyStr

ENDS_S_MAX = 120.0


@contextmanager
def gone_afterwards(
    process: subprocess.Popen[AnyStr], end: signal.Signals = signal.SIGTERM
) -> Iterator[subprocess.Popen[AnyStr]]:
    """End the process with this signal, if it has not ended by itself, and by SIGKILL if it does not obey."""
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(end)
        _close_pipes(process)  # one that waits for somebody to read would not end
        _wait(process)


def _close_pipes(process: subprocess.Popen[AnyStr]) -> None:
    pipes: tuple[IO[Any] | None, ...] = (process.stdin, process.stdout, process.stderr)
    for pipe in pipes:
        if pipe is not None:
            with suppress(BrokenPipeError):  # what was not written to a process that has ended
                pipe.close()


def _wait(process: subprocess.Popen[AnyStr]) -> None:
    try:
        process.wait(ENDS_S_MAX)
    except BaseException:  # it does not obey, or the test's own limit breaks this wait
        process.kill()
        process.wait()
        raise
