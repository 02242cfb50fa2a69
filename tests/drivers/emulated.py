"""Drivers against emulated devices: the port that both meet on, and what the driver made of it."""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, nullcontext
from pathlib import Path
from typing import TypeAlias

from drivers import events as e
from drivers.addresses import SerialAddress, UsbAddress, parse_address
from drivers.device import Device, OpenTransport
from drivers.errors import SetupCode, SetupError, SetupProblem
from drivers.profile import DeviceSettings, Profile
from drivers.transports import open_transport
from drivers.transports.base import Clock, Transport
from drivers.transports.memory import MemoryTransport
from drivers.transports.usb import open_usb
from protocols.cards import Face
from sim_hardware.loop import run as run_virtually
from sim_hardware.ports import MemoryPort, Port, PtyPort, TcpPort
from sim_hardware.program import Served
from sim_hardware.usb_port import UsbKind, UsbPort
from tests.drivers.usb_threads import usb_threads
from tests.drivers.ways import PATIENCE_S, open_files, stamp, stamp_at
from tests.sim_hardware.free_port import free_port
from tests.support.device_server import DeviceServer
from tests.support.usb_backend import EmulatedBus

SERIAL = "SIM-USB-1"


Deliver: TypeAlias = Callable[[bytes], None]
Weather: TypeAlias = Callable[[bytes, Deliver], None]
"""What a line makes of bytes on their way in one direction."""


class Meeting:
    """A port for an emulated device, and how a driver opens it."""

    def __init__(self, port: Port, opening: OpenTransport = open_transport, server: DeviceServer | None = None) -> None:
        self.port = port
        self.opening = opening
        self.server = server

    @asynccontextmanager
    async def there(self) -> AsyncIterator[Meeting]:
        """With the device server, where there is one."""
        with nothing_left():
            async with nullcontext() if self.server is None else self.server.serving():
                yield self


def sound(data: bytes, deliver: Deliver) -> None:
    """As it was said."""
    deliver(data)


def byte_by_byte(data: bytes, deliver: Deliver) -> None:
    """As a slow line is read."""
    for byte in data:
        deliver(bytes((byte,)))


def repeating(data: bytes, deliver: Deliver) -> None:
    """Everything twice."""
    deliver(data)
    deliver(data)


class Delaying:
    """Everything later, in its order."""

    DELAY_S = 0.3  # longer than a request for what is missing waits before it is said again

    def __init__(self) -> None:
        self._under_way: deque[bytes] = deque()

    def __call__(self, data: bytes, deliver: Deliver) -> None:
        self._under_way.append(data)
        asyncio.get_running_loop().call_later(self.DELAY_S, lambda: deliver(self._under_way.popleft()))


class Losing:
    """Every fifth of it never arrives, by chance."""

    def __init__(self) -> None:
        self._chance = random.Random(7)

    def __call__(self, data: bytes, deliver: Deliver) -> None:
        if self._chance.random() >= 0.2:
            deliver(data)


def on_memory(weather: Callable[[], Weather] = lambda: sound) -> Meeting:
    """No kernel; a weather of its own in each direction."""
    port = MemoryPort()
    there, back = weather(), weather()

    async def opening(settings: DeviceSettings, clock: Clock) -> Transport:
        if not port.is_plugged:
            raise SetupError(SetupProblem(SetupCode.NO_SUCH_PORT, "There is no port.", "Plug it in."))
        transport = MemoryTransport(clock, lambda data: there(data, port.carry))
        port.far.on_data = lambda data: back(data, transport.deliver)
        port.far.on_unplugged = lambda: transport.cut("unplugged")
        return transport

    return Meeting(port, opening)


def on_a_tty(folder: Path) -> Meeting:
    """A pseudo-terminal."""
    return Meeting(PtyPort(folder / "tty"))


def behind_a_device_server(folder: Path) -> Meeting:
    """Raw TCP."""
    return Meeting(TcpPort(free_port()))


def on_usb(folder: Path) -> Meeting:
    """Bulk and interrupt endpoints, with pyusb and its threads; the kernel's part is the emulated bus."""
    bus = EmulatedBus()

    async def opening(settings: DeviceSettings, clock: Clock) -> Transport:
        assert isinstance(settings.address, UsbAddress)
        return await open_usb(settings.address, lambda: stamp_at(time.monotonic_ns()), bus)

    return Meeting(UsbPort(UsbKind.FELT_LINK, SERIAL, bus), opening)


def behind_a_settable_device_server(folder: Path) -> Meeting:
    """RFC 2217, pyserial's own server at the other end, and a tty behind it."""
    return Meeting(PtyPort(folder / "tty"), server=DeviceServer(folder / "tty", free_port()))


IN_VIRTUAL_TIME: Mapping[str, Callable[[], Weather]] = {
    "memory": lambda: sound,
    "byte-by-byte": lambda: byte_by_byte,
    "repeating": lambda: repeating,
    "delayed": Delaying,
    "lossy": Losing,
}
IN_REAL_TIME: Mapping[str, Callable[[Path], Meeting]] = {
    "pty": on_a_tty,
    "tcp": behind_a_device_server,
    "rfc2217": behind_a_settable_device_server,
    "usb": on_usb,
}


def meet(where: str, folder: Path, story: Callable[[Meeting], Coroutine[object, object, None]]) -> None:
    """Play a story over one of these ways, in the time that it takes there or in none."""

    async def played(make: Callable[[], Meeting]) -> None:
        async with make().there() as meeting:
            await story(meeting)

    if where in IN_REAL_TIME:
        asyncio.run(played(lambda: IN_REAL_TIME[where](folder)))
    else:
        run_virtually(played(lambda: on_memory(IN_VIRTUAL_TIME[where])))


class Listener:
    """What the driver made of a device; what has a receipt is acknowledged at once."""

    def __init__(self) -> None:
        self.reports: list[e.DeviceReport] = []
        self.device: Device | None = None
        self.acknowledges = True
        self._news = asyncio.Event()

    def take(self, report: e.DeviceReport) -> None:
        self.reports.append(report)
        if report.receipt is not None and self.device is not None and self.acknowledges:
            self.device.acknowledge(report.receipt)
        self._news.set()

    @property
    def events(self) -> list[e.DeviceEvent]:
        return [report.event for report in self.reports]

    @property
    def faces(self) -> list[Face]:
        return [event.face for event in self.events if isinstance(event, e.CardDrawn)]

    def of(self, *kinds: type[e.DeviceEvent]) -> list[e.DeviceEvent]:
        return [event for event in self.events if isinstance(event, kinds)]

    def count(self, kind: type[e.DeviceEvent]) -> int:
        return len(self.of(kind))

    async def until(self, is_so: Callable[[], bool]) -> None:
        async with asyncio.timeout(6 * PATIENCE_S):  # a lossy line needs some of it, in virtual time
            while not is_so():
                self._news.clear()
                await self._news.wait()


def settings_for(
    rig: Served, profile: Profile, serial: str | None = None, meeting: Meeting | None = None
) -> DeviceSettings:
    """This device, as a configuration names it."""
    where = rig.address if meeting is None or meeting.server is None else meeting.server.address
    address = SerialAddress("/dev/memory") if where == "memory:" else parse_address(where)
    return DeviceSettings(e.DeviceName("device"), address, profile, serial)


@asynccontextmanager
async def driven(
    settings: DeviceSettings, opening: OpenTransport = open_transport, resume_from: e.Receipt | None = None
) -> AsyncIterator[Listener]:
    """A driver at work on a device that is there."""
    heard = Listener()
    heard.device = Device(settings, emit=heard.take, stamp=stamp, open_transport=opening, resume_from=resume_from)
    running = asyncio.create_task(heard.device.run())
    try:
        yield heard
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


@asynccontextmanager
async def started(rig: Served) -> AsyncIterator[None]:
    """The device is there."""
    await rig.start()
    try:
        yield
    finally:
        await rig.stop()


@contextmanager
def nothing_left() -> Iterator[None]:
    """Whatever is opened inside is closed at the end of it."""
    before = [*open_files(), *usb_threads()]
    yield
    left = [*open_files(), *usb_threads()]
    assert left == before, left
