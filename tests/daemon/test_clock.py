"""The clock gives both kinds of time in nanoseconds, and a calendar says to which day a moment belongs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon import clock
from daemon.clock import Calendar, day_of, rfc3339

PACIFIC = ZoneInfo("America/Los_Angeles")
HAVANA = ZoneInfo("America/Havana")  # its clocks go from midnight straight to one


def ns(text: str) -> int:
    return round(datetime.fromisoformat(text).timestamp()) * 10**9


def test_a_stamp_lies_between_the_system_clocks_readings() -> None:
    utc_before, mono_before = time.time_ns(), time.monotonic_ns()
    stamp = clock.stamp()
    assert utc_before <= stamp.utc_ns <= time.time_ns()
    assert mono_before <= stamp.mono_ns <= time.monotonic_ns()


def test_days_are_counted_from_the_epoch() -> None:
    assert day_of(date(1970, 1, 1)) == 0
    assert day_of(date(2009, 1, 1)) == 14_245  # date -u -d 2009-01-01 +%s, divided by 86,400


@pytest.mark.parametrize(
    ("moment", "day", "midnight"),
    [
        ("2026-03-08T07:59:59+00:00", date(2026, 3, 7), "2026-03-08T00:00:00-08:00"),
        ("2026-03-08T08:00:00+00:00", date(2026, 3, 8), "2026-03-09T00:00:00-07:00"),  # a day of 23 hours
        ("2026-11-01T06:59:59+00:00", date(2026, 10, 31), "2026-11-01T00:00:00-07:00"),
        ("2026-11-01T12:00:00-08:00", date(2026, 11, 1), "2026-11-02T00:00:00-08:00"),  # one of 25
    ],
)
def test_the_day_is_the_tables_own(moment: str, day: date, midnight: str) -> None:
    calendar = Calendar(PACIFIC)
    assert calendar.day(ns(moment)) == day_of(day)
    assert calendar.next_midnight_ns(ns(moment)) == ns(midnight)


def test_where_clocks_skip_midnight_the_day_begins_with_the_skip() -> None:
    assert Calendar(HAVANA).next_midnight_ns(ns("2026-03-07T12:00:00-05:00")) == ns("2026-03-08T01:00:00-04:00")


@pytest.fixture(params=["UTC", "America/Los_Angeles", "Asia/Kolkata"])
def machine_zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[ZoneInfo]:
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield ZoneInfo(request.param)
    monkeypatch.undo()
    time.tzset()


def test_without_a_zone_the_day_is_the_machines(machine_zone: ZoneInfo) -> None:
    for hour in range(0, 24 * 400, 7):
        moment = round(datetime(2026, 1, 1, tzinfo=UTC).timestamp() + hour * 3600) * 10**9
        assert Calendar().day(moment) == Calendar(machine_zone).day(moment)
        assert Calendar().next_midnight_ns(moment) == Calendar(machine_zone).next_midnight_ns(moment)


@given(
    st.integers(0, 4_000_000_000_000_000_000),
    st.sampled_from([PACIFIC, HAVANA, ZoneInfo("Asia/Kolkata"), ZoneInfo("Pacific/Apia"), UTC]),
)
def test_midnight_is_the_first_moment_of_the_next_day(moment: int, zone: ZoneInfo) -> None:
    calendar = Calendar(zone)
    midnight = calendar.next_midnight_ns(moment)
    assert moment < midnight
    assert calendar.day(midnight) > calendar.day(moment)
    assert calendar.day(midnight - 1) == calendar.day(moment)


@pytest.mark.parametrize(
    ("utc_ns", "text"),
    [
        (0, "1970-01-01T00:00:00.000000Z"),
        (1_000_000_000, "1970-01-01T00:00:01.000000Z"),
        (1_790_000_000_999_999_999, "2026-09-21T14:13:20.999999Z"),
    ],
)
def test_a_moment_never_rounds_up_to_one_that_has_not_come(utc_ns: int, text: str) -> None:
    assert rfc3339(utc_ns) == text
