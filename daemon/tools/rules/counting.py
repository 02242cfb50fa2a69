"""Long counts in parts: spread over the machine's processors, with a bar that says how far they have come.

What counts is pure and is sent to each process once; the parts are orbits of deals, and their counts add up. The bar
goes to the terminal's error side and is not drawn elsewhere, so that output can be piped.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Final, TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from daemon.rules.audit.auditor import Counts, Orbits

ItemT = TypeVar("ItemT")

PARTS: Final = 128


class ProgressWatch:
    """Runs counts, and shows how far they are at a terminal."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True)

    def count(self, counts: Counts, orbits: Orbits, label: str) -> list[int]:
        """Return the counts over all the orbits."""
        size = -(-len(orbits) // PARTS)
        parts = [orbits[start : start + size] for start in range(0, len(orbits), size)]
        with self._bar() as bar, _processes(counts) as pool:
            task = bar.add_task(label, total=len(parts))
            totals: list[int] = []
            for part in pool.map(_count, parts):
                totals = [a + b for a, b in zip(totals, part, strict=True)] if totals else part
                bar.advance(task)
            return totals

    def each(self, items: Sequence[ItemT], label: str) -> Iterator[ItemT]:
        """Yield the items one by one, for work that is done here, with the bar behind it."""
        with self._bar() as bar:
            yield from bar.track(items, description=label)

    def run(self, tasks: Sequence[Callable[[], ItemT]], label: str) -> Iterator[ItemT]:
        """Yield what the tasks return, in their order, from as many processes as there are processors."""
        with self._bar() as bar, _processes() as pool:
            yield from bar.track(pool.map(_run, tasks), total=len(tasks), description=label)

    def _bar(self) -> Progress:
        columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
        return Progress(*columns, console=self._console, transient=True, disable=not self._console.is_terminal)


def _processes(*taken: Counts) -> ProcessPoolExecutor:
    workers = len(os.sched_getaffinity(0))
    # Forking would copy the bar's thread in whatever state it is; a fresh interpreter has no such state.
    return ProcessPoolExecutor(workers, get_context("spawn"), _take, taken)


_taken: list[Counts] = []
"""What this process counts with: put here once by the pool, since sending it with every part would cost more."""


def _take(*counts: Counts) -> None:
    _taken[:] = counts


def _count(part: Orbits) -> list[int]:
    return _taken[0].count(part)


def _run(task: Callable[[], ItemT]) -> ItemT:
    return task()
