"""The daemon as the bench runs it: `feltd run` in a process of its own, as systemd starts it.

What is watched and measured is then the daemon as it ships, not one that shares its event loop with the people, the
machine and the watcher around it; and a kill is a kill.
"""

from __future__ import annotations

import asyncio
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
    """It ended by itself; its last words say why."""

    def __init__(self, status: int, log: Path) -> None:
        words = log.read_text(encoding="utf-8", errors="replace").splitlines()[-LAST_LINES:]
        said = "".join(f"\n  {word}" for word in words) or " nothing."
        message = f"The daemon ended with status {status}. It said last:{said}"
        super().__init__("bench.daemon-ended", message, "Run it again with --keep DIRECTORY and read feltd.log there.")


class Daemon:
    """One daemon's process, which can be ended in any way and started again on its journal."""

    def __init__(self, config: Path) -> None:
        self.log: Final = config.with_name(LOG)
        self.program: tuple[str, ...] = (sys.executable, "-m", "daemon")  # the next start runs this
        self._config = config
        self._process: asyncio.subprocess.Process | None = None

    @property
    def pid(self) -> int:
        """Of the process that runs, or ran last."""
        assert self._process is not None, "it was never started"
        return self._process.pid

    async def start(self) -> None:
        """Start it. In a process group of its own, so that the terminal's Ctrl-C is the bench's and not its."""
        program = dying_with_parent(*self.program, "run", "--config", str(self._config))
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(*program, stdout=log, stderr=log, process_group=0)

    async def end(self, number: signal.Signals) -> int:
        """Send it a signal and wait for its exit status; one that has ended already only tells its own."""
        assert self._process is not None, "it was never started"
        with suppress(ProcessLookupError):
            self._process.send_signal(number)
        return await self._process.wait()

    async def watch(self) -> Never:
        """Wait for an end that nobody asked for."""
        assert self._process is not None, "it was never started"
        raise DaemonEndedError(await self._process.wait(), self.log)


@asynccontextmanager
async def running(config: Path) -> AsyncIterator[Daemon]:
    """A daemon from here on, for a table that is new; ended in good order afterwards."""
    create(load(config).journal)
    daemon = Daemon(config)
    await daemon.start()
    try:
        yield daemon
    except BaseException:
        await daemon.end(signal.SIGTERM)
        raise
    status = await daemon.end(signal.SIGTERM)
    if status != 0:
        raise DaemonEndedError(status, daemon.log)
