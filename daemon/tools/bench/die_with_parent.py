"""Runs a program that ends when its parent does, however the parent ends: `die_with_parent.py PARENT PROGRAM ...`.

The bench ends what it started. Killed, it cannot, so the kernel is asked to do it. The request must be made between
fork and exec. It is made here, in a program of its own, because Python code in the forked child of a process with
threads may hang. It imports nothing of ours, so it takes some milliseconds. A program that changes its user loses the
request.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from typing import Final

PR_SET_PDEATHSIG: Final = 1  # sys/prctl.h; it outlasts execve(2), and only Linux has it


def dying_with_parent(*program: str) -> tuple[str, ...]:
    """Return the command that runs `program` as a child that dies with this process."""
    return (sys.executable, "-I", "-S", __file__, str(os.getpid()), *program)


if __name__ == "__main__":
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    parent_pid, *command = sys.argv[1:]
    if os.getppid() == int(parent_pid):  # the kernel does not tell of a parent that was gone before
        os.execvp(command[0], command)  # noqa: S606 - what the bench would have run itself
