"""The one place where the daemon reads the clocks.

Whoever needs the time is given `stamp` by the composition root, so that a test, a replay and a run in virtual
time can give another one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeAlias

from drivers.events import Stamp

Clock: TypeAlias = Callable[[], Stamp]


def stamp() -> Stamp:
    """Now. Wall-clock time can jump and is for people; only differences of monotonic time measure anything."""
    return Stamp(utc_ns=time.time_ns(), mono_ns=time.monotonic_ns())
