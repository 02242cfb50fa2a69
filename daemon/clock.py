"""The one place where the daemon reads the clocks, and where moments become days.

The composition root passes `stamp` to every part that needs the time, so that tests in virtual time can pass another.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, tzinfo
from datetime import time as time_of_day
from functools import lru_cache
from typing import Final, TypeAlias

from daemon.rules.limits import Day
from drivers.events import Stamp
from protocols.frozen import dataclass

_S: Final = 1_000_000_000
_NS_PER_US: Final = 1_000
_EPOCH: Final = date(1970, 1, 1)
_EPOCH_UTC: Final = datetime(1970, 1, 1, tzinfo=UTC)

Clock: TypeAlias = Callable[[], Stamp]


def stamp() -> Stamp:
    """Return both clocks now. Wall-clock time can jump and is for people. Measure only with monotonic time."""
    return Stamp(utc_ns=time.time_ns(), mono_ns=time.monotonic_ns())


@lru_cache(1)  # all facts of an input have its moment
def rfc3339(utc_ns: int) -> str:
    """Return a moment as text in UTC, to the microsecond."""
    moment = _EPOCH_UTC + timedelta(microseconds=utc_ns // _NS_PER_US)
    return moment.isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"


def day_of(day: date) -> Day:
    """Return the day's number, counted from 1970-01-01."""
    return Day((day - _EPOCH).days)


@dataclass(frozen=True, slots=True)
class Calendar:
    """The days of the table's time zone: limits change at its midnight. Without a zone, the machine's is used."""

    zone: tzinfo | None = None

    def day(self, utc_ns: int) -> Day:
        """Return the day of this moment."""
        return day_of(self._date(utc_ns))

    def next_midnight_ns(self, utc_ns: int) -> int:
        """Return the first moment of the next day. Where clocks skip midnight, that is the moment after the skip."""
        tomorrow = self._date(utc_ns) + timedelta(days=1)
        midnight = datetime.combine(tomorrow, time_of_day(), self.zone)  # without a zone: local to the machine
        return round(midnight.timestamp()) * _S

    def _date(self, utc_ns: int) -> date:
        return datetime.fromtimestamp(utc_ns // _S, UTC).astimezone(self.zone).date()
