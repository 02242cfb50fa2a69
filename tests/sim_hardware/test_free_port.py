"""A free port is told to one process only: not to another worker of the run, to another run, root or user."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from tests.sim_hardware.files import open_files
from tests.sim_hardware.free_port import PORTS, free_port
from tests.support.processes import gone_afterwards

IMPORTS = "import os; from tests.sim_hardware.free_port import free_port"
ASKS = f"{IMPORTS}; print(*[free_port() for _ in range(40)], flush=True); input()"
CLOSED_TO_BROWSERS = {10_080}
"""Above 10,000, of the bad ports of https://fetch.spec.whatwg.org/#port-blocking: a page there cannot be opened."""
FORKS = (
    f"{IMPORTS}; free_port(); pid = os.fork(); print(*[free_port() for _ in range(100)], flush=True); pid and os.wait()"
)
"""The parent keeps its ports until the child has taken its own: those of a process that ended are free again."""


@contextmanager
def another_process() -> Iterator[set[int]]:
    """Yield the ports that a process was told, which runs until the block ends."""
    asks = [sys.executable, "-c", ASKS]
    process = subprocess.Popen(asks, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with gone_afterwards(process):
        assert process.stdout is not None
        yield {int(port) for port in process.stdout.readline().split()}


def test_processes_at_once_are_told_different_ports() -> None:
    with ExitStack() as all_of_them:
        told = [all_of_them.enter_context(another_process()) for _ in range(12)]
        ours = {free_port() for _ in range(40)}
    assert [len(ports) for ports in told] == [40] * 12
    assert len(set.union(ours, *told)) == 13 * 40


def test_a_fork_is_told_none_of_its_parents_ports() -> None:
    done = subprocess.run([sys.executable, "-c", FORKS], check=True, capture_output=True, text=True)
    parent, child = ({int(port) for port in line.split()} for line in done.stdout.splitlines())
    assert not parent & child


def test_a_thousand_questions_open_no_further_file() -> None:
    before = open_files()
    for _ in range(1_000):
        free_port()
    assert open_files() == before


def test_a_browser_opens_every_port_that_is_told() -> None:
    assert not CLOSED_TO_BROWSERS & set(PORTS)
