"""Faults inside system calls: strace lets the Nth call of a kind fail, or kills the process in it."""

from __future__ import annotations

from pathlib import Path


def injecting(call: str, fault: str, file: str | None = None) -> tuple[str, ...]:
    """Return the beginning of a command: strace with `fault`, as `signal=KILL:when=7`, in this call.

    With `file`, only calls on this file count.
    """
    only = () if file is None else ("-P", str(Path(file).resolve()))
    return ("strace", "-f", "-qq", "-o", "/dev/null", *only, "-e", f"trace={call}", "-e", f"inject={call}:{fault}")
