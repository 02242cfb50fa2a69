"""`feltd capture` as a process on a real tty: what it records, what it writes to the device, and how it ends."""

from __future__ import annotations

import asyncio
import signal
import subprocess
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from daemon.tools.capture.recorder import Recording
from drivers.events import Stamp
from drivers.tap import Direction, Tapped
from protocols.capture import Capture, Side, read_capture
from sim_hardware.pace import Pace
from sim_hardware.ports import PtyPort
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_settings import ShufflerSettings
from tests.captures.record import HERE
from tests.daemon.config.files import GOOD
from tests.daemon.test_cli import FELTD
from tests.support.sentences import Says


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A table whose shuffler is `tmp_path/tty`."""
    lines = [
        f'address = "serial:{tmp_path / "tty"}"' if line.startswith("address") else line for line in GOOD.split("\n")
    ]
    file = tmp_path / "t.toml"
    file.write_text("\n".join(lines))
    return file


@asynccontextmanager
async def shuffler(folder: Path) -> AsyncIterator[ShufflerRig]:
    rig = ShufflerRig(ShufflerSettings(pace=Pace(0)), PtyPort(folder / "tty"))
    await rig.start()
    try:
        yield rig
    finally:
        await rig.stop()


@asynccontextmanager
async def capturing(config: Path, *options: str) -> AsyncIterator[tuple[Process, Path]]:
    """Yield the program, which records, and the file that it writes. Kill the program if it is still there."""
    file = config.with_name("out.capture")
    words = ("capture", "--config", str(config), "--device", "shuffler", "-o", str(file), *options)
    process = await asyncio.create_subprocess_exec(FELTD, *words, stderr=asyncio.subprocess.PIPE)
    try:
        yield process, file
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def _count(file: Path, text: str) -> int:
    return file.read_text().count(text) if file.exists() else 0


async def _grown(file: Path, text: str, before: int = 0) -> None:
    """Wait until the file has this more often than before."""
    async with asyncio.timeout(120):
        while _count(file, text) <= before:  # noqa: ASYNC110 - another process writes it
            await asyncio.sleep(0.05)


async def captured(config: Path, until: str, *options: str) -> Capture:
    """Record until the file has this, then interrupt; the program ends with success."""
    async with capturing(config, *options) as (process, file):
        await _grown(file, until)
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        said = (await process.stderr.read()).decode()
        assert await process.wait() == 0, said
    assert file.stat().st_mode & 0o777 == 0o600
    return read_capture(file.read_text())


def said(capture: Capture, side: Side) -> bytes:
    return b"".join(chunk.data for chunk in capture.said_by(side))


async def test_it_identifies_the_device_records_both_sides_and_acknowledges_nothing(
    tmp_path: Path, config: Path
) -> None:
    async with shuffler(tmp_path) as rig:
        capture = await captured(config, b"SHUFFLED".hex().upper())
        assert rig.end.unacknowledged > 0
    assert (capture.notes["model"], capture.notes["serial"]) == ("FeltSim SD-1", "SIM-0001")
    assert capture.notes["protocol"] == "felt-link"
    assert b"WELCOME|0||1|" in said(capture, Side.HOST)
    assert b"\x06" not in said(capture, Side.HOST)


async def test_passive_writes_not_one_byte(tmp_path: Path, config: Path) -> None:
    async with shuffler(tmp_path):
        capture = await captured(config, b"HELLO".hex().upper(), "--passive")
    assert said(capture, Side.DEVICE).startswith(b"\x02HELLO|0||1|FeltSim SD-1|")
    assert capture.said_by(Side.HOST) == ()


async def test_told_to_it_takes_the_events_for_good(tmp_path: Path, config: Path) -> None:
    async with shuffler(tmp_path):
        capture = await captured(config, " > 06", "--acknowledge")
    assert b"\x06" in said(capture, Side.HOST)


@pytest.mark.parametrize("options", [(), ("--passive",)], ids=["as-host", "passive"])
async def test_a_device_that_was_unplugged_is_waited_for(
    tmp_path: Path, config: Path, options: tuple[str, ...]
) -> None:
    """It ended with 69 if the port was away at the moment at which it looked."""
    hello = b"HELLO".hex().upper()
    async with capturing(config, *options) as (process, file):
        async with shuffler(tmp_path):
            await _grown(file, hello)
        assert process.stderr is not None
        async with asyncio.timeout(120):
            while b"not connected" not in (line := await process.stderr.readline()):
                assert line, "it ended"
        before = _count(file, hello)
        async with shuffler(tmp_path):
            await _grown(file, hello, before)
        process.send_signal(signal.SIGINT)
        assert await process.wait() == 0


def test_what_came_in_while_something_was_said_is_no_earlier_than_that(tmp_path: Path) -> None:
    """An acknowledgement is stamped when it is said; the next event may have been waiting in the port since before."""
    file = tmp_path / "out.capture"
    with file.open("w") as written:
        recording = Recording(written, 1_000)
        recording.begin([("protocol", "felt-link")])
        for direction, mono_ns, data in (
            (Direction.FROM_DEVICE, 1_010, b"first"),
            (Direction.TO_DEVICE, 1_030, b"heard first"),
            (Direction.FROM_DEVICE, 1_020, b"second"),
        ):
            recording.record_bytes(Tapped(direction, Stamp(0, mono_ns), data))
    heard = [(chunk.offset_ns, chunk.data) for chunk in read_capture(file.read_text()).chunks]
    assert heard == [(10, b"first"), (30, b"heard first"), (30, b"second")]


def feltd(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([FELTD, "capture", *words], capture_output=True, text=True, timeout=180)


def test_a_port_that_is_not_there_ends_with_69_and_a_remedy(config: Path, says: Says) -> None:
    done = feltd("--config", config, "--device", "shuffler", "-o", config.with_name("x"))
    assert done.returncode == 69
    says(done.stderr)
    assert "[device.no-such-port]" in done.stderr
    assert not config.with_name("x").exists()


def test_an_unknown_device_is_answered_with_those_that_there_are(config: Path) -> None:
    done = feltd("--config", config, "--device", "shufler", "-o", config.with_name("x"))
    assert done.returncode == 2
    assert "it has: shuffler" in " ".join(done.stderr.split())


def test_a_recording_is_not_overwritten(config: Path) -> None:
    there = config.with_name("x")
    there.write_text("precious")
    assert feltd("--config", config, "--device", "shuffler", "-o", there).returncode == 2
    assert there.read_text() == "precious"


def test_a_recording_for_the_project_names_other_cards_and_its_key_stays(tmp_path: Path) -> None:
    given, key, out = HERE / "bee-tek-shoe.capture", tmp_path / "site.key", tmp_path / "given.capture"
    done = feltd("--for-the-project", given, "--key", key, "-o", out)
    assert done.returncode == 0, done.stderr
    first = read_capture(out.read_text())
    assert first != read_capture(given.read_text())
    assert "blinded" in first.notes
    assert key.stat().st_mode & 0o777 == 0o600
    assert feltd("--for-the-project", given, "--key", key, "-o", tmp_path / "again").returncode == 0
    assert read_capture((tmp_path / "again").read_text()) == first
    assert feltd("--for-the-project", given, "--key", key, "-o", out).returncode == 2


@pytest.mark.parametrize("words", [["--for-the-project", "x"], ["--device", "shuffler"], []])
def test_a_recording_and_a_device_are_not_both_given_and_not_neither(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "x").write_text("feltd-capture 1\n")
    words = [str(tmp_path / word) if word == "x" else word for word in words]
    assert feltd(*words, "-o", tmp_path / "out").returncode == 2
    assert not (tmp_path / "out").exists()
