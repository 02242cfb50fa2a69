"""`feltd selftest` as a process: its report, its exit status, what it asks of a person, and what stands before it."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import re
import struct
import termios
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from daemon.errors import ExitStatus
from daemon.tools.selftest.checks import NAMES
from protocols.felt_link.requirements import REQUIREMENTS
from sim_hardware.pace import Pace
from sim_hardware.ports import PtyPort
from sim_hardware.shoe_kinds import SHOE_KINDS
from sim_hardware.shoe_rig import ShoeRig
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_settings import ShufflerSettings
from tests.daemon.config.files import GOOD, changed
from tests.daemon.test_cli import FELTD, feltd
from tests.docs.documents import blocks, matches, text_of
from tests.sim_hardware.free_port import free_port
from tests.support.sentences import Says
from tests.tools.selftest.machines import Rig, shoe

PATIENCE_S = 240.0
ON_A_TERMINAL = {**os.environ, "TERM": "xterm-256color"}


def config(folder: Path, address: str, profile: str = "bee-tek-manual") -> Path:
    """A table with this as one more device."""
    file = folder / "table7.toml"
    file.write_text(f'{GOOD}\n[devices.tested]\nprofile = "{profile}"\naddress = "{address}"\n')
    return file


def arguments(file: Path, *options: str, device: str = "tested") -> tuple[str | Path, ...]:
    return ("selftest", "--config", file, "--device", device, *options)


@asynccontextmanager
async def at_work(rig: Rig) -> AsyncIterator[None]:
    await rig.start()
    try:
        yield
    finally:
        await rig.stop()


@asynccontextmanager
async def started(file: Path, *options: str, device: str = "tested") -> AsyncIterator[Process]:
    """The program with pipes, gone afterwards."""
    words, wide = arguments(file, *options, device=device), {**os.environ, "COLUMNS": "100"}
    process = await asyncio.create_subprocess_exec(FELTD, *words, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=wide)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def read(process: Process) -> str:
    """Everything that it still says on standard output."""
    assert process.stdout is not None
    async with asyncio.timeout(PATIENCE_S):
        return (await process.stdout.read()).decode()


def bee_tek(folder: Path) -> ShoeRig:
    return shoe(PtyPort(folder / "tty"), SHOE_KINDS["bee-tek"])


async def test_the_report_is_one_object_and_status_0_when_nothing_failed(tmp_path: Path) -> None:
    rig = bee_tek(tmp_path)
    async with at_work(rig), started(config(tmp_path, rig.address), "--json") as process:
        assert process.stderr is not None
        assert (await process.stderr.readline()).startswith(b"Draw one card")
        rig.draw()
        report = json.loads(await read(process))
        assert await process.wait() == ExitStatus.OK
    assert [check["name"] for check in report["checks"]] == list(NAMES)
    assert report["counts"] == {"passed": 3, "failed": 0, "not-applicable": 9, "left-out": 0}
    assert (report["device"], report["profile"], report["identity"]) == ("tested", "bee-tek-manual", None)
    (line,) = [check for check in report["checks"] if check["name"] == "line"]
    assert line["measured"]["sent_bytes"] == 0 < line["measured"]["received_bytes"]


async def test_where_nobody_can_be_asked_a_time_leaves_it_out(tmp_path: Path) -> None:
    rig = bee_tek(tmp_path)
    async with at_work(rig), started(config(tmp_path, rig.address)) as process:
        told = await read(process)
        assert await process.wait() == ExitStatus.OK
    assert re.search(r"^event +left out +this was not done: Draw one card", told, re.MULTILINE)
    assert "1 passed, 0 failed, 2 left out, 9 not applicable" in told


async def test_status_1_when_something_failed_with_what_to_do(tmp_path: Path) -> None:
    rig = bee_tek(tmp_path)
    async with at_work(rig), started(config(tmp_path, rig.address, "felt-link-shoe")) as process:
        told = await read(process)
        assert await process.wait() == ExitStatus.REFUSED
    assert re.search(r"^identity +FAILED +no device said hello", told, re.MULTILINE)
    assert "Check the device's power" in told


class Technician:
    """At a terminal of 24 lines and 80 columns."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.shown = ""
        self._news = asyncio.Event()

    async def __aenter__(self) -> Technician:
        self._master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        words = arguments(self._file)
        self.process = await asyncio.create_subprocess_exec(
            FELTD, *words, stdin=slave, stdout=slave, stderr=slave, env=ON_A_TERMINAL, process_group=0
        )
        os.close(slave)
        asyncio.get_running_loop().add_reader(self._master, self._read)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()
        asyncio.get_running_loop().remove_reader(self._master)
        os.close(self._master)

    async def until(self, words: str) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while words not in self.shown:
                self._news.clear()
                await self._news.wait()

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def _read(self) -> None:
        try:
            data = os.read(self._master, 65_536)
        except OSError:  # the other end is closed, and all of it was read
            asyncio.get_running_loop().remove_reader(self._master)
            return
        self.shown += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", data.decode())
        self._news.set()


async def test_enter_leaves_out_what_a_person_cannot_do(tmp_path: Path) -> None:
    rig = bee_tek(tmp_path)
    async with at_work(rig), Technician(config(tmp_path, rig.address)) as technician:
        await technician.until("press Enter")
        technician.press("\n")
        await technician.until("2 left out")
        assert await technician.process.wait() == ExitStatus.OK
    assert re.search(r"event +left out +this was not done", technician.shown)


async def test_a_card_that_is_drawn_ends_the_waiting(tmp_path: Path) -> None:
    rig = bee_tek(tmp_path)
    async with at_work(rig), Technician(config(tmp_path, rig.address)) as technician:
        await technician.until("press Enter")
        rig.draw()
        await technician.until("3 passed, 0 failed, 0 left out")
        assert await technician.process.wait() == ExitStatus.OK
    assert re.search(r"event +passed +a card was drawn and read", technician.shown)


@pytest.mark.long
async def test_readme_shows_what_is_found_at_a_shuffler_that_has_just_started(tmp_path: Path) -> None:
    (shown,) = [block for block in blocks(text_of("daemon/tools/README.md"), "text") if block.startswith("shuffler at")]
    rig = ShufflerRig(ShufflerSettings(pace=Pace(0)), PtyPort(tmp_path / "tty"))
    file = tmp_path / "table7.toml"
    file.write_text(changed("serial:/dev/serial/by-id/usb-shuffler", rig.address))
    async with at_work(rig), started(file, device="shuffler") as process:
        told = await read(process)
        assert await process.wait() == ExitStatus.OK
    assert matches(shown, told), told


# What stands before it.


def test_a_port_that_is_not_there_is_the_error_of_the_other_commands(tmp_path: Path) -> None:
    done = feltd(*arguments(config(tmp_path, f"serial:{tmp_path / 'tty'}")))
    assert done.returncode == ExitStatus.UNAVAILABLE
    assert done.stderr.endswith("[device.no-such-port]\n")


def test_a_port_that_is_taken_says_whose_it_most_often_is(tmp_path: Path) -> None:
    master, slave = os.openpty()
    fcntl.flock(slave, fcntl.LOCK_EX)
    try:
        done = feltd(*arguments(config(tmp_path, f"serial:{os.ttyname(slave)}")))
    finally:
        os.close(slave)
        os.close(master)
    assert done.returncode == ExitStatus.UNAVAILABLE
    assert "systemctl stop feltd@TABLE" in done.stderr
    assert done.stderr.endswith("[device.port-busy]\n")


def test_a_device_server_that_does_not_answer_is_away(tmp_path: Path, says: Says) -> None:
    done = feltd(*arguments(config(tmp_path, f"tcp:127.0.0.1:{free_port()}")))
    assert done.returncode == ExitStatus.UNAVAILABLE
    says(done.stderr)
    assert done.stderr.endswith("[selftest.away]\n")


def test_a_device_of_another_name_and_a_bad_file_are_refused(tmp_path: Path, says: Says) -> None:
    file = config(tmp_path, "tcp:127.0.0.1:9")
    unknown = feltd("selftest", "--config", file, "--device", "shoe")
    assert unknown.returncode == ExitStatus.USAGE
    says(unknown.stderr)
    file.write_text("nonsense")
    assert feltd(*arguments(file)).returncode == ExitStatus.CONFIGURATION


@pytest.mark.parametrize("option", ["--move", "--acknowledge", "--json"])
def test_its_help_explains_each_option(option: str) -> None:
    assert f"  {option} " in feltd("selftest", "--help").stdout


@pytest.mark.long
async def test_a_vendor_gets_a_verdict_on_each_requirement(tmp_path: Path) -> None:
    rig = ShufflerRig(ShufflerSettings(pace=Pace(0)), PtyPort(tmp_path / "tty"))
    file = config(tmp_path, rig.address, "felt-link-shuffler-faces")
    async with at_work(rig), started(file, "--conformance", "--json") as process:
        told = json.loads(await read(process))
        status = await process.wait()
    # Verdicts are about fractions of a second, so test_conformance asks for them in virtual time.
    assert [ruled["name"] for ruled in told["requirements"]] == [one.number for one in REQUIREMENTS]
    assert status == (ExitStatus.REFUSED if told["counts"]["failed"] else ExitStatus.OK)


def test_a_shoe_of_another_link_has_no_numbered_requirements(tmp_path: Path, says: Says) -> None:
    done = feltd(*arguments(config(tmp_path, "serial:/dev/null"), "--conformance"))
    assert done.returncode == 2
    says(done.stderr)
