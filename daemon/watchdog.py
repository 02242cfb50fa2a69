"""Messages to systemd: ready, status, stopping, and that the straight line still moves.

Theory of operation. systemd restarts a service that stops sending ``WATCHDOG=1``. A timer that sent it would prove
only that the event loop runs, while a dealt hand may wait for a journal write that does not return. So each beat
is a probe: it goes into the intake's queue like any input, and returns when the one consumer has taken it. A probe that
does not return sends nothing. Half-way to the deadline one log line says so. At the deadline systemd kills the process
and starts it again.

Nothing here may stop the table: a message that systemd does not take is lost, and the next one is sent soon.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import partial
from typing import Final, TypeAlias

import structlog

from protocols.frozen import dataclass

BEATS_A_DEADLINE: Final = 3
"""sd_watchdog_enabled(3) recommends half the deadline. A third allows for one lost message."""

EXTENDED_US: Final = 30_000_000
"""How long systemd waits for the next word of a start. The words come many times a second, unless the disk hangs."""

Beat: TypeAlias = Callable[[], Awaitable[object]]

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Notifier:
    """The service manager's notification socket (sd_notify(3)). Without an address nothing is sent."""

    address: str | None = None

    def send(self, *assignments: str) -> None:
        if self.address is None:
            return
        # A leading @ means a name in the abstract namespace, which the kernel writes with a NUL.
        path = "\0" + self.address[1:] if self.address.startswith("@") else self.address
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel, contextlib.suppress(OSError):
            channel.setblocking(False)
            channel.sendto("\n".join(assignments).encode(), path)

    def ready(self, status: str) -> None:
        self.send("READY=1", _status(status))

    def extend_start(self) -> None:
        """Ask for more time until READY. Called again and again while a start reads a long journal."""
        self.send(f"EXTEND_TIMEOUT_USEC={EXTENDED_US}")

    def status(self, text: str) -> None:
        self.send(_status(text))

    def alive(self) -> None:
        self.send("WATCHDOG=1")

    def stopping(self, status: str) -> None:
        self.send("STOPPING=1", _status(status))


class StatusLine:
    """What `systemctl status` shows of a table. It is sent when it changes."""

    def __init__(self, manager: Notifier, read: Callable[[], str]) -> None:
        self._manager = manager
        self._read = read
        self._told = read()

    def tell(self) -> None:
        text = self._read()
        if text != self._told:
            self._told = text
            self._manager.status(text)


def _status(text: str) -> str:
    return "STATUS=" + " ".join(text.split())


def notifier(environ: Mapping[str, str]) -> Notifier:
    """Return the manager that started this process. Without one, return a Notifier that sends nothing."""
    return Notifier(environ.get("NOTIFY_SOCKET"))


def deadline_ns(environ: Mapping[str, str], pid: int) -> int | None:
    """Return how long the manager waits for a ``WATCHDOG=1``, or None if it does not watch this process."""
    usec = environ.get("WATCHDOG_USEC", "")
    if not usec.isdecimal() or int(usec) == 0 or environ.get("WATCHDOG_PID", str(pid)) != str(pid):
        return None
    return int(usec) * 1000


async def watch(manager: Notifier, beat: Beat, deadline_ns: int | None) -> None:
    """Send ``WATCHDOG=1`` after each probe that returned. Return at once if there is no deadline."""
    if deadline_ns is None:
        return
    deadline_s = deadline_ns / 1e9
    while True:
        with _warning_after(deadline_s / 2):
            await beat()
        manager.alive()
        await asyncio.sleep(deadline_s / BEATS_A_DEADLINE)


@contextlib.contextmanager
def _warning_after(seconds: float) -> Iterator[None]:
    warn = partial(_log.error, "line-stands-still", waited_s=seconds)
    warning = asyncio.get_running_loop().call_later(seconds, warn)
    try:
        yield
    finally:
        warning.cancel()
