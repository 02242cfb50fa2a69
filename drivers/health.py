"""Judges whether a device is still there, and how often the same complaint is repeated. Pure: time is passed in."""

from __future__ import annotations

from typing import Final, TypeAlias

from drivers.events import Anomaly, CameBack, WentStale
from drivers.profile import Freshness

NewsOfHealth: TypeAlias = WentStale | CameBack

_S: Final = 1_000_000_000
REPEAT_NS_MIN: Final = 10 * _S  # noise can make thousands of complaints a second, and the journal keeps each of them
STEADY_NS: Final = 10 * _S
CUT_SHORT_MAX: Final = 4  # a device server that is being set up starts again once or twice


class SilenceWatch:
    """Says when a device is stale, and when it is fresh again. `Freshness` has the limits."""

    __slots__ = ("_heard_ns", "_is_stale", "_limits", "_steady_since_ns")

    def __init__(self, limits: Freshness, now_ns: int) -> None:
        self._limits: Final = limits
        self._heard_ns = now_ns
        self._is_stale = False
        self._steady_since_ns: int | None = None

    def due_ns(self) -> int:
        """Return when the present silence reaches the next limit."""
        return self._heard_ns + (self._limits.reopen_ns if self._is_stale else self._limits.stale_ns)

    def is_over(self, now_ns: int) -> bool:
        """Return whether the silence is so long that the connection has to be opened again."""
        return now_ns >= self._heard_ns + self._limits.reopen_ns

    def check(self, heard_ns: int | None, now_ns: int) -> NewsOfHealth | None:
        """Return what has changed, given when the device was last heard."""
        if heard_ns is not None and heard_ns > self._heard_ns:
            return self._note_heard(heard_ns)
        if not self._is_stale and now_ns >= self._heard_ns + self._limits.stale_ns:
            self._is_stale, self._steady_since_ns = True, None
            return WentStale(now_ns - self._heard_ns)
        return None

    def _note_heard(self, heard_ns: int) -> CameBack | None:
        silence_ns, self._heard_ns = heard_ns - self._heard_ns, heard_ns
        if not self._is_stale:
            return None
        if self._steady_since_ns is None or silence_ns >= self._limits.stale_ns:
            self._steady_since_ns = heard_ns
        if heard_ns - self._steady_since_ns < self._limits.steady_ns:
            return None
        self._is_stale = False
        return CameBack()


class Rivalry:
    """Finds that another program takes the device away again and again.

    Many device servers serve one client, and it is the last that connected. Two tables with the same address then cut
    each other off at every try. Each of them sees a device that comes up and soon closes the connection.
    """

    __slots__ = ("_cut_short",)

    def __init__(self) -> None:
        self._cut_short = 0

    def ended(self, up_ns: int, *, was_closed: bool) -> bool:
        """Note the end of a connection that was up for `up_ns`. Return True once in a row of early ends."""
        self._cut_short = self._cut_short + 1 if was_closed and up_ns < STEADY_NS else 0
        return self._cut_short == CUT_SHORT_MAX


class Complaints:
    """Lets each kind of anomaly through at most every `REPEAT_NS_MIN`, with the number of those that it held back."""

    __slots__ = ("_held", "_told_ns")

    def __init__(self) -> None:
        self._told_ns: Final[dict[str, int]] = {}
        self._held: Final[dict[str, int]] = {}

    def admit(self, anomaly: Anomaly, now_ns: int) -> Anomaly | None:
        """Return the anomaly as it may be reported now, or None."""
        code = anomaly.code
        told_ns = self._told_ns.get(code)
        if told_ns is not None and now_ns < told_ns + REPEAT_NS_MIN:
            self._held[code] = self._held.get(code, 0) + 1
            return None
        self._told_ns[code] = now_ns
        held = self._held.pop(code, 0)
        return Anomaly(code, f"{anomaly.detail}; {held} more like it before") if held else anomaly
