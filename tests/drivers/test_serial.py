"""Serial ports, on real ttys: who may open one, what is wrong with it, and what happens when it sticks."""

from __future__ import annotations

import asyncio
import fcntl
import grp
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import tty
from collections.abc import Callable, Coroutine
from pathlib import Path

import pytest

from drivers.addresses import SerialAddress
from drivers.errors import LinkError, SetupError
from drivers.profile import LineSettings
from drivers.transports.base import BACKLOG_BYTES_MAX
from drivers.transports.serial import SerialTransport, open_serial
from tests.drivers.ways import open_files, stamp
from tests.support.processes import gone_afterwards
from tests.support.rights import without_rights
from tests.support.sentences import Says
from tests.support.threads import no_thread_free

LINE = LineSettings(baud=115_200)


class Tty:
    """Both ends of a real tty; `master` is the device's."""

    def __init__(self) -> None:
        self.master, self.slave = pty.openpty()
        tty.setraw(self.slave)
        os.set_blocking(self.master, False)
        self.path = os.ttyname(self.slave)
        self._is_out = False

    def pull(self) -> None:
        """The cable is out."""
        if not self._is_out:
            self._is_out = True
            os.close(self.slave)
            os.close(self.master)

    async def open(self) -> SerialTransport:
        return await open_serial(SerialAddress(self.path), LINE, stamp)


def on_tty(main: Callable[[Tty], Coroutine[object, object, None]]) -> None:
    """Run a scenario, and see that nothing stays open."""
    before = open_files()
    cable = Tty()
    try:
        asyncio.run(main(cable))
    finally:
        cable.pull()
    assert open_files() == before


async def end_of(port: SerialTransport) -> str:
    """Read on to the end, and say what it was; a port that does not notice its end has not ended."""
    try:
        async with asyncio.timeout(60):
            while True:
                await port.read()
    except LinkError as error:
        return str(error)


async def refused(path: str, line: LineSettings = LINE) -> str:
    with pytest.raises(SetupError) as wrong:
        await open_serial(SerialAddress(path), line, stamp)
    problem = wrong.value.problem
    assert path in problem.problem
    assert problem.remedy
    return problem.code.value


def test_bytes_go_both_ways_unchanged_and_are_stamped() -> None:
    async def main(cable: Tty) -> None:
        every = bytes(range(256))
        port = await cable.open()
        before = stamp()
        os.write(cable.master, every)
        received = b""
        while len(received) < len(every):
            chunk = await port.read()
            assert before.mono_ns <= chunk.at.mono_ns <= stamp().mono_ns
            received += chunk.data
        assert received == every
        port.write(every)
        sent = b""
        while len(sent) < len(every):
            sent += os.read(cable.master, 4096)
        assert sent == every
        await port.close()

    on_tty(main)


def test_a_missing_port(tmp_path: Path) -> None:
    assert asyncio.run(refused(str(tmp_path / "none"))) == "no-such-port"


def test_what_is_not_a_port(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert asyncio.run(refused(str(tmp_path / "file"))) == "not-a-port"
    assert asyncio.run(refused(str(tmp_path))) == "not-a-port"
    assert asyncio.run(refused("/dev/null")) == "not-a-port"


def test_a_port_that_this_user_may_not_open() -> None:
    async def main(cable: Tty) -> None:
        os.fchmod(cable.slave, 0)
        with without_rights():
            assert await refused(cable.path) == "permission-denied"

    on_tty(main)


def test_a_port_that_another_program_has_locked() -> None:
    async def main(cable: Tty) -> None:
        fcntl.flock(cable.slave, fcntl.LOCK_EX)
        assert await refused(cable.path) == "port-busy"

    on_tty(main)


def test_a_port_that_another_program_has_to_itself() -> None:
    async def main(cable: Tty) -> None:
        os.fchmod(cable.slave, 0o666)
        fcntl.ioctl(cable.slave, termios.TIOCEXCL)
        with without_rights():
            assert await refused(cable.path) == "port-busy"

    on_tty(main)


def test_our_own_port_is_locked_until_it_is_closed() -> None:
    async def main(cable: Tty) -> None:
        port = await cable.open()
        assert await refused(cable.path) == "port-busy"
        await port.close()
        again = await cable.open()
        await again.close()

    on_tty(main)


KILLED = """
import asyncio, os, signal, sys
from drivers.addresses import SerialAddress
from drivers.profile import LineSettings
from drivers.transports.serial import open_serial
from tests.drivers.ways import stamp

async def main():
    if os.geteuid() == 0:
        os.setuid(65534)
    await open_serial(SerialAddress(sys.argv[1]), LineSettings(baud=115_200), stamp)
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


def test_a_daemon_that_was_killed_does_not_lock_an_ordinary_user_out_of_a_port_that_another_has_open() -> None:
    cable = Tty()  # it keeps the tty open, as the emulator does, so the kernel keeps the tty's flags
    try:
        os.fchmod(cable.slave, 0o666)
        for _ in range(2):
            done = subprocess.run(
                [sys.executable, "-c", KILLED, cable.path], capture_output=True, timeout=180, check=False
            )
            assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    finally:
        cable.pull()


def test_one_port_under_two_names_is_not_blamed_on_another_program(tmp_path: Path, says: Says) -> None:
    async def main(cable: Tty) -> None:
        other = tmp_path / "by-path"
        other.symlink_to(cable.path)
        port = await cable.open()
        with pytest.raises(SetupError) as wrong:
            await open_serial(SerialAddress(str(other)), LINE, stamp)
        says(wrong.value, path=str(other), tty=cable.path)
        await port.close()

    on_tty(main)


def test_who_has_a_busy_port_is_named_where_that_can_be_seen() -> None:
    lock = "import fcntl, sys, time; f = open(sys.argv[1]); fcntl.flock(f, 2); print(1, flush=True); time.sleep(60)"
    cable = Tty()
    path = cable.path
    os.close(cable.slave)
    with gone_afterwards(subprocess.Popen([sys.executable, "-c", lock, path], stdout=subprocess.PIPE)) as other:
        try:
            assert other.stdout is not None
            assert other.stdout.readline() == b"1\n"
            with pytest.raises(SetupError) as wrong:
                asyncio.run(open_serial(SerialAddress(path), LINE, stamp))
            assert f"process {other.pid}" in wrong.value.problem.problem
        finally:
            other.kill()
            os.close(cable.master)


def test_a_forbidden_port_says_which_group_would_help() -> None:
    """Root's port is another user's here, and an ordinary user's own is closed to its owner."""

    async def main(cable: Tty) -> None:
        group = grp.getgrnam("dialout") if os.geteuid() == 0 else grp.getgrgid(os.getgid())
        os.fchown(cable.slave, -1, group.gr_gid)
        os.fchmod(cable.slave, 0o060)
        with without_rights(), pytest.raises(SetupError) as wrong:
            await open_serial(SerialAddress(cable.path), LINE, stamp)
        assert wrong.value.problem.code.value == "permission-denied"
        assert f"usermod -aG {group.gr_name}" in wrong.value.problem.remedy

    on_tty(main)


def test_unplugged_is_not_just_nothing_to_read() -> None:
    async def main(cable: Tty) -> None:
        port = await cable.open()
        os.write(cable.master, b"last words")
        cable.pull()
        assert await end_of(port) in {"unplugged", "reading failed: Input/output error"}
        await port.close()

    on_tty(main)


def test_writing_to_an_unplugged_port_is_no_error_of_ours() -> None:
    async def main(cable: Tty) -> None:
        port = await cable.open()
        cable.pull()
        port.write(b"anybody there?")
        assert await end_of(port)
        port.write(b"hello?")
        await port.close()

    on_tty(main)


def test_a_device_that_takes_no_bytes_ends_the_connection_and_closing_does_not_wait_for_it(says: Says) -> None:
    async def main(cable: Tty) -> None:
        port = await cable.open()
        for _ in range(20):
            port.write(b"x" * 10_000)
        says(await end_of(port))
        await asyncio.wait_for(port.close(), 60)

    on_tty(main)


def test_what_the_kernel_still_holds_is_thrown_away_before_the_port_is_closed() -> None:
    async def main(cable: Tty) -> None:
        port = await cable.open()
        fcntl.ioctl(cable.master, termios.TIOCPKT, struct.pack("i", 1))  # the master is told of what its slave does
        port.write(b"never taken")
        await port.close()
        told = os.read(cable.master, 4096)[0]
        assert told & termios.TIOCPKT_FLUSHREAD
        assert told & termios.TIOCPKT_FLUSHWRITE

    on_tty(main)


def test_what_is_written_while_the_line_is_full_follows_later_in_order() -> None:
    async def main(cable: Tty) -> None:
        port = await cable.open()
        said = b"".join(b"%05d " % number for number in range(5_000))
        port.write(said)
        loop = asyncio.get_running_loop()
        heard = bytearray()
        everything = asyncio.Event()

        def listen() -> None:
            heard.extend(os.read(cable.master, 4096))
            if len(heard) >= len(said):
                everything.set()

        loop.add_reader(cable.master, listen)
        await asyncio.wait_for(everything.wait(), 60)
        loop.remove_reader(cable.master)
        assert bytes(heard) == said
        await port.close()

    on_tty(main)


def test_what_nobody_takes_is_left_to_the_kernel_and_comes_later_in_order() -> None:
    async def main(cable: Tty) -> None:
        port = await cable.open()
        said = b"".join(b"%05d " % number for number in range(BACKLOG_BYTES_MAX // 3))
        left = bytearray(said)
        loop = asyncio.get_running_loop()

        def speak() -> None:
            written = os.write(cable.master, left)
            del left[:written]
            if not left:
                loop.remove_writer(cable.master)

        loop.add_writer(cable.master, speak)
        await asyncio.sleep(0.3)  # long enough for all of it, if anybody took it
        assert left, "everything was taken into memory"
        heard = b""
        while len(heard) < len(said):
            heard += (await port.read()).data
        assert heard == said
        await port.close()

    on_tty(main)


def test_closing_twice_is_closing_once_and_ends_reading() -> None:
    async def main(cable: Tty) -> None:
        port = await cable.open()
        await asyncio.gather(port.close(), port.close())
        await port.close()
        with pytest.raises(LinkError, match="closed"):
            await port.read()

    on_tty(main)


def test_cancelled_while_opening_nothing_stays_open() -> None:
    async def main(cable: Tty) -> None:
        with no_thread_free():
            opening = asyncio.ensure_future(cable.open())
            await asyncio.sleep(0)
            opening.cancel()
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await opening
        fcntl.ioctl(cable.slave, termios.TIOCNXCL)
        port = await cable.open()
        await port.close()

    on_tty(main)


def test_a_read_that_is_cancelled_loses_nothing() -> None:
    async def main(cable: Tty) -> None:
        port = await cable.open()
        for number in range(20):
            reading = asyncio.ensure_future(port.read())
            await asyncio.sleep(0)
            reading.cancel()
            with pytest.raises(asyncio.CancelledError):
                await reading
            os.write(cable.master, b"%d" % number)
            assert (await port.read()).data == b"%d" % number
        await port.close()

    on_tty(main)
