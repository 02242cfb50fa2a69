"""Ports: a real tty, a TCP port and memory each carry bytes both ways, come and go by the plug, and leave nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from sim_hardware.loop import run
from sim_hardware.ports import CLIENTS_MAX, FarEnd, MemoryPort, Port, PtyPort, TcpPort
from tests.sim_hardware.files import is_character_device, names_in, open_files
from tests.sim_hardware.free_port import free_port
from tests.sim_hardware.tty_end import TtyEnd
from tests.support.sentences import Says


class Device:
    """A port's user that writes down what it is told."""

    def __init__(self) -> None:
        self.heard = b""
        self.story: list[str] = []
        self.news = asyncio.Event()

    def on_plugged(self) -> None:
        self._tell("plugged")

    def on_data(self, data: bytes) -> None:
        self.heard += data
        self.news.set()

    def on_unplugged(self) -> None:
        self._tell("unplugged")

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not condition():
                self.news.clear()
                await self.news.wait()

    def _tell(self, what: str) -> None:
        self.story.append(what)
        self.news.set()


class TcpEnd:
    """The host's end of a TCP line, with the same three functions as the others."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._writer: asyncio.StreamWriter | None = None
        self._reading: asyncio.Task[None] | None = None
        self.on_data: Callable[[bytes], None] = lambda _data: None
        self.on_unplugged: Callable[[], None] = lambda: None

    async def open(self) -> None:
        reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._reading = asyncio.get_running_loop().create_task(self._read(reader))

    async def _read(self, reader: asyncio.StreamReader) -> None:
        try:
            while data := await reader.read(4096):
                self.on_data(data)
        except ConnectionError:
            pass
        self.on_unplugged()

    def write(self, data: bytes) -> None:
        assert self._writer is not None
        self._writer.write(data)

    async def close(self) -> None:
        if self._writer is not None and self._reading is not None:
            self._writer.transport.abort()
            await self._reading


class Listener:
    """What the host's end heard."""

    def __init__(self, far: FarEnd | TtyEnd | TcpEnd) -> None:
        self.data = b""
        self.hangups = 0
        self.news = asyncio.Event()
        far.on_data = self._on_data
        far.on_unplugged = self._on_unplugged

    def _on_data(self, data: bytes) -> None:
        self.data += data
        self.news.set()

    def _on_unplugged(self) -> None:
        self.hangups += 1
        self.news.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not condition():
                self.news.clear()
                await self.news.wait()


EVERY_BYTE = bytes(range(256))


async def test_a_tty_carries_every_byte_both_ways(tmp_path: Path) -> None:
    device, port = Device(), PtyPort(tmp_path / "tty")
    await port.open(device)
    assert port.address == f"serial:{tmp_path}/tty"
    assert is_character_device(tmp_path / "tty")
    end = TtyEnd(tmp_path / "tty")
    host = Listener(end)
    end.open()
    end.write(EVERY_BYTE)
    port.write(EVERY_BYTE)
    await device.until(lambda: device.heard == EVERY_BYTE)
    await host.until(lambda: host.data == EVERY_BYTE)
    end.close()
    await port.close()
    assert device.story == ["plugged", "unplugged"]
    assert names_in(tmp_path) == []


async def test_a_tty_hangs_up_when_unplugged_and_is_a_new_one_under_the_same_name(tmp_path: Path) -> None:
    device, port = Device(), PtyPort(tmp_path / "tty")
    await port.open(device)
    end = TtyEnd(tmp_path / "tty")
    host = Listener(end)
    end.open()
    port.unplug()
    port.unplug()
    await host.until(lambda: host.hangups == 1)
    assert not (tmp_path / "tty").exists()
    port.write(b"nobody hears")
    port.replug()
    port.replug()
    end.open()
    end.write(b"again")
    await device.until(lambda: device.heard == b"again")
    end.close()
    await port.close()
    assert device.story == ["plugged", "unplugged", "plugged", "unplugged"]


async def test_what_no_host_reads_is_lost_and_blocks_nobody(tmp_path: Path) -> None:
    port = PtyPort(tmp_path / "tty")
    await port.open(Device())
    for _ in range(100):
        port.write(bytes(1000))
    end = TtyEnd(tmp_path / "tty")
    host = Listener(end)
    end.open()
    await host.until(lambda: len(host.data) > 0)
    assert len(host.data) < 100_000
    end.close()
    await port.close()


async def test_a_tty_s_name_that_belongs_to_a_file_is_refused(tmp_path: Path, says: Says) -> None:
    (tmp_path / "tty").write_text("precious")
    with pytest.raises(FileExistsError) as raised:
        await PtyPort(tmp_path / "tty").open(Device())
    says(raised.value)
    assert (tmp_path / "tty").read_text() == "precious"


async def test_a_tty_s_name_in_no_directory_is_refused_in_words(tmp_path: Path, says: Says) -> None:
    with pytest.raises(FileNotFoundError) as raised:
        await PtyPort(tmp_path / "nowhere" / "tty").open(Device())
    says(raised.value)


async def test_a_link_that_a_dead_emulator_left_is_taken_over(tmp_path: Path) -> None:
    (tmp_path / "tty").symlink_to("/dev/pts/none")
    port = PtyPort(tmp_path / "tty")
    await port.open(Device())
    assert (tmp_path / "tty").exists()
    await port.close()


async def test_a_link_that_another_emulator_took_over_is_left_to_it(tmp_path: Path) -> None:
    first, second = PtyPort(tmp_path / "tty"), PtyPort(tmp_path / "tty")
    await first.open(Device())
    await second.open(Device())
    taken_over = (tmp_path / "tty").readlink()
    await first.close()
    assert (tmp_path / "tty").readlink() == taken_over
    await second.close()
    assert not (tmp_path / "tty").is_symlink()


async def test_a_tcp_port_that_is_taken_is_said_with_what_to_do(says: Says) -> None:
    first = TcpPort(0)
    await first.open(Device())
    number = int(first.address.rsplit(":", 1)[1])
    second = TcpPort(number)
    with pytest.raises(OSError) as raised:
        await second.open(Device())
    says(raised.value, port=number)
    await second.close()
    await first.close()


async def test_unplugging_a_thousand_times_leaks_no_file(tmp_path: Path) -> None:
    port = PtyPort(tmp_path / "tty")
    await port.open(Device())
    before = open_files()
    for _ in range(1000):
        port.unplug()
        port.replug()
    assert open_files() == before
    await port.close()


async def test_a_device_server_carries_every_byte_both_ways() -> None:
    device, port = Device(), TcpPort(free_port())
    await port.open(device)
    end = TcpEnd(int(port.address.rpartition(":")[2]))
    host = Listener(end)
    await end.open()
    end.write(EVERY_BYTE)
    await device.until(lambda: device.heard == EVERY_BYTE)
    port.write(EVERY_BYTE)
    await host.until(lambda: host.data == EVERY_BYTE)
    await end.close()
    await device.until(lambda: device.story == ["plugged", "unplugged"])
    await port.close()


async def test_a_device_server_without_power_drops_its_client_and_answers_nobody() -> None:
    number = free_port()
    device, port = Device(), TcpPort(number)
    await port.open(device)
    end = TcpEnd(number)
    host = Listener(end)
    await end.open()
    await device.until(lambda: device.story == ["plugged"])
    port.unplug()
    await host.until(lambda: host.hangups == 1)
    assert device.story == ["plugged", "unplugged"]
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", number)
    await end.close()
    port.replug()
    await port.close()


def _has_heard(listener: Listener, data: bytes) -> bool:
    return listener.data == data


async def test_all_clients_of_a_device_server_hear_the_device_and_it_hears_all_of_them() -> None:
    number = free_port()
    device, port = Device(), TcpPort(number)
    await port.open(device)
    ends = [TcpEnd(number) for _ in range(CLIENTS_MAX)]
    listeners = [Listener(end) for end in ends]
    for end in ends:
        await end.open()
    await device.until(lambda: device.story == ["plugged"])
    ends[0].write(b"a")
    await device.until(lambda: device.heard == b"a")
    ends[-1].write(b"b")
    await device.until(lambda: device.heard == b"ab")
    port.write(b"for everybody")
    for listener in listeners:
        await listener.until(partial(_has_heard, listener, b"for everybody"))
    for end in ends:
        assert device.story == ["plugged"]
        await end.close()
    await device.until(lambda: device.story == ["plugged", "unplugged"])
    await port.close()


async def test_a_new_client_of_a_device_server_for_one_takes_over() -> None:
    number = free_port()
    device, port = Device(), TcpPort(number, clients_max=1)
    await port.open(device)
    first, second = TcpEnd(number), TcpEnd(number)
    older, newer = Listener(first), Listener(second)
    await first.open()
    await device.until(lambda: device.story == ["plugged"])
    await second.open()
    await older.until(lambda: older.hangups == 1)
    assert device.story == ["plugged", "unplugged", "plugged"]
    port.write(b"for the newer")
    await newer.until(lambda: newer.data == b"for the newer")
    await first.close()
    await second.close()
    await port.close()


async def a_line_in_memory(port: MemoryPort) -> tuple[bytes, bytes, list[str], int]:
    device, host = Device(), Listener(port.far)
    await port.open(device)
    for byte in EVERY_BYTE:
        port.write(bytes((byte,)))
        port.far.write(bytes((byte,)))
    await host.until(lambda: len(host.data) == 256)
    await device.until(lambda: len(device.heard) == 256)
    port.write(b"under way")
    port.unplug()
    port.far.write(b"too late")
    await host.until(lambda: host.hangups == 1)
    await port.close()
    return host.data, device.heard, device.story, host.hangups


@pytest.mark.parametrize("seed", range(5))
def test_memory_keeps_the_order_of_bytes_and_loses_what_was_under_way(seed: int) -> None:
    heard = run(a_line_in_memory(MemoryPort()), seed=seed)
    assert heard == (EVERY_BYTE, EVERY_BYTE, ["plugged", "unplugged"], 1)


def test_every_port_is_a_port(tmp_path: Path) -> None:
    ports: list[Port] = [PtyPort(tmp_path / "tty"), TcpPort(0), MemoryPort()]
    assert [port.address.partition(":")[0] for port in ports] == ["serial", "tcp", "memory"]
