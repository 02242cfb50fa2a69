"""The emulators as programs of their own: on a real tty, driven by their control socket, ended by a signal."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from protocols.felt_link import messages as m
from protocols.felt_link.events import Standing
from sim_hardware.control import tell
from tests.sim_hardware.files import names_in
from tests.sim_hardware.free_port import free_port
from tests.sim_hardware.host import Host
from tests.sim_hardware.tty_end import TtyEnd
from tests.sim_hardware.usbip_client import Client
from tests.support.sentences import Says

PROGRAM = (sys.executable, "-m", "sim_hardware")


@asynccontextmanager
async def program(*arguments: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, list[str]]]:
    """Running, with the lines by which it introduced itself; ended by SIGTERM, with success."""
    running = await asyncio.create_subprocess_exec(*PROGRAM, *arguments, stdout=asyncio.subprocess.PIPE)
    assert running.stdout is not None
    try:
        lines: list[str] = []
        async with asyncio.timeout(120):
            while not lines or "nterrupt to end" not in lines[-1]:
                lines.append((await running.stdout.readline()).decode().rstrip())
                assert lines[-1], f"it ended after {lines}"
        yield running, lines
    finally:
        if running.returncode is None:
            running.send_signal(signal.SIGTERM)
        assert await running.wait() == 0


async def failed(*arguments: str) -> tuple[int | None, str]:
    ended = await asyncio.create_subprocess_exec(*PROGRAM, *arguments, stderr=asyncio.subprocess.PIPE)
    _, complaint = await ended.communicate()
    return ended.returncode, complaint.decode()


async def test_a_shuffler_on_a_tty_deals_is_unplugged_and_goes_on(tmp_path: Path) -> None:
    path, control = tmp_path / "tty", tmp_path / "control"
    arguments = ("shuffler", "--pty", str(path), "--control", str(control), "--seed", "7", "--speed", "0")
    async with program(*arguments) as (_, lines):
        assert f'  address = "serial:{path}"' in lines
        end = TtyEnd(path)
        host = Host(end, patience_s=120)
        end.open()
        await host.until(lambda: host.of(m.ShuffleFinished) == [m.ShuffleFinished(52)])
        assert await host.order(m.Dispense(1)) is None
        await host.until(lambda: bool(host.of(m.PacketDispensed)))
        await tell(control, "unplug")
        await host.until(lambda: host.unplugs == 1)
        assert "tray=0 taken=5" in await tell(control, "take") + await tell(control, "status")
        await tell(control, "replug")
        end.open()
        await host.until(lambda: host.of(m.PacketRemoved) == [m.PacketRemoved(1)])
        assert host.standings == [Standing.FIRST, Standing.RESUMED]
        host.close()
        end.close()
    assert names_in(tmp_path) == []


async def test_a_second_one_with_the_same_names_leaves_the_first_its_tty(tmp_path: Path, says: Says) -> None:
    path, control = tmp_path / "tty", tmp_path / "control"
    arguments = ("shuffler", "--pty", str(path), "--control", str(control))
    async with program(*arguments):
        tty = path.readlink()
        status, said = await failed(*arguments)
        assert status
        says(said)
        assert path.readlink() == tty


async def test_a_control_socket_that_cannot_be_made_is_named(tmp_path: Path, says: Says) -> None:
    control = tmp_path / "nowhere" / "control"
    _, said = await failed("shoe", "--tcp", "0", "--control", str(control))
    says(said)


async def test_it_ends_on_an_interrupt_as_well(tmp_path: Path) -> None:
    async with program("shuffler", "--pty", str(tmp_path / "tty")) as (running, _):
        running.send_signal(signal.SIGINT)
        await running.wait()
    assert names_in(tmp_path) == []


async def test_a_shuffler_on_tcp_says_hello_to_whoever_connects(says: Says) -> None:
    port = free_port()
    arguments = ("shuffler", "--tcp", str(port), "--observed", "--no-faces", "--serial", "S-9", "--model", "M 1")
    async with program(*arguments) as (_, lines):
        says(lines[0])
        assert '  profile = "felt-link-shuffler-observed"' in lines
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        hello = await reader.readuntil(b"\x03")
        assert hello.startswith(b"\x02HELLO|0||1|M 1|S-9|1.0.0|shuffler,buttons,counts|")
        writer.close()
        await writer.wait_closed()


@pytest.mark.parametrize(
    ("options", "profile"),
    [
        (("--mode", "2,2,3,3", "--observed"), "felt-link-shuffler-observed-faces"),
        (("--mode", "batch", "--observed", "--no-faces"), "felt-link-shuffler-batch"),
        (("--mode", "7"), "felt-link-shuffler-faces"),
    ],
)
async def test_a_shuffler_names_the_profile_for_its_mode(
    tmp_path: Path, options: tuple[str, ...], profile: str
) -> None:
    async with program("shuffler", "--pty", str(tmp_path / "tty"), *options) as (_, lines):
        assert f'  profile = "{profile}"' in lines


@pytest.mark.parametrize("device", ["shuffler", "shoe", "buttons"])
@pytest.mark.parametrize(
    ("kind", "address"),
    [
        ("felt-link", "usb:1209:0001:S-9"),
        ("cdc-acm", "serial:/dev/serial/by-id/usb-feltd_emulator_serial_port_S-9-if00"),
    ],
)
async def test_each_device_on_usb_says_hello_to_the_kernel_that_attaches_it(
    device: str, kind: str, address: str, says: Says
) -> None:
    port = free_port()
    async with program(device, "--usbip", str(port), "--usb-kind", kind, "--serial", "S-9") as (_, lines):
        assert f'  address = "{address}"' in lines
        says(lines[-2], port=port)
        kernel = Client(*await asyncio.open_connection("127.0.0.1", port))
        await kernel.attach()
        await kernel.configure()
        kernel.submit(2, 1, room=512)
        _, _, _, hello = await kernel.answer(is_in=True)
        assert hello.startswith(b"\x02HELLO|0||1|")
        kernel.writer.close()


async def test_a_stacked_deck_and_a_dealer_who_needs_no_telling(tmp_path: Path) -> None:
    deck, path = tmp_path / "deck.txt", tmp_path / "tty"
    deck.write_text("Ah Kh Qh Jh Th\n...\n")
    async with program("shuffler", "--pty", str(path), "--deck", str(deck), "--speed", "0", "--auto-dealer"):
        end = TtyEnd(path)
        host = Host(end, patience_s=120)
        end.open()
        await host.until(lambda: bool(host.of(m.ShuffleFinished)))
        assert await host.order(m.Dispense(1)) is None
        await host.until(lambda: bool(host.of(m.PacketRemoved)))
        (packet,) = host.of(m.PacketDispensed)
        assert [str(face) for face in packet.faces or ()] == ["Ah", "Kh", "Qh", "Jh", "Th"]
        host.close()
        end.close()


async def test_an_angel_eye_behind_a_device_server_draws_what_it_is_told(tmp_path: Path, says: Says) -> None:
    port, control = free_port(), tmp_path / "control"
    arguments = ("shoe", "--protocol", "angel-eye-iiex", "--tcp", str(port), "--control", str(control), "--speed", "0")
    async with program(*arguments) as (_, lines):
        says(lines[0])
        assert '  profile = "angel-eye-iiex"' in lines
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        assert await tell(control, "load 8s") == "inside=1 number=0"
        assert await tell(control, "draw") == "inside=0 number=1"
        assert await reader.readexactly(24) == bytes.fromhex("05 31 44 81 B8 03 34 46") * 3
        writer.close()
        await writer.wait_closed()


async def test_a_bee_tek_on_a_tty_with_a_dealer_who_needs_no_telling(tmp_path: Path) -> None:
    deck, path = tmp_path / "deck.txt", tmp_path / "tty"
    deck.write_text("Ah Kh\n")
    arguments = ("shoe", "--protocol", "bee-tek", "--pty", str(path), "--deck", str(deck), "--no-cut", "--auto-dealer")
    async with program(*arguments) as (_, lines):
        assert '  profile = "bee-tek-manual"' in lines
        heard = b""
        with path.open("rb", buffering=0) as line:
            while b"\n" not in heard:
                heard += await asyncio.to_thread(line.read, 100)
        assert heard.startswith(b" [Manual Burn Cards]<Card:")


async def test_a_pad_of_keys_on_a_tty_says_which_was_pressed(tmp_path: Path, says: Says) -> None:
    path, control = tmp_path / "tty", tmp_path / "control"
    arguments = ("buttons", "--pty", str(path), "--control", str(control), "--keys", "deal, seat-1", "--speed", "0")
    async with program(*arguments) as (_, lines):
        says(lines[0])
        assert '  profile = "felt-link-buttons"' in lines
        end = TtyEnd(path)
        host = Host(end, patience_s=120)
        end.open()
        await host.until(lambda: bool(host.boots))
        assert (await tell(control, "press seat-1")).startswith("presses=1")
        await host.until(lambda: host.of(m.WireButtonPressed) == [m.WireButtonPressed("seat-1")])
        host.close()
        end.close()
    assert names_in(tmp_path) == []


async def test_the_bench_broker_as_a_program() -> None:
    port = str(free_port())
    async with program("broker", "--port", port):
        publish = ("mosquitto_pub", "-V", "5", "-p", port, "-q", "1", "-t", "t", "-m", "x")
        assert await (await asyncio.create_subprocess_exec(*publish)).wait() == 0


async def test_words_from_the_command_line(tmp_path: Path, says: Says) -> None:
    control = str(tmp_path / "control")
    async with program("shuffler", "--pty", str(tmp_path / "tty"), "--control", control):
        told = await asyncio.create_subprocess_exec(
            *PROGRAM, "tell", control, "fault", "jam", "next", stdout=asyncio.subprocess.PIPE
        )
        heard, _ = await told.communicate()
        assert (told.returncode, heard) == (0, b"jam=next\n")
        status, complaint = await failed("tell", control, "tkae")
        assert status == 1
        says(complaint)


@pytest.mark.parametrize(
    "arguments",
    [
        ("shuffler", "--pty", "--tcp", "1"),
        ("shuffler", "--tcp", "1", "--usbip", "2"),
        ("shuffler", "--usbip", "1", "--usb-kind", "cdc"),
        ("shuffler", "--speed", "-1"),
        ("shuffler", "--deck", "/dev/null/none"),
        ("shuffler", "--mode", "2,53", "--observed"),
        ("shuffler", "--mode", "2,,3", "--observed"),
        ("shuffler", "--mode", "2,2,3,3"),
        ("shuffler", "--serial", "A|B"),
        ("shoe", "--protocol", "bee"),
        ("shoe", "--no-cut", "--behind-cut", "9"),
        ("shoe", "--decks", "1", "--behind-cut", "52"),
        ("buttons", "--pty", "--usbip", "1"),
        ("buttons", "--keys", "green,green"),
        ("buttons", "--keys", "Green"),
        ("tell", "/nonexistent", "help"),
    ],
)
async def test_a_wrong_call_says_what_is_right(arguments: tuple[str, ...], says: Says) -> None:
    status, said = await failed(*arguments)
    assert status
    says(said)
