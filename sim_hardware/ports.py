"""Where an emulated device is plugged in: a pseudo-terminal, a TCP port as a device server has it, or memory.

A port tells its user when the line is there, what came over it, and when it is gone. It behaves as a line without flow
control: bytes that the host does not take are lost, and the protocol above has to repair that. `unplug` and `replug`
are what a technician does with the cable.
"""

from __future__ import annotations

import asyncio
import contextlib
import grp
import os
import tty
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

READ_BYTES: Final = 65_536
BACKLOG_BYTES_MAX: Final = 65_536
"""What a device server keeps for a client that does not read: more than any burst of a sound device."""


class PortUser(Protocol):
    """The emulated device, as a port sees it."""

    def on_plugged(self) -> None:
        """Note that there is a line now."""

    def on_data(self, data: bytes) -> None:
        """Take bytes that the host wrote."""

    def on_unplugged(self) -> None:
        """Note that the line is gone."""


class Port(Protocol):
    """One place to plug in."""

    @property
    def address(self) -> str:
        """Return the address for feltd's configuration."""

    async def open(self, user: PortUser) -> None:
        """Make the port, until `close`."""

    def write(self, data: bytes) -> None:
        """Send bytes to the host. Bytes that it does not take are lost."""

    def unplug(self) -> None:
        """Pull the plug. Idempotent."""

    def replug(self) -> None:
        """Put the plug back. Idempotent."""

    async def close(self) -> None:
        """Remove the port, and leave nothing behind."""


class PtyPort:
    """A real tty under a name of its own, as udev's by-id links are.

    The port keeps a slave open, because a master without one reads an error. Unplugging closes both, and the host's tty
    hangs up. Plugging in makes a new tty under the same name.
    """

    def __init__(self, link: Path) -> None:
        self.link: Final = link
        self._user: PortUser | None = None
        self._ends: tuple[int, int] | None = None

    @property
    def address(self) -> str:
        return f"serial:{self.link}"

    async def open(self, user: PortUser) -> None:
        if self.link.exists() and not self.link.is_symlink():
            raise FileExistsError(f"{self.link} exists and is not a link: give another name to --pty")
        if not self.link.parent.is_dir():
            raise FileNotFoundError(f"the directory {self.link.parent} does not exist: give another name to --pty")
        if not os.access(self.link.parent, os.W_OK):
            raise PermissionError(f"this user may not write into {self.link.parent}: give another name to --pty")
        self._user = user
        self.replug()

    def write(self, data: bytes) -> None:
        if self._ends is not None:
            with contextlib.suppress(BlockingIOError):
                os.write(self._ends[0], data)

    def unplug(self) -> None:
        if self._ends is None:
            return
        (master, slave), self._ends = self._ends, None
        asyncio.get_running_loop().remove_reader(master)
        self._remove_link_to(os.ttyname(slave))
        os.close(slave)
        os.close(master)
        if self._user is not None:
            self._user.on_unplugged()

    def replug(self) -> None:
        if self._ends is not None or self._user is None:
            return
        master, slave = os.openpty()
        tty.setraw(slave)
        _give_to_dialout(slave)
        os.set_blocking(master, False)
        self._ends = master, slave
        self._point_link_at(os.ttyname(slave))
        asyncio.get_running_loop().add_reader(master, self._on_readable, master)
        self._user.on_plugged()

    async def close(self) -> None:
        self.unplug()
        self._user = None

    def _point_link_at(self, device: str) -> None:
        """Point the link at a device in one step, so that a host never finds half a link."""
        fresh = self.link.with_name(f".{self.link.name}.{os.getpid()}")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(device)
        fresh.replace(self.link)

    def _remove_link_to(self, device: str) -> None:
        """Remove the link, unless another emulator took it over or a person removed it."""
        with contextlib.suppress(OSError):
            if str(self.link.readlink()) == device:
                self.link.unlink()

    def _on_readable(self, master: int) -> None:
        with contextlib.suppress(BlockingIOError):
            data = os.read(master, READ_BYTES)
            if self._user is not None:
                self._user.on_data(data)


def _give_to_dialout(slave: int) -> None:
    """Let feltd's unit open the tty, as udev does with real ports. A user without that right keeps the tty."""
    with contextlib.suppress(KeyError, PermissionError):
        os.fchown(slave, -1, grp.getgrnam("dialout").gr_gid)
        os.fchmod(slave, 0o660)


CLIENTS_MAX: Final = 4
"""As many as common device servers admit. Such a server can also be set to one."""


class TcpPort:
    """A serial device server. All its clients hear the device, and the device hears all of them, as on a shared cable.

    The device notices the first client that comes and the last that goes. A client beyond the limit takes the place of
    the oldest, which may have died unnoticed.
    """

    def __init__(self, port: int, host: str = "127.0.0.1", *, clients_max: int = CLIENTS_MAX) -> None:
        self._clients_max: Final = clients_max
        self._host: Final = host
        self._port = port
        self._user: PortUser | None = None
        self._server: asyncio.Server | None = None
        self._clients: Final[list[_Client]] = []
        self._is_wanted = False
        self._replugging: asyncio.Task[None] | None = None

    @property
    def address(self) -> str:
        return f"tcp:{self._host}:{self._port}"

    async def open(self, user: PortUser) -> None:
        self._user, self._is_wanted = user, True
        try:
            await self._listen()
        except OSError as error:
            why = os.strerror(error.errno) if error.errno else str(error)
            raise OSError(f"TCP port {self._port} cannot be had ({why}): give another to --tcp") from error

    def write(self, data: bytes) -> None:
        for client in self._clients:
            client.write(data)

    def unplug(self) -> None:
        """Fail the device server's own power: drop its clients, and answer none."""
        self._is_wanted = False
        if self._server is not None:
            self._server.close()
            self._server = None
        for client in tuple(self._clients):
            self._drop(client)

    def replug(self) -> None:
        if not self._is_wanted and self._user is not None:
            self._is_wanted = True
            self._replugging = asyncio.get_running_loop().create_task(self._listen())

    async def close(self) -> None:
        if self._replugging is not None:
            await self._replugging
        self.unplug()
        self._user = None
        await asyncio.sleep(0)  # an aborted connection is only gone after one round of the loop

    async def _listen(self) -> None:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            lambda: _Client(self._came, self._said, self._went), self._host, self._port
        )
        self._port = self._server.sockets[0].getsockname()[1]
        if not self._is_wanted:
            self.unplug()

    def _came(self, client: _Client) -> None:
        if len(self._clients) >= self._clients_max:
            self._drop(self._clients[0])
        self._clients.append(client)
        if len(self._clients) == 1 and self._user is not None:
            self._user.on_plugged()

    def _said(self, client: _Client, data: bytes) -> None:
        if client in self._clients and self._user is not None:
            self._user.on_data(data)

    def _drop(self, client: _Client) -> None:
        client.abort()
        self._went(client)

    def _went(self, client: _Client) -> None:
        if client in self._clients:
            self._clients.remove(client)
            if not self._clients and self._user is not None:
                self._user.on_unplugged()


class _Client(asyncio.Protocol):
    """One client of the device server."""

    def __init__(
        self,
        came: Callable[[_Client], None],
        said: Callable[[_Client, bytes], None],
        went: Callable[[_Client], None],
    ) -> None:
        self._came, self._said, self._went = came, said, went
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if isinstance(transport, asyncio.Transport):
            self._transport = transport
            self._came(self)

    def data_received(self, data: bytes) -> None:
        self._said(self, data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._went(self)

    def write(self, data: bytes) -> None:
        if self._transport is not None and self._transport.get_write_buffer_size() < BACKLOG_BYTES_MAX:
            self._transport.write(data)

    def abort(self) -> None:
        if self._transport is not None:
            self._transport.abort()


class FarEnd:
    """The host's end of a line in memory. Its owner replaces the three functions with its own."""

    def __init__(self, port: MemoryPort) -> None:
        self._port: Final = port
        self.on_plugged: Callable[[], None] = lambda: None
        self.on_data: Callable[[bytes], None] = lambda _data: None
        self.on_unplugged: Callable[[], None] = lambda: None

    @property
    def is_plugged(self) -> bool:
        return self._port.is_plugged

    def write(self, data: bytes) -> None:
        """Send bytes to the device."""
        self._port.carry(data)


class MemoryPort:
    """A line inside one program: for virtual time, and for a bench without a tty.

    Everything arrives in a later callback, in the order in which it was sent, also in a loop that shuffles its
    callbacks. Bytes that are under way when the plug is pulled do not arrive.
    """

    def __init__(self) -> None:
        self.far: Final = FarEnd(self)
        self.is_plugged = False
        self._user: PortUser | None = None
        self._under_way: Final[deque[Callable[[], None]]] = deque()
        self._is_due = False

    @property
    def address(self) -> str:
        return "memory:"

    async def open(self, user: PortUser) -> None:
        self._user = user
        self.replug()

    def write(self, data: bytes) -> None:
        if self.is_plugged:
            self._later(lambda: self.far.on_data(data))

    def carry(self, data: bytes) -> None:
        """Carry bytes from the host's end to the device."""
        user = self._user
        if self.is_plugged and user is not None:
            self._later(lambda: user.on_data(data))

    def unplug(self) -> None:
        if self.is_plugged and self._user is not None:
            self.is_plugged = False
            self._under_way.clear()
            self._later(self.far.on_unplugged)
            self._user.on_unplugged()

    def replug(self) -> None:
        if not self.is_plugged and self._user is not None:
            self.is_plugged = True
            self._later(self.far.on_plugged)
            self._user.on_plugged()

    async def close(self) -> None:
        self.unplug()
        self._user = None

    def _later(self, deliver: Callable[[], None]) -> None:
        self._under_way.append(deliver)
        if not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self._deliver)

    def _deliver(self) -> None:
        """Deliver what is under way. What is sent in answer goes with the next callback."""
        self._is_due = False
        for _ in range(len(self._under_way)):
            if self._under_way:
                self._under_way.popleft()()
