"""How long to wait before trying again."""

from __future__ import annotations

import random
from collections.abc import Callable


class Backoff:
    """Twice as long each time up to a bound, and spread, so that a hundred tables do not come back at once."""

    def __init__(self, least_s: float, most_s: float, spread: Callable[[], float] = random.random) -> None:
        """`spread` gives numbers from 0 to 1; a wait is between half and all of its nominal length."""
        self._least_s = least_s
        self._most_s = most_s
        self._spread = spread
        self._nominal_s = least_s

    def next_s(self) -> float:
        """The wait that is due now."""
        wait_s = self._nominal_s * (1 + self._spread()) / 2
        self._nominal_s = min(2 * self._nominal_s, self._most_s)
        return wait_s

    def reset(self) -> None:
        """It worked."""
        self._nominal_s = self._least_s
