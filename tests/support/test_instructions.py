"""The straight line's pure parts cost no more instructions than they did."""

from __future__ import annotations

import json
import sys

from tests.support.instructions import KEPT, measured

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
