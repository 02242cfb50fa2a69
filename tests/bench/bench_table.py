"""What a whole table costs: processor time of the daemon while a round is dealt at the pace of fast people."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from time import perf_counter

# Twice as fast as the emulated dealer's life: about thirty seconds from shuffle to shuffle, with six seats.
SPEED = "2"
ROUNDS = "2"
SHARE_MAX = 0.05
_TICKS_S = os.sysconf("SC_CLK_TCK")


def daemon_of(bench: int) -> list[int]:
    """The process id of `feltd run` among the bench's children, while it runs."""
    children = map(int, Path(f"/proc/{bench}/task/{bench}/children").read_text().split())
    return [child for child in children if b"run" in Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")]


def processor_s(process: int) -> float:
    """User and system time so far (proc(5), fields 14 and 15)."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_S


def test_a_table_at_the_pace_of_fast_people_leaves_a_core_to_others() -> None:
    words = (sys.executable, "-m", "daemon", "bench", "--rounds", ROUNDS, "--speed", SPEED, "--seed", "7")
    readings: list[tuple[float, float]] = []  # the moment, and what the daemon had used by then
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as bench:
        assert bench.stdout is not None
        for _ in bench.stdout:  # a line an event; the summary comes when the daemon has ended
            with suppress(FileNotFoundError):
                readings += [(perf_counter(), processor_s(daemon)) for daemon in daemon_of(bench.pid)]
    assert bench.returncode == 0
    (begun, used_before_s), (ended, used_s) = readings[0], readings[-1]
    lasted_s, used_s = ended - begun, used_s - used_before_s
    share = used_s / lasted_s
    sys.stdout.write(f"\none table: {used_s:.2f} s of a core in {lasted_s:.0f} s, {share:.2%}\n")
    assert share < SHARE_MAX
