"""A terminal in which a reader types one line of a document, as it stands there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.interrupts import interruptible
from tests.support.processes import gone_afterwards

_ENDS_S_MAX = 500
_FELTD = Path(sys.executable).parent


def _typed(line: str, here: Path) -> subprocess.Popen[str]:
    environ = os.environ | {"PATH": f"{_FELTD}{os.pathsep}{os.environ['PATH']}"}
    shell = ["bash", "-c", f"exec {line}"]
    return subprocess.Popen(shell, cwd=here, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def run(line: str, here: Path) -> str:
    """Type it, and return what it printed when it ended well."""
    with gone_afterwards(_typed(line, here)) as process:
        printed, _ = process.communicate(timeout=_ENDS_S_MAX)
    assert process.returncode == 0, f"{line}\n{printed}"
    return printed


@contextmanager
def beside(line: str, here: Path, says: str) -> Iterator[None]:
    """Type it, go on once it says this, and press Ctrl-C afterwards, at which it ends well."""
    with interruptible(), gone_afterwards(_typed(line, here)) as process:
        assert process.stdout is not None
        printed = ""
        while says not in printed:
            printed += (more := process.stdout.readline())
            assert more, f"{line}\n{printed}"
        yield
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=_ENDS_S_MAX)
