"""The USB transport over emulated devices behind pyusb's backend: bytes, accidents, unplugging, closing."""

from __future__ import annotations

import asyncio
import errno
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

import pytest

from drivers.addresses import UsbAddress
from drivers.errors import LinkError
from drivers.events import Stamp
from drivers.transports.base import BACKLOG_BYTES_MAX
from drivers.transports.usb import UsbTransport, open_usb
from drivers.transports.usb_bus import ACCIDENTS_MAX, NOTICE_MS, READ_BYTES
from sim_hardware.usb_descriptors import BULK_IN, BULK_OUT, FELT_LINK_PRODUCT, NOTICE_IN, TEST_VENDOR
from sim_hardware.usb_port import UsbKind, UsbPort
from tests.drivers.usb_threads import usb_threads
from tests.support.usb_backend import EmulatedBus

ADDRESS = UsbAddress(TEST_VENDOR, FELT_LINK_PRODUCT, None)
IN_TIME_S = 60


@dataclass
class Program:
    """The emulated device's program: keeps what it is told."""

    heard: bytearray = field(default_factory=bytearray)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def on_plugged(self) -> None:
        self.news.set()

    def on_data(self, data: bytes) -> None:
        self.heard.extend(data)
        self.news.set()

    def on_unplugged(self) -> None:
        self.news.set()

    async def until(self, count: int) -> bytes:
        async with asyncio.timeout(IN_TIME_S):
            while len(self.heard) < count:
                self.news.clear()
                await self.news.wait()
        return bytes(self.heard)


@dataclass
class Bench:
    """One device on one bus, opened."""

    bus: EmulatedBus
    port: UsbPort
    program: Program
    transport: UsbTransport
    ticks: list[str]

    async def read(self, count: int) -> bytes:
        """Exactly so many bytes."""
        got = bytearray()
        async with asyncio.timeout(IN_TIME_S):
            while len(got) < count:
                got += (await self.transport.read()).data
        return bytes(got)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for something that a transfer brings about."""
        async with asyncio.timeout(IN_TIME_S):
            while not condition():
                await self.bus.transferred()


def make_clock(ticks: list[str]) -> Stamp:
    """Each stamp is another, and says in which thread it was made."""
    ticks.append(threading.current_thread().name)
    return Stamp(len(ticks), len(ticks))


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    bus, program, ticks = EmulatedBus(), Program(), list[str]()
    port = UsbPort(UsbKind.FELT_LINK, "SHOE-1", bus)
    await port.open(program)
    transport = await open_usb(ADDRESS, lambda: make_clock(ticks), bus)
    yield Bench(bus, port, program, transport, ticks)
    await transport.close()
    await port.close()
    assert bus.open_handles == 0
    assert usb_threads() == []


async def test_bytes_go_both_ways_whole_and_in_order(bench: Bench) -> None:
    said = bytes(range(256)) * 12  # more than one packet, less than the device keeps
    bench.port.write(said)
    assert await bench.read(len(said)) == said
    written = bytes(range(255, -1, -1)) * 64
    for start in range(0, len(written), 1000):
        bench.transport.write(written[start : start + 1000])
    assert await bench.program.until(len(written)) == written


async def test_a_chunk_is_stamped_once_in_the_thread_that_read_it(bench: Bench) -> None:
    bench.port.write(b"first")
    chunk = await bench.transport.read()
    bench.port.write(b"second")
    later = await bench.transport.read()
    assert [(chunk.data, chunk.at.mono_ns), (later.data, later.at.mono_ns)] == [(b"first", 1), (b"second", 2)]
    assert all(name.startswith("usb") for name in bench.ticks)


@pytest.mark.parametrize("length", [1, 511, 512, 513, READ_BYTES - 1, READ_BYTES])
async def test_every_length_around_a_packet_arrives(bench: Bench, length: int) -> None:
    bench.port.write(b"x" * length)
    assert await bench.read(length) == b"x" * length


async def test_a_lost_notice_delays_bytes_and_loses_none(bench: Bench) -> None:
    bench.bus.troubles.reading.append(errno.EOVERFLOW)  # the next read is of the interrupt endpoint, or follows it
    bench.port.write(b"nobody was told")
    assert await bench.read(15) == b"nobody was told"


@pytest.mark.parametrize("endpoint", [BULK_IN, NOTICE_IN])
async def test_a_stalled_endpoint_is_cleared_and_read_on(bench: Bench, endpoint: int) -> None:
    bench.port.device.halt(endpoint)
    bench.port.write(b"after the stall")
    assert await bench.read(15) == b"after the stall"


async def test_a_stalled_out_endpoint_is_cleared_and_written_on(bench: Bench) -> None:
    bench.port.device.halt(BULK_OUT)
    bench.transport.write(b"after the stall")
    assert await bench.program.until(15) == b"after the stall"


@pytest.mark.parametrize("number", [errno.EPIPE, errno.EOVERFLOW])
async def test_accidents_in_a_row_end_the_connection(bench: Bench, number: int) -> None:
    bench.bus.troubles.writing.extend([number] * (ACCIDENTS_MAX + 1))
    bench.transport.write(b"x")
    with pytest.raises(LinkError, match="endpoint 0x02 failed"):
        await bench.read(1)


@pytest.mark.parametrize("number", [errno.EIO, errno.EACCES])
async def test_an_error_that_is_no_accident_ends_the_connection_at_once(bench: Bench, number: int) -> None:
    bench.bus.troubles.reading.append(number)
    with pytest.raises(LinkError, match=r"endpoint 0x8\d failed"):
        await bench.read(1)


async def test_unplugging_is_told_after_what_came_before_it(bench: Bench) -> None:
    bench.port.write(b"last words")
    assert await bench.read(10) == b"last words"
    bench.port.unplug()
    with pytest.raises(LinkError, match=r"^unplugged$"):
        await bench.read(1)
    bench.transport.write(b"to nobody")  # does nothing


async def test_unplugged_and_plugged_in_again_it_is_opened_again(bench: Bench) -> None:
    bench.port.unplug()
    bench.port.replug()
    with pytest.raises(LinkError, match=r"^unplugged$"):
        await bench.read(1)
    again = await open_usb(ADDRESS, lambda: make_clock(bench.ticks), bench.bus)
    bench.port.write(b"back")
    assert (await again.read()).data == b"back"
    await again.close()


async def test_a_device_that_comes_and_goes_leaves_no_handle_and_no_thread(bench: Bench) -> None:
    await bench.transport.close()
    for number in range(10):
        bench.port.unplug()
        bench.port.replug()
        transport = await open_usb(ADDRESS, lambda: make_clock(bench.ticks), bench.bus)
        bench.port.write(b"%d" % number)
        assert (await transport.read()).data == b"%d" % number
        bench.port.unplug()
        with pytest.raises(LinkError, match=r"^unplugged$"):
            await transport.read()
        await transport.close()
        assert (bench.bus.open_handles, usb_threads()) == (0, [])


async def test_a_device_that_takes_no_bytes_ends_the_connection_when_the_backlog_is_full(bench: Bench) -> None:
    bench.port.device.is_deaf = True
    bench.transport.write(b"x" * BACKLOG_BYTES_MAX)
    bench.transport.write(b"x")
    with pytest.raises(LinkError, match="takes no bytes"):
        await bench.read(1)


async def test_a_device_that_was_deaf_for_longer_than_a_time_out_gets_every_byte_once(bench: Bench) -> None:
    bench.port.device.is_deaf = True
    bench.transport.write(b"patience")
    await bench.until(lambda: bench.bus.timed_out[BULK_OUT] > 0)
    bench.port.device.end_deafness()
    assert await bench.program.until(8) == b"patience"


async def test_what_nobody_takes_stays_in_the_device(bench: Bench) -> None:
    """Every chunk needs a place, and a place is free again when its chunk was taken."""
    device = bench.port.device
    for _ in range(BACKLOG_BYTES_MAX // READ_BYTES):
        bench.port.write(b"x")
        await bench.until(lambda: device.waiting == 0)
    bench.port.write(b"y")
    await asyncio.sleep(3 * NOTICE_MS / 1000)  # that nothing happens takes time to see
    assert device.waiting == 1
    await bench.transport.read()
    await bench.until(lambda: device.waiting == 0)
    assert (await bench.read(BACKLOG_BYTES_MAX // READ_BYTES)).endswith(b"xy")


async def test_closing_waits_for_both_threads_and_can_be_done_twice(bench: Bench) -> None:
    bench.port.device.is_deaf = True
    bench.transport.write(b"under way")
    await bench.transport.close()
    assert usb_threads() == []
    assert bench.bus.open_handles == 0
    await bench.transport.close()
    with pytest.raises(LinkError, match="closed"):
        await bench.transport.read()


async def test_a_cancelled_read_loses_nothing(bench: Bench) -> None:
    waiting = asyncio.create_task(bench.transport.read())
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    bench.port.write(b"kept")
    assert await bench.read(4) == b"kept"
