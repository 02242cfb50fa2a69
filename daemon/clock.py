"""The one place where the daemon reads the clocks, and where moments become days.

Whoever needs the time is given `stamp` by the composition root, so that a test, a replay and a run in virtual
time can give another one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from datetime import time as time_of_day
from typing import Final, TypeAlias

from daemon.rules.limits import Day
from drivers.events import Stamp

_S: Final = 1_000_000_000
_NS_PER_US: Final = 1_000
_US_PER_S: Final = 1_000_000
_EPOCH: Final = date(1970, 1, 1)

Clock: TypeAlias = Callable[[], Stamp]


def stamp() -> Stamp:
    """Now. Wall-clock time can jump and is for people; only differences of monotonic time measure anything."""
    return Stamp(utc_ns=time.time_ns(), mono_ns=time.monotonic_ns())


def rfc3339(utc_ns: int) -> str:
    """A moment to the microsecond, in UTC."""
    seconds, microseconds = divmod(utc_ns // _NS_PER_US, _US_PER_S)
    moment = datetime.fromtimestamp(seconds, UTC).replace(microsecond=microseconds)
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def day_of(day: date) -> Day:
    """A day of the calendar as the pure parts count it."""
    return Day((day - _EPOCH).days)


@dataclass(frozen=True, slots=True)
class Calendar:
    """The table's own days: limits change at its midnight. Without a zone, the machine's."""

    zone: tzinfo | None = None

    def day(self, utc_ns: int) -> Day:
        """The day that this moment belongs to."""
        return day_of(self._date(utc_ns))

    def next_midnight_ns(self, utc_ns: int) -> int:
        """The first moment of the next day; where clocks skip midnight itself, that is the moment of the skip."""
        tomorrow = self._date(utc_ns) + timedelta(days=1)
        midnight = datetime.combine(tomorrow, time_of_day(), self.zone)  # without a zone: local to the machine
        return round(midnight.timestamp()) * _S

    def _date(self, utc_ns: int) -> date:
        return datetime.fromtimestamp(utc_ns // _S, UTC).astimezone(self.zone).date()
