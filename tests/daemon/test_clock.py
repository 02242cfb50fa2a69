"""The clock gives both kinds of time, in nanoseconds."""

from __future__ import annotations

import time

from daemon import clock


def test_a_stamp_lies_between_the_system_clocks_readings() -> None:
    utc_before, mono_before = time.time_ns(), time.monotonic_ns()
    stamp = clock.stamp()
    assert utc_before <= stamp.utc_ns <= time.time_ns()
    assert mono_before <= stamp.mono_ns <= time.monotonic_ns()
