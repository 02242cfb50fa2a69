"""What systemd is told: ready, status, stopping, and that the straight line still moves.

Theory of operation. systemd restarts a service that stops saying ``WATCHDOG=1``. A timer that says so would
prove only that the event loop turns, while a dealt hand can be stuck behind a journal that does not return. So
each beat is a probe: it goes into the intake's queue like any event and comes back once the one consumer has
taken it. A probe that does not come back feeds nothing; half way to the deadline one log line says so, and at
the deadline systemd kills the process and starts it on its journal again.

Nothing here may stop the table: a message that the manager does not take is lost, and the next one is due soon.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

import structlog

BEATS_A_DEADLINE: Final = 3
"""sd_watchdog_enabled(3) asks for half the deadline; a third leaves room for one lost message."""

Beat: TypeAlias = Callable[[], Awaitable[object]]

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Notifier:
    """The service manager's notification socket (sd_notify(3)); with no address every message is a no-op."""

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

    def status(self, text: str) -> None:
        self.send(_status(text))

    def alive(self) -> None:
        self.send("WATCHDOG=1")

    def stopping(self, status: str) -> None:
        self.send("STOPPING=1", _status(status))


def _status(text: str) -> str:
    return "STATUS=" + " ".join(text.split())


def notifier(environ: Mapping[str, str]) -> Notifier:
    """The manager that started us, if one did."""
    return Notifier(environ.get("NOTIFY_SOCKET"))


def deadline_ns(environ: Mapping[str, str], pid: int) -> int | None:
    """How long the manager waits between two signs of life, or None when it does not watch this process."""
    usec = environ.get("WATCHDOG_USEC", "")
    if not usec.isdecimal() or int(usec) == 0 or environ.get("WATCHDOG_PID", str(pid)) != str(pid):
        return None
    return int(usec) * 1000


async def watch(manager: Notifier, beat: Beat, deadline_ns: int | None) -> None:
    """Tell the manager that we live each time a probe has gone through the line; for ever, or not at all."""
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
