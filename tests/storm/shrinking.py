"""A plan of faults that fails, made shorter: what is left is what it takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from tests.storm.faults import Fault

RUNS_MAX: Final = 60


def shrunk(plan: Sequence[Fault], fails: Callable[[Sequence[Fault]], bool], runs_max: int = RUNS_MAX) -> list[Fault]:
    """Return a part of a failing plan that still fails. Try to leave out halves first, then ever smaller pieces."""
    kept, size, runs = list(plan), max(1, len(plan) // 2), 0
    while runs < runs_max:
        tried = False
        for start in range(0, len(kept), size):
            without = kept[:start] + kept[start + size :]
            runs += 1
            if runs <= runs_max and without != kept and fails(without):
                kept, tried = without, True
                break
        if not tried:
            if size == 1:
                break
            size = max(1, size // 2)
    return kept
