"""Serial ports: pyserial opens and sets them, the event loop reads and writes their file descriptor.

Opening and closing can take long in the kernel, so both run in a thread. `close` first discards what is in the kernel's
buffers, because a drain never ends while the other end holds flow control. Two programs on one port would each get
half of every frame, so the port has an advisory lock. The lock ends with our descriptor, however we end. TIOCEXCL is
not set: it stays on a tty for as long as another process has the tty open, so a killed daemon would lock itself out.
It does not stop root's programs anyway.
"""

from __future__ import annotations

import asyncio
import errno
import grp
import os
import pwd
import select
import stat
import termios
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import serial

from drivers.addresses import SerialAddress
from drivers.errors import LinkError, SetupCode, SetupError, SetupProblem
from drivers.profile import LineSettings
from drivers.transports.base import BACKLOG_BYTES_MAX, READ_SIZE, Chunk, Clock, Inbox, finish_despite_cancel
from drivers.transports.holders import holders, holds_itself

_GROUP_MAY: Final = stat.S_IRGRP | stat.S_IWGRP
_GONE: Final = select.POLLHUP | select.POLLERR | select.POLLNVAL


class SerialTransport:
    """One open port."""

    def __init__(self, port: serial.Serial, clock: Clock) -> None:
        self._port: Final = port
        self._fd: Final[int] = port.fileno()
        self._inbox: Final = Inbox(clock)
        self._unsent: Final = bytearray()
        self._loop: Final = asyncio.get_running_loop()
        self._closing: asyncio.Future[None] | None = None
        self._is_reading = False
        self._resume_reading()

    async def read(self) -> Chunk:
        """Return the next bytes."""
        chunk = await self._inbox.get()
        if not self._inbox.is_full and not self._inbox.is_lost:
            self._resume_reading()
        return chunk

    def write(self, data: bytes) -> None:
        """Queue bytes. A backlog beyond the limit ends the connection."""
        if self._inbox.is_lost:
            return
        was_idle = not self._unsent
        self._unsent.extend(data)
        if len(self._unsent) > BACKLOG_BYTES_MAX:
            self._lose("the device takes no bytes")
        elif was_idle:
            self._write_now()

    async def close(self) -> None:
        """Discard what is buffered, then close in a thread."""
        if self._closing is None:
            self._lose("closed")
            self._closing = self._loop.run_in_executor(None, _close, self._port)
        await finish_despite_cancel(self._closing)

    def _resume_reading(self) -> None:
        if not self._is_reading:
            self._is_reading = True
            self._loop.add_reader(self._fd, self._on_readable)

    def _stop_reading(self) -> None:
        if self._is_reading:
            self._is_reading = False
            self._loop.remove_reader(self._fd)

    def _on_readable(self) -> None:
        """Take what the kernel has. The event loop calls this when bytes have come, and when the port is gone."""
        data = self._read_kernel()
        if data:
            self._inbox.put(data)  # as a `Chunk`, with the time of now
            if self._inbox.is_full:
                self._stop_reading()

    def _read_kernel(self) -> bytes:
        """Return what the kernel has, or nothing after a false wake-up. A port that is gone ends the connection."""
        try:
            data = os.read(self._fd, READ_SIZE)
        except BlockingIOError:
            return b""
        except OSError as error:
            self._lose(f"reading failed: {error.strerror}")
            return b""
        if not data and _is_gone(self._fd):
            self._lose("unplugged")
        return data

    def _write_now(self) -> None:
        try:
            written = os.write(self._fd, self._unsent)
        except BlockingIOError:
            written = 0
        except OSError as error:
            self._lose(f"writing failed: {error.strerror}")
            return
        del self._unsent[:written]
        if self._unsent:
            self._loop.add_writer(self._fd, self._write_now)
        else:
            self._loop.remove_writer(self._fd)

    def _lose(self, reason: str) -> None:
        self._inbox.lose(reason)
        self._stop_reading()
        self._loop.remove_writer(self._fd)


def _is_gone(fd: int) -> bool:
    """Return whether a port that gave no bytes is unplugged. A false wake-up looks the same without this poll."""
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return any(events & (_GONE | select.POLLIN) for _, events in poll.poll(0))


def _close(port: serial.Serial) -> None:
    with suppress(termios.error):
        termios.tcflush(port.fileno(), termios.TCIOFLUSH)
    with suppress(OSError):
        port.close()


async def open_serial(address: SerialAddress, line: LineSettings, clock: Clock) -> SerialTransport:
    """Open and set a port. Raise SetupError or LinkError."""
    loop = asyncio.get_running_loop()
    opening = loop.run_in_executor(None, _open, address.path, line)
    try:
        port = await finish_despite_cancel(opening)
    except asyncio.CancelledError:
        if opening.exception() is None:
            await finish_despite_cancel(loop.run_in_executor(None, _close, opening.result()))
        raise
    return SerialTransport(port, clock)


def _open(path: str, line: LineSettings) -> serial.Serial:
    port = serial.Serial(baudrate=line.baud, timeout=0, exclusive=True)
    port.port, port.dtr, port.rts = path, line.dtr, line.rts
    try:
        port.open()
    except (OSError, termios.error, ValueError) as error:  # pyserial's own error is an OSError
        port.close()
        raise _named(path, line, error) from error
    return port


def _named(path: str, line: LineSettings, error: Exception) -> Exception:
    number = getattr(error, "errno", None)
    problem = _PROBLEMS.get(number) if isinstance(number, int) else None
    if problem is not None:
        return SetupError(problem(path))
    if isinstance(error, ValueError) or number == errno.EINVAL:
        wrong = f"{path} cannot be set to {line.baud} baud."
        return SetupError(SetupProblem(SetupCode.LINE_SETTINGS, wrong, "Choose the profile that fits the adapter."))
    if number is None or number == errno.ENOTTY:
        return SetupError(_not_a_port(path))
    return LinkError(f"{path}: {error}")


def _not_a_port(path: str) -> SetupProblem:
    return SetupProblem(
        SetupCode.NOT_A_PORT,
        f"{path} is not a serial port.",
        "Choose a port that `ls /dev/serial/by-id` shows.",
    )


def _missing(path: str) -> SetupProblem:
    remedy = "Plug the device in, or choose a port that `ls /dev/serial/by-id` shows."
    return SetupProblem(SetupCode.NO_SUCH_PORT, f"The port {path} does not exist.", remedy)


def _denied(path: str) -> SetupProblem:
    """Name the missing group. The unit has dialout: so the port has another group, or feltd was started by hand."""
    try:
        entry = Path(path).stat()
        user, group = pwd.getpwuid(os.geteuid()).pw_name, grp.getgrgid(entry.st_gid).gr_name
    except (OSError, KeyError):
        wrong = f"This user may not open {path}."
        return SetupProblem(SetupCode.PERMISSION_DENIED, wrong, "Give the port to a group that this user is in.")
    wrong = f"The user {user} may not open {path}."
    if entry.st_gid and entry.st_mode & _GROUP_MAY == _GROUP_MAY:
        remedy = f"Add the user to the port's group (usermod -aG {group} {user}), and start feltd again."
    else:
        remedy = f"Give the port to the group dialout with mode 0660 in a udev rule; it belongs to {group} now."
    return SetupProblem(SetupCode.PERMISSION_DENIED, wrong, remedy)


def _busy(path: str) -> SetupProblem:
    port = Path(path).resolve()
    if holds_itself(port):
        remedy = "Give each device a port of its own: two devices of this table have the same port under two names."
        return SetupProblem(SetupCode.PORT_BUSY, f"feltd itself has {path} open already ({port}).", remedy)
    others = ", ".join(map(str, holders(port)))
    wrong = f"Another program has {path} open{': ' + others if others else ''}."
    remedy = f"Stop it{'' if others else f'; as root, `fuser -v {port}` names it'}."
    return SetupProblem(SetupCode.PORT_BUSY, wrong, remedy)


_PROBLEMS: Final[Mapping[int, Callable[[str], SetupProblem]]] = {
    errno.ENOENT: _missing,
    errno.ENXIO: _missing,
    errno.ENODEV: _missing,
    errno.EACCES: _denied,
    errno.EPERM: _denied,
    errno.EBUSY: _busy,
    errno.EWOULDBLOCK: _busy,
    errno.EISDIR: _not_a_port,
}
