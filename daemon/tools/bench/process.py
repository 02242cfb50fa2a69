"""The daemon as the bench runs it: `feltd run` in a process of its own, as systemd starts it.

So the bench watches and measures the daemon as it ships. The daemon does not share an event loop with the people, the
machine and the watcher around it, and it can really be killed.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final, Never

from daemon.config.load import load
from daemon.errors import SetupError
from daemon.journal.creation import create
from daemon.tools.bench.die_with_parent import dying_with_parent

LOG: Final = "feltd.log"
LAST_LINES: Final = 5


class DaemonEndedError(SetupError):
    """The daemon ended by itself. The message has its exit status and the last lines of its log."""

    def __init__(self, status: int, log: Path) -> None:
        words = log.read_text(encoding="utf-8", errors="replace").splitlines()[-LAST_LINES:]
        logged = "".join(f"\n  {word}" for word in words) or " none."
        message = f"The daemon ended with status {status}. Its last log lines:{logged}"
        super().__init__("bench.daemon-ended", message, "Run it again with --keep DIRECTORY and read feltd.log there.")


class Daemon:
    """The process of one daemon, which can be ended in any way and started again on its journal."""

    def __init__(self, config: Path) -> None:
        self.log: Final = config.with_name(LOG)
        self.program: tuple[str, ...] = (sys.executable, "-m", "daemon")  # the next start runs this
        self._config = config
        self._process: asyncio.subprocess.Process | None = None

    @property
    def pid(self) -> int:
        """Return the id of the process that runs, or ran last."""
        assert self._process is not None, "it was never started"
        return self._process.pid

    async def start(self) -> None:
        """Start it, in a process group of its own: a terminal's Ctrl-C must reach the bench and not the daemon."""
        program = dying_with_parent(*self.program, "run", "--config", str(self._config))
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(*program, stdout=log, stderr=log, process_group=0)

    async def end(self, number: signal.Signals) -> int:
        """Send it a signal and return its exit status. If it has ended already, return the status of that end.

        The signal is for the group: with the program before it killed, as strace, a daemon would run on.
        """
        assert self._process is not None, "it was never started"
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)
        return await self._process.wait()

    async def watch(self) -> Never:
        """Wait for an end that nobody asked for, and raise it."""
        assert self._process is not None, "it was never started"
        raise DaemonEndedError(await self._process.wait(), self.log)


@asynccontextmanager
async def running(config: Path) -> AsyncIterator[Daemon]:
    """Run a daemon for a new table, and end it in good order afterwards."""
    create(load(config).journal)
    daemon = Daemon(config)
    await daemon.start()
    try:
        yield daemon
    except BaseException:
        await daemon.end(signal.SIGTERM)
        raise
    status = await daemon.end(signal.SIGTERM)
    if status not in (0, -signal.SIGTERM):  # the latter: it had not even begun to listen for signals
        raise DaemonEndedError(status, daemon.log)
