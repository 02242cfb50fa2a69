"""feltd's command line in a process of its own that has imported feltd before it starts.

A third of a short bench's processor time is the import of the bench, and nearly all of that of a command which reads a
journal. Here a fork server, Python's own, imports them once for each process of the tests. Each command then has a
fork: its own words, output, signals, children and end. Tests of how feltd starts, of signals and of terminals start it
as a person does, and so do the documents' tests.
"""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
from functools import cache
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Final

from daemon.cli import main

SOON_S: Final = 180.0
"""A command that only looks or writes is done in one second; beside other tests, in some. Only a hang needs this."""
_OUTPUTS: Final = {"out": 1, "errors": 2}


@cache
def _server() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.support.feltd_imported"])
    return context


def feltd(*words: str | Path, timeout_s: float = SOON_S) -> subprocess.CompletedProcess[str]:
    """Run `feltd` with these words to its end. One that does not come to its end says where it stands."""
    command = ["feltd", *map(str, words)]
    with tempfile.TemporaryDirectory() as folder:
        process = _server().Process(target=_run, args=(command, dict(os.environ), Path.cwd(), Path(folder)))
        process.start()
        try:
            process.join(timeout_s)
            status = process.exitcode
            if status is None:
                _end(process.pid, signal.SIGABRT)
                process.join()
        finally:
            if process.is_alive():
                process.kill()
            process.join()
            process.close()
        said, complained = ((Path(folder) / name).read_text(encoding="utf-8") for name in _OUTPUTS)
    if status is None:
        raise AssertionError(f"it had not ended after {timeout_s} s:\n{said}\n{complained}")
    return subprocess.CompletedProcess(command, status, said, complained)


def _end(pid: int | None, number: signal.Signals) -> None:
    assert pid is not None, "it was started"
    os.kill(pid, number)


def _run(command: list[str], environ: dict[str, str], here: Path, folder: Path) -> None:
    for name, number in _OUTPUTS.items():
        file = os.open(folder / name, os.O_WRONLY | os.O_CREAT)
        os.dup2(file, number)
        os.close(file)
    os.chdir(here)
    os.environ.clear()
    os.environ.update(environ)
    faulthandler.enable()
    sys.argv = command
    main()
