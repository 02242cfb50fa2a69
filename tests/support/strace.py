"""Faults inside system calls: strace lets the Nth call of a kind fail, or kills the process in it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

NOWHERE: Final = Path("/dev/null")
_CUT_SHORT: Final = re.compile(r"^\d+ +(\w+)\(\d+<([^>]*).*(?:= \?|<unfinished \.\.\.>)$", re.MULTILINE)


def injecting(call: str, fault: str, file: str | None = None, log: Path = NOWHERE) -> tuple[str, ...]:
    """Return the beginning of a command: strace with `fault`, as `signal=KILL:when=7`, in this call.

    With `file`, only calls on this file count. `log` gets a line for each call, without its bytes.
    """
    only = () if file is None else ("-P", str(Path(file).resolve()))
    written = ("-yy", "-s", "0", "-o", str(log))
    return ("strace", "-f", "-qq", *written, *only, "-e", f"trace={call}", "-e", f"inject={call}:{fault}")


def killed_in(log: Path) -> tuple[str, str]:
    """Return the call that never returned, by strace's log, and the file or kind of socket that it was for."""
    text = log.read_text(encoding="utf-8", errors="replace")
    found = _CUT_SHORT.findall(text)
    assert found, f"no call was cut short; strace wrote last:\n{text[-400:]}"
    call, target = found[-1]
    return call, target.partition(":[")[0]
