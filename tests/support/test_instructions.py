"""The straight line's pure parts cost no more instructions than they did."""

from __future__ import annotations

import gc
import json
import sys

from tests.support.instructions import KEPT, instructions, measured

COUNTED_BY = (3, 11)
MORE = 1.05 if sys.version_info[:2] == COUNTED_BY else 1.5
"""Interpreters differ in what they count. The kept numbers are of one of them."""


def test_no_part_costs_more_instructions_than_were_kept() -> None:
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    now = measured()
    assert now.keys() == kept.keys(), "python -m tests.support.instructions writes them anew"
    more = {name: (kept[name], count) for name, count in now.items() if count > kept[name] * MORE}
    assert not more, "each with the instructions that were kept, and those of today"


def test_a_count_is_the_same_each_time() -> None:
    """But for a comparison more or less in a dictionary, whose order comes from where objects lie in memory."""
    first, second = measured(), measured()
    assert first.keys() == second.keys()
    assert [name for name in first if abs(first[name] - second[name]) > first[name] // 1_000] == []


def test_what_others_left_behind_is_not_counted() -> None:
    """After a thousand other tests, twins whose refusals take the same work differed by what the collector ran."""

    class Left:
        def __init__(self) -> None:
            self.own = self

        def __del__(self) -> None:
            sum(range(3))

    kept = gc.get_threshold()
    gc.set_threshold(100)
    try:
        counts = {instructions(lambda: [Left() for _ in range(100)]) for _ in range(50)}
    finally:
        gc.set_threshold(*kept)
    assert len(counts) == 1, f"one call after the other cost {sorted(counts)}"
