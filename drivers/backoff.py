"""How long to wait before the next try. Devices and the broker use it."""

from __future__ import annotations

from collections.abc import Callable


def whole_length() -> float:
    """Return no jitter: a table has few devices, and a test must be repeatable."""
    return 1.0


class Backoff:
    """Waits that double up to a bound, and are short again after `reset`."""

    def __init__(self, least_s: float, most_s: float, *, jitter: Callable[[], float] = whole_length) -> None:
        """`jitter` gives numbers from 0 to 1. A wait is between half and all of its nominal length."""
        self._least_s = least_s
        self._most_s = most_s
        self._jitter = jitter
        self._nominal_s = least_s

    def next_s(self) -> float:
        """Return the wait that is due now. The next one is longer."""
        wait_s = self._nominal_s * (1 + self._jitter()) / 2
        self._nominal_s = min(2 * self._nominal_s, self._most_s)
        return wait_s

    def reset(self) -> None:
        """Begin with the shortest wait again, after a success."""
        self._nominal_s = self._least_s
