"""Runs a program that ends when its parent does, whatever ended that: `python leash.py PARENT PROGRAM …`.

The bench ends what it started; killed, it cannot. So the kernel is asked to do it. It is asked between fork and exec,
and here in a program of its own, because Python code in the forked child of a process with threads may hang. It imports
nothing of ours, so that it is over in some milliseconds. A program that changes its user lets go of the leash.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from typing import Final

PR_SET_PDEATHSIG: Final = 1  # sys/prctl.h; it outlasts execve(2), and only Linux has it


def leashed(*program: str) -> tuple[str, ...]:
    """The command that runs a program so, from the process that is to be its parent."""
    return (sys.executable, "-I", "-S", __file__, str(os.getpid()), *program)


def _become(parent: int, program: list[str]) -> None:
    """A parent that is gone already will not be missed by the kernel."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() == parent:
        os.execvp(program[0], program)  # noqa: S606 - what the bench would have run itself


if __name__ == "__main__":
    _become(int(sys.argv[1]), sys.argv[2:])
