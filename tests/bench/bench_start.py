"""What a start costs, and what a table takes that has just started: CPU and memory of `feltd run` as it ships.

The floor of a start is an interpreter that does nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import sleep

import pytest

from tests.bench.conftest import Figures
from tests.daemon.test_run import file, heard, running

TIMES = 5
START_CPU_S_MAX = 0.5
MEMORY_MB_MAX = 60.0
IDLE_S = 60.0
WATCHDOG_S = 30.0  # systemd/feltd@.service: how often the table tells that it lives costs more than all else
IDLE_PERCENT_MAX = 0.2
"""Of one core: no device, no broker, a journal that is checked."""
_TICKS_S = os.sysconf("SC_CLK_TCK")

__all__ = ["file"]  # the fixture


def cpu_s(pid: int) -> float:
    """User and system time of all its threads (proc(5): fields 14 and 15, counted behind the name)."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_S


def memory_mb(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1e3


def interpreter_cpu_s() -> float:
    """What an interpreter costs that ends at once."""
    before = os.times()
    subprocess.run([sys.executable, "-c", ""], check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


@pytest.mark.timeout(300)
def test_a_start_and_what_it_takes(file: Path, figures: Figures) -> None:
    cpu, memory = [], []
    for _ in range(TIMES):
        with running(file) as (process, manager):
            assert heard(manager).startswith("READY=1")
            cpu.append(cpu_s(process.pid))
            memory.append(memory_mb(process.pid))
    figures.keep("an interpreter alone, of CPU", median(interpreter_cpu_s() for _ in range(TIMES)), "s")
    figures.hold("memory of a table that has started", median(memory), "MB", bar=MEMORY_MB_MAX)
    figures.aim("import and start to READY, of CPU", min(cpu), "s", bar=START_CPU_S_MAX)  # of a processor's own speed


@pytest.mark.timeout(300)
def test_an_idle_table(file: Path, figures: Figures) -> None:
    with running(file, WATCHDOG_S) as (process, manager):
        assert heard(manager).startswith("READY=1")
        sleep(5.0)  # what a start leaves to do
        began_s = cpu_s(process.pid)
        sleep(IDLE_S)
        percent = (cpu_s(process.pid) - began_s) / IDLE_S * 100
        figures.hold("a table without device and broker, of a core", percent, "%", bar=IDLE_PERCENT_MAX)
