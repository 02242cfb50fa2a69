"""The transport for settable device servers, with pyserial's own server and a real tty at the other end."""

from __future__ import annotations

import asyncio
import os
import pty
import tty
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from drivers.addresses import Rfc2217Address
from drivers.errors import LinkError, SetupCode, SetupError
from drivers.profile import LineSettings
from drivers.transports import rfc2217
from drivers.transports.rfc2217 import Rfc2217Transport, open_rfc2217
from tests.drivers.emulated import nothing_left
from tests.drivers.ways import stamp
from tests.sim_hardware.free_port import free_port
from tests.support.device_server import DeviceServer
from tests.support.sentences import Says

EVERY_BYTE = bytes(range(256))
SHOE_LINE = LineSettings(baud=4_800, dtr=True, rts=False)


@dataclass
class Pit:
    """A device server with a device on its serial side."""

    server: DeviceServer
    device: int  # the descriptor at which the device speaks and hears
    address: Rfc2217Address

    async def open(self) -> Rfc2217Transport:
        return await open_rfc2217(self.address, SHOE_LINE, stamp)

    async def heard(self, size: int) -> bytes:
        """What arrived at the device."""
        data = b""
        async with asyncio.timeout(60):
            while len(data) < size:
                data += await asyncio.to_thread(os.read, self.device, size)
        return data


@pytest.fixture
async def pit(tmp_path: Path) -> AsyncIterator[Pit]:
    with nothing_left():
        master, slave = pty.openpty()
        tty.setraw(slave)
        port = free_port()
        async with DeviceServer(Path(os.ttyname(slave)), port).serving() as server:
            yield Pit(server, master, Rfc2217Address("127.0.0.1", port))
        os.close(slave)
        os.close(master)


async def read(transport: Rfc2217Transport, size: int) -> bytes:
    data = b""
    async with asyncio.timeout(60):
        while len(data) < size:
            data += (await transport.read()).data
    return data


async def test_the_port_is_set_as_the_profile_says_before_it_is_open(pit: Pit) -> None:
    transport = await pit.open()
    port = pit.server.serial
    assert port is not None
    assert (port.baudrate, port.bytesize, port.parity, port.stopbits) == (4_800, 8, "N", 1)
    assert (port.dtr, port.rts, port.xonxoff, port.rtscts) == (True, False, False, False)
    await transport.close()


async def test_every_byte_arrives_as_it_is_in_both_directions(pit: Pit) -> None:
    transport = await pit.open()
    os.write(pit.device, EVERY_BYTE)
    assert await read(transport, len(EVERY_BYTE)) == EVERY_BYTE
    transport.write(EVERY_BYTE)
    assert await pit.heard(len(EVERY_BYTE)) == EVERY_BYTE
    await transport.close()


async def test_opening_writes_nothing_to_the_device(pit: Pit) -> None:
    transport = await pit.open()
    transport.write(b"first")
    assert await pit.heard(1) == b"f"
    await transport.close()


async def test_a_server_that_hangs_up_is_a_lost_link(pit: Pit, says: Says) -> None:
    transport = await pit.open()
    assert pit.server.serial is not None
    pit.server.hang_up()
    with pytest.raises(LinkError) as raised:
        await read(transport, 1)
    says(raised.value)
    await transport.close()


async def test_nobody_there_is_left_to_time() -> None:
    with pytest.raises(LinkError, match="Connect call failed"):
        await open_rfc2217(Rfc2217Address("127.0.0.1", free_port()), SHOE_LINE, stamp)


async def test_a_server_that_cannot_set_the_speed_is_for_a_technician(pit: Pit, says: Says) -> None:
    pit.server.baud_max = 2_400
    with pytest.raises(SetupError) as refused:
        await pit.open()
    problem = refused.value.problem
    assert problem.code is SetupCode.LINE_SETTINGS
    says(problem.problem)
    assert "tcp:host:port" in problem.remedy


async def test_a_port_that_is_raw_tcp_is_named_as_what_it_may_be(monkeypatch: pytest.MonkeyPatch, says: Says) -> None:
    monkeypatch.setattr(rfc2217, "AGREE_S_MAX", 0.2)
    hung_up = asyncio.Event()

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionResetError):
            await reader.read()
        writer.close()
        hung_up.set()

    server = await asyncio.start_server(say_nothing, "127.0.0.1", free_port())
    host, port = server.sockets[0].getsockname()
    with pytest.raises(SetupError) as refused:
        await open_rfc2217(Rfc2217Address(host, port), SHOE_LINE, stamp)
    assert refused.value.problem.code is SetupCode.NOT_A_PORT
    says(refused.value.problem.remedy)
    await hung_up.wait()
    server.close()
    await server.wait_closed()


async def test_an_opening_that_is_cancelled_leaves_nothing_open(pit: Pit) -> None:
    opening = asyncio.create_task(pit.open())
    await asyncio.sleep(0)
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
