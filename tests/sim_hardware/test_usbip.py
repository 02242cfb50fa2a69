"""The USB/IP server against a client written out in bytes, as Documentation/usb/usbip_protocol.rst has them."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest

from sim_hardware.usb_port import UsbKind, UsbPort
from sim_hardware.usbip import TRANSFER_BYTES_MAX, UsbipServer
from tests.sim_hardware.usbip_client import ASK_IMPORT, IN_TIME_S, Client

ASK_LIST = bytes.fromhex("0111 8005 00000000")
REFUSED = bytes.fromhex("0111 0003 00000001")
EPIPE, ECONNRESET = -32, -104


@dataclass
class Program:
    """What the device's program was told, in order."""

    told: list[str | bytes] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def on_plugged(self) -> None:
        self._tell("plugged")

    def on_data(self, data: bytes) -> None:
        self._tell(data)

    def on_unplugged(self) -> None:
        self._tell("unplugged")

    def _tell(self, what: str | bytes) -> None:
        self.told.append(what)
        self.news.set()

    async def until(self, told: list[str | bytes]) -> None:
        async with asyncio.timeout(IN_TIME_S):
            while self.told != told:
                self.news.clear()
                await self.news.wait()


@dataclass
class Bench:
    server: UsbipServer
    port: UsbPort
    program: Program
    clients: list[Client] = field(default_factory=list)

    async def client(self) -> Client:
        client = Client(*await asyncio.open_connection("127.0.0.1", self.server.port))
        self.clients.append(client)
        return client

    async def configured(self) -> Client:
        client = await self.client()
        await client.attach()
        await client.configure()
        return client


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    server, program = UsbipServer(), Program()
    port = UsbPort(UsbKind.FELT_LINK, "SHOE-1", server)
    await port.open(program)
    bench = Bench(server, port, program)
    yield bench
    await port.close()
    for client in bench.clients:
        client.writer.close()


async def test_the_list_names_the_device_and_its_interface(bench: Bench) -> None:
    client = await bench.client()
    client.writer.write(ASK_LIST)
    assert await client.take(12) == bytes.fromhex("0111 0005 00000000 00000001")
    device = await client.take(312)
    assert device[256:288].rstrip(b"\0") == b"1-1"
    assert device[288:].hex(" ", 4) == "00000001 00000001 00000003 12090001 01000000 00010101"
    assert await client.take(4) == bytes.fromhex("ff464c00")


async def test_a_device_that_is_unplugged_is_not_listed(bench: Bench) -> None:
    bench.port.unplug()
    client = await bench.client()
    client.writer.write(ASK_LIST)
    assert await client.take(12) == bytes.fromhex("0111 0005 00000000 00000000")


async def test_bytes_go_both_ways_after_the_import(bench: Bench) -> None:
    client = await bench.configured()
    client.submit(2, 2, data=b"to the device")
    assert await client.answer() == (3, 2, 0, b"")
    assert bench.program.told == ["plugged", b"to the device"]
    client.submit(3, 3, room=8)
    client.submit(4, 1, room=512)
    bench.port.write(b"to the host")
    assert await client.answer(is_in=True) == (3, 3, 0, b"\x0b\x00\x00\x00")
    assert await client.answer(is_in=True) == (3, 4, 0, b"to the host")


async def test_a_descriptor_is_read_over_the_wire(bench: Bench) -> None:
    client = await bench.client()
    await client.attach()
    client.submit(1, 0, room=18, setup=bytes.fromhex("8006000100001200"))
    assert await client.answer(is_in=True) == (3, 1, 0, bench.port.device.descriptors.device())
    client.submit(2, 0, room=10, setup=bytes.fromhex("8006000600000a00"))  # a device qualifier, which it has not
    assert await client.answer(is_in=True) == (3, 2, EPIPE, b"")


async def test_a_transfer_is_taken_back_once(bench: Bench) -> None:
    client = await bench.configured()
    client.submit(2, 1, room=512)
    client.unlink(3, 2)
    assert await client.answer() == (4, 3, ECONNRESET, b"")
    client.unlink(4, 2)
    assert await client.answer() == (4, 4, 0, b"")
    bench.port.write(b"kept for the next")
    client.submit(5, 1, room=512)
    assert await client.answer(is_in=True) == (3, 5, 0, b"kept for the next")


async def test_one_client_at_a_time(bench: Bench) -> None:
    first, second = await bench.configured(), await bench.client()
    second.writer.write(ASK_IMPORT)
    assert await second.take(8) == REFUSED
    first.writer.close()
    await bench.program.until(["plugged", "unplugged"])
    await second.attach()


async def test_a_client_that_goes_has_pulled_the_plug(bench: Bench) -> None:
    client = await bench.configured()
    client.writer.close()
    await bench.program.until(["plugged", "unplugged"])


async def test_unplugging_cuts_the_client_off_and_plugging_in_again_serves_the_next(bench: Bench) -> None:
    client = await bench.configured()
    client.submit(2, 1, room=512)
    bench.port.unplug()
    assert await client.is_cut()
    assert bench.program.told == ["plugged", "unplugged"]
    bench.port.replug()
    await bench.configured()
    assert bench.program.told == ["plugged", "unplugged", "plugged"]


@pytest.mark.parametrize(
    "rubbish",
    [
        bytes.fromhex("0106 8005 00000000"),  # the version before
        bytes.fromhex("0111 8006 00000000"),
        b"GET / HTTP/1.1\r\n\r\n",
    ],
)
async def test_a_client_that_speaks_something_else_is_dropped(bench: Bench, rubbish: bytes) -> None:
    client = await bench.client()
    client.writer.write(rubbish)
    assert await client.is_cut()
    await bench.configured()


@pytest.mark.parametrize("length", [-1, TRANSFER_BYTES_MAX + 1])
async def test_a_transfer_of_an_impossible_length_ends_the_connection(bench: Bench, length: int) -> None:
    client = await bench.configured()
    client.writer.write(struct.pack(">5IIi20x", 1, 2, 0x10001, 0, 2, 0, length))
    assert await client.is_cut()
    await bench.program.until(["plugged", "unplugged"])


async def test_a_command_that_is_none_ends_the_connection(bench: Bench) -> None:
    client = await bench.configured()
    client.writer.write(struct.pack(">I44x", 9))
    assert await client.is_cut()


def test_the_address_is_what_udev_calls_it() -> None:
    server = UsbipServer()
    assert [UsbPort(kind, "N1", server).address for kind in UsbKind] == [
        "usb:1209:0001:N1",
        "serial:/dev/serial/by-id/usb-feltd_emulator_serial_port_N1-if00",
        "serial:/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_N1-if00-port0",
    ]
