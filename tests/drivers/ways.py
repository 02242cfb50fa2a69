"""Every way to a device, with a cable that tests can pull; and the bench on which a `Device` runs over it."""

from __future__ import annotations

import asyncio
import os
import pty
import tempfile
import tty
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from drivers.addresses import Address, SerialAddress, TcpAddress
from drivers.device import Device, OpenTransport
from drivers.errors import LinkError, SetupCode, SetupError, SetupProblem
from drivers.events import DeviceEvent, DeviceName, DeviceReport, LinkUp, Receipt, Stamp
from drivers.profile import DeviceSettings, Profile
from drivers.profiles import PROFILES
from drivers.transports import open_transport
from drivers.transports.base import Clock, Transport
from drivers.transports.memory import MemoryTransport
from sim_hardware.loop import VirtualLoop
from tests.drivers.far_end import FarEnd, now_ns
from tests.sim_hardware.free_port import free_port

NAME = DeviceName("shuffler")
FACES = PROFILES["felt-link-shuffler-faces"]
PATIENCE_S = 40.0  # eight of the longest pauses between two attempts at a port: several may fail on a busy machine


def stamp() -> Stamp:
    return stamp_at(now_ns())


def stamp_at(mono_ns: int) -> Stamp:
    return Stamp(utc_ns=1_700_000_000_000_000_000 + mono_ns, mono_ns=mono_ns)


class Way(Protocol):
    """A line to a far end, with a plug."""

    far: FarEnd

    @property
    def address(self) -> Address: ...

    async def open(self, settings: DeviceSettings, clock: Clock) -> Transport: ...

    async def plug(self) -> None: ...

    async def unplug(self) -> None: ...

    def run(self, main: Callable[[Bench], Coroutine[object, object, None]]) -> None: ...


class MemoryWay:
    """No kernel, virtual time."""

    def __init__(self) -> None:
        self.far = FarEnd()
        self.address = SerialAddress("/dev/memory")
        self.opened = 0
        self.is_forbidden = False
        self.is_unreachable = False
        self._is_plugged = False
        self._transport: MemoryTransport | None = None

    async def open(self, settings: DeviceSettings, clock: Clock) -> Transport:
        if self.is_unreachable:
            raise LinkError("nobody answers")
        if not self._is_plugged:
            raise SetupError(SetupProblem(SetupCode.NO_SUCH_PORT, "There is no port.", "Plug it in."))
        if self.is_forbidden:
            raise SetupError(SetupProblem(SetupCode.PERMISSION_DENIED, "Not allowed.", "Allow it."))
        self.opened += 1
        loop = asyncio.get_running_loop()
        made = MemoryTransport(clock, lambda data: _soon(loop, self.far.hear, data), self.far.unplugged)
        self._transport = made
        self.far.plugged(lambda data: _soon(loop, made.deliver, data))
        return made

    async def plug(self) -> None:
        self._is_plugged = True

    async def unplug(self) -> None:
        self._is_plugged = False
        self.far.unplugged()
        if self._transport is not None:
            self._transport.cut("unplugged")

    def run(self, main: Callable[[Bench], Coroutine[object, object, None]]) -> None:
        with asyncio.Runner(loop_factory=VirtualLoop) as runner:
            runner.run(_on_bench(self, main))


def _soon(loop: asyncio.AbstractEventLoop, act: Callable[[bytes], None], data: bytes) -> None:
    loop.call_soon(act, data)


class RealWay:
    """What the ways through the kernel share."""

    def __init__(self) -> None:
        self.far = FarEnd()

    async def open(self, settings: DeviceSettings, clock: Clock) -> Transport:
        return await open_transport(settings, clock)

    async def unplug(self) -> None:
        raise NotImplementedError

    def run(self, main: Callable[[Bench], Coroutine[object, object, None]]) -> None:
        before = self.left_open()
        asyncio.run(_on_bench(self, main))  # type: ignore[arg-type]
        assert self.left_open() == before

    def left_open(self) -> list[str]:
        """What must be the same afterwards."""
        return open_files()


def open_files() -> list[str]:
    """What this process has open, without what looking itself opens."""
    found = []
    for entry in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            found.append(str(entry.readlink()))
    return sorted(path for path in found if "/proc/" not in path)


class PtyWay(RealWay):
    """A real tty, under a name that stays when the cable is pulled and plugged."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self.path = Path(self._folder.name) / "tty"
        self.address = SerialAddress(str(self.path))
        self._master: int | None = None

    async def plug(self) -> None:
        master, slave = pty.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        self.path.symlink_to(os.ttyname(slave))
        self._master, self._slave = master, slave
        asyncio.get_running_loop().add_reader(master, self._on_readable, master)
        self.far.plugged(lambda data: self._write(master, data))

    async def unplug(self) -> None:
        if self._master is None:
            return
        self.far.unplugged()
        self.path.unlink()
        asyncio.get_running_loop().remove_reader(self._master)
        os.close(self._slave)
        os.close(self._master)
        self._master = None

    def _on_readable(self, master: int) -> None:
        with suppress(BlockingIOError):
            self.far.hear(os.read(master, 4096))

    def _write(self, master: int, data: bytes) -> None:
        assert os.write(master, data) == len(data)

    def run(self, main: Callable[[Bench], Coroutine[object, object, None]]) -> None:
        try:
            super().run(main)
        finally:
            self._folder.cleanup()


class TcpWay(RealWay):
    """A device server: each client that connects is at the device."""

    def __init__(self) -> None:
        super().__init__()
        self.address = TcpAddress("127.0.0.1", free_port())
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Transport] = set()

    async def plug(self) -> None:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Served(self), self.address.host, self.address.port)

    async def unplug(self) -> None:
        if self._server is None:
            return
        self._server.close()
        for connection in tuple(self._connections):
            connection.abort()
        await self._server.wait_closed()
        self._server = None
        self.far.unplugged()


class _Served(asyncio.Protocol):
    def __init__(self, way: TcpWay) -> None:
        self._way = way

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._way._connections.add(transport)
        self._way.far.plugged(transport.write)

    def data_received(self, data: bytes) -> None:
        self._way.far.hear(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._way._connections.discard(self._transport)


class Lines:
    """What was logged."""

    def __init__(self, news: asyncio.Event) -> None:
        self.lines: list[str] = []
        self._news = news

    def info(self, event: str, **fields: object) -> None:
        self.lines.append(event)
        self._news.set()

    warning = info


class Bench:
    """A way, and the devices that run over it."""

    def __init__(self, way: Way, group: asyncio.TaskGroup) -> None:
        self.way = way
        self.far = way.far
        self.reports: list[DeviceReport] = []
        self._news = asyncio.Event()
        self.log = Lines(self._news)
        self.far.on_news = self._news.set
        self._group = group
        self._running: list[asyncio.Task[None]] = []

    def settings(self, profile: Profile = FACES, serial: str | None = None) -> DeviceSettings:
        return DeviceSettings(NAME, self.way.address, profile, serial)

    def start(self, settings: DeviceSettings | None = None, resume_from: Receipt | None = None) -> Device:
        """Begin to run a device; its reports are collected."""
        opening: OpenTransport = self.way.open
        device = Device(
            settings or self.settings(),
            emit=self._report,
            stamp=stamp,
            resume_from=resume_from,
            open_transport=opening,
            log=self.log,
        )
        self._running.append(self._group.create_task(device.run()))
        return device

    async def link(self) -> Device:
        """Plug the far end in and wait until a device has identified it."""
        await self.way.plug()
        device = self.start()
        await self.heard(LinkUp)
        return device

    def _report(self, report: DeviceReport) -> None:
        self.reports.append(report)
        self._news.set()

    async def stop(self) -> None:
        """End every device, as the daemon does when it ends."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        self._running.clear()

    @property
    def events(self) -> list[DeviceEvent]:
        return [report.event for report in self.reports]

    def of(self, *kinds: type[DeviceEvent]) -> list[DeviceEvent]:
        """The events of some kinds, in order."""
        return [event for event in self.events if isinstance(event, kinds)]

    async def until(self, is_so: Callable[[], object], patience_s: float = PATIENCE_S) -> None:
        """Wait for something that a report, a log line or the far end's hearing brings about."""
        async with asyncio.timeout(patience_s):
            while not is_so():
                self._news.clear()
                await self._news.wait()

    async def heard(self, *kinds: type[DeviceEvent], times: int = 1) -> None:
        """Wait for so many events of some kinds."""
        try:
            await self.until(lambda: len(self.of(*kinds)) >= times)
        except TimeoutError:
            raise AssertionError(f"{kinds} did not come {times} times: {self.events}") from None


async def _on_bench(way: Way, main: Callable[[Bench], Awaitable[None]]) -> None:
    async with asyncio.TaskGroup() as group:
        bench = Bench(way, group)
        try:
            await main(bench)
        finally:
            await bench.stop()
            await way.unplug()
    left = asyncio.all_tasks() - {asyncio.current_task()}
    assert not left, left


def in_virtual_time(scenario: Callable[[MemoryWay, Bench], Coroutine[object, object, None]]) -> Callable[[], None]:
    """Makes a test of a scenario over memory."""

    def test() -> None:
        way = MemoryWay()
        way.run(lambda bench: scenario(way, bench))

    return test


def over_every_way(scenario: Callable[[Way, Bench], Coroutine[object, object, None]]) -> Callable[[Way], None]:
    """Makes a test of a scenario, one for each way that the fixture `way` gives."""

    def test(way: Way) -> None:
        way.run(lambda bench: scenario(way, bench))

    return test


def renamed(profile: Profile, **changes: object) -> Profile:
    """A profile that differs in some way."""
    return replace(profile, **changes)  # type: ignore[arg-type]
