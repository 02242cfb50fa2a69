"""The running event loop's clock in nanoseconds, the same way in real and in virtual time."""

from __future__ import annotations

import asyncio
from typing import Final

NS_PER_S: Final = 1_000_000_000


def loop_ns() -> int:
    """Now. Rounded, because a loop counts in floating seconds: cut off, a timer that has come could seem not due."""
    return round(asyncio.get_running_loop().time() * NS_PER_S)


def loop_s(time_ns: int) -> float:
    """A time for the loop's `call_at`."""
    return time_ns / NS_PER_S
