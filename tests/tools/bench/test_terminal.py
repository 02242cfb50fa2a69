"""`feltd bench` on a terminal: the picture, every key, and the terminal as it was afterwards."""

from __future__ import annotations

import fcntl
import os
import select
import struct
import subprocess
import termios
import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from daemon.errors import ExitStatus
from sim_hardware.faults import SHUFFLER_FAULTS, FaultName
from tests.tools.bench.running import FELTD, RUN_S_MAX, children_of, is_alive

SIZE = (24, 80)
SCREEN_ON, SCREEN_OFF = "\x1b[?1049h", "\x1b[?1049l"
CURSOR_BACK = "\x1b[?25h"
CTRL_C = "\x03"
LEADER = ("sh", "-c", 'trap : HUP; "$@"', "leader")
"""Like make: it hears that the terminal is gone, and waits for what it started."""
AT_ONCE = (FaultName.WRONG_MODE, FaultName.SILENCE)  # they strike before they could be switched off


class Terminal:
    """A terminal with the bench as its foreground process."""

    def __init__(self, *leader: str, **environ: str) -> None:
        self.master, self.slave = os.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
        self.before = termios.tcgetattr(self.slave)
        self.shown = ""
        self.is_there = True
        command = [*leader, str(FELTD), "bench", "--speed", "20"]
        whole = {**os.environ, "TERM": "xterm-256color", **environ}
        slave = self.slave
        self.process = subprocess.Popen(command, preexec_fn=lambda: os.login_tty(slave), env=whole)  # noqa: PLW1509

    def press(self, key: str) -> None:
        os.write(self.master, key.encode())

    def until(self, words: str) -> None:
        """Until these words are shown after all that was waited for before."""
        deadline = time.monotonic() + RUN_S_MAX
        while words not in self.shown:
            assert time.monotonic() < deadline, f"{words!r} was not shown; the end of it: {self.shown[-2000:]}"
            self._read(deadline)
        self.shown = self.shown.partition(words)[2]

    def ended(self) -> int:
        """What it still says, and its exit status."""
        deadline = time.monotonic() + RUN_S_MAX
        while self.process.poll() is None:
            assert time.monotonic() < deadline, "it did not end"
            self._read(time.monotonic() + 0.1)
        self._read(time.monotonic())
        return self.process.returncode

    def _read(self, until_s: float) -> None:
        ready, _, _ = select.select([self.master], [], [], max(0.0, until_s - time.monotonic()))
        if ready:
            self.shown += os.read(self.master, 65_536).decode("utf-8", "ignore")

    def hang_up(self) -> None:
        """Take the terminal away, as a window that is closed does."""
        os.close(self.slave)
        os.close(self.master)
        self.is_there = False

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()
        if self.is_there:
            os.close(self.master)
            os.close(self.slave)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    opened = Terminal()
    try:
        yield opened
    finally:
        opened.close()


@pytest.mark.parametrize("key", ["q", CTRL_C], ids=["q", "Ctrl-C"])
def test_it_ends_at_a_key_and_leaves_the_terminal_as_it_was(key: str, terminal: Terminal) -> None:
    terminal.until(SCREEN_ON)
    terminal.until("RANGE")
    terminal.press(key)
    assert terminal.ended() == ExitStatus.OK
    assert termios.tcgetattr(terminal.slave) == terminal.before
    assert CURSOR_BACK in terminal.shown
    terminal.until(SCREEN_OFF)
    assert "the same seed gives the same results" in terminal.shown


def test_the_keys_pause_play_and_switch_each_fault_on_and_off(terminal: Terminal) -> None:
    terminal.until("place your bets")
    terminal.press("p")
    terminal.until("PAUSED")
    for key, name in zip("0123456789abcdef", SHUFFLER_FAULTS, strict=True):
        if name in AT_ONCE:
            continue
        terminal.press(key)
        terminal.until(f"fault {name.value}: armed")
        terminal.press(key)
        terminal.until(f"fault {name.value}: off")
    terminal.press("p")
    terminal.until("round settled")
    terminal.press("q")
    assert terminal.ended() == ExitStatus.OK


@pytest.mark.parametrize("environ", [{}, {"TERM": "dumb"}], ids=["picture", "lines"])
def test_it_ends_with_its_terminal_although_the_leader_of_the_session_waits_for_it(environ: dict[str, str]) -> None:
    """As below `make` in tmux: the kernel tells the leader that the terminal is gone, and nobody tells the bench."""
    with closing(Terminal(*LEADER, **environ)) as terminal:
        terminal.until("place your bets")
        [bench] = children_of(terminal.process.pid)
        started = [bench, *children_of(bench)]
        assert len(started) == 4  # with the broker, the daemon and the page
        terminal.hang_up()
        assert terminal.process.wait(RUN_S_MAX) == ExitStatus.OK
        assert not [pid for pid in started if is_alive(pid)]


@pytest.mark.parametrize("environ", [{}, {"TERM": "dumb"}], ids=["picture", "lines"])
def test_a_key_that_was_pressed_before_anything_was_shown_counts(environ: dict[str, str]) -> None:
    """On a busy machine the first lines came before the bench read keys, and a q between them was thrown away."""
    with closing(Terminal(**environ)) as terminal:
        terminal.press("q")
        assert terminal.ended() == ExitStatus.OK, terminal.shown


@pytest.mark.parametrize("environ", [{"TERM": "dumb"}, {"PYTHONIOENCODING": "latin-1"}], ids=["dumb", "latin-1"])
def test_a_terminal_that_cannot_show_the_picture_gets_lines_and_has_the_key_to_end_it(environ: dict[str, str]) -> None:
    with closing(Terminal(**environ)) as terminal:
        terminal.until("round 1: place your bets")
        terminal.press("q")
        assert terminal.ended() == ExitStatus.OK
        assert termios.tcgetattr(terminal.slave) == terminal.before
        assert SCREEN_ON not in terminal.shown
        assert "the same seed gives the same results" in terminal.shown
