"""Wrong names and passwords, so that nobody tries them without end, and who tries many shuts out nobody elsewhere.

A house's screens can come through one proxy, and so from one address. So who is named in the site's file of people is
counted apart: wrong names from that address, however many, keep nobody out who is named there.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Final

FAILURES_MAX: Final = 5  # of one user from one address
FAILURES_WITHIN_S: Final = 60.0
FAILURES_OF_AN_ADDRESS_MAX: Final = 200  # many people can sit behind one
ADDRESSES_MAX: Final = 1_000


class Failures:
    """Wrong names and passwords of the last minute, by address: one that tries many shuts out no other."""

    def __init__(self, is_named: Callable[[str], bool] = lambda _: False) -> None:
        """`is_named` says of a name whether it stands in the site's file of people."""
        self._is_named = is_named
        self._of: OrderedDict[str, deque[tuple[float, str]]] = OrderedDict()

    def add(self, name: str, address: str) -> None:
        """Note one. If there are too many addresses, the one is forgotten from which nobody failed for longest."""
        place = self._place(name, address)
        self._of.setdefault(place, deque(maxlen=FAILURES_OF_AN_ADDRESS_MAX)).append((_now_s(), name))
        self._of.move_to_end(place)
        while len(self._of) > ADDRESSES_MAX:
            self._of.popitem(last=False)

    def are_too_many(self, name: str, address: str) -> bool:
        """Return whether this address has to wait, for every name or for this one."""
        place = self._place(name, address)
        failures = self._of.get(place)
        if failures is None:
            return False
        while failures and failures[0][0] <= _now_s() - FAILURES_WITHIN_S:
            failures.popleft()
        if not failures:
            del self._of[place]
        of_name = sum(each == name for _, each in failures)
        return of_name >= FAILURES_MAX or len(failures) >= FAILURES_OF_AN_ADDRESS_MAX

    def _place(self, name: str, address: str) -> str:
        return f"{name} at {address}" if self._is_named(name) else address


def _now_s() -> float:
    return asyncio.get_running_loop().time()
