"""Days by the table's own calendar, in virtual time through real ones: when they begin, and what limits hold then."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

import pytest

from daemon import app
from daemon.app import Graph, Outside
from daemon.clock import day_of
from daemon.config.load import load
from daemon.journal.creation import create
from daemon.rules.wagers import WagerName
from daemon.table.inputs import Action, Bet, Configured, DayBegan, Press, Request, VoidRound
from daemon.table.state import Phase
from daemon.table.step import Answer
from daemon.table.vocabulary import Actor, RequestId, SeatNumber
from drivers.events import Button, DeviceEvent, DeviceName, DeviceReport, LinkUp, ModeChanged, Stamp
from sim_hardware.loop import NS_PER_S, loop_ns, run
from tests.daemon.config.files import changed
from tests.support.sentences import Says
from tests.table.playing import IDENTITY

PACIFIC: Final = "America/Los_Angeles"
MINUTE_S: Final = 60
HOUR_S: Final = 3600
LATE_NS_MAX: Final = 1_000_000  # of virtual time: a sleep of floating seconds ends a little after its moment
OLD_MOST, NEW_MOST = 30_000, 40_000
BOTH_LIMITS: Final = """\
first_day = 2026-01-01
authorised_most_cents = 30000

[[limits]]
first_day = {day}
authorised_most_cents = 40000
"""


@dataclass
class Clock:
    """A wall clock that starts somewhere, runs with virtual time, and can be set."""

    start_ns: int
    set_by_ns: int = 0

    def stamp(self) -> Stamp:
        now_ns = loop_ns()
        return Stamp(self.start_ns + self.set_by_ns + now_ns, now_ns)


def at(text: str, zone: str) -> Clock:
    """A clock that starts at this moment of that zone."""
    moment = datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))
    return Clock(round(moment.timestamp()) * NS_PER_S)


def written(directory: Path, zone: str, new_limits_from: date) -> Path:
    file = directory / "t.toml"
    text = changed("seats = 6", f'seats = 6\ntime_zone = "{zone}"')
    limits = BOTH_LIMITS.format(day=new_limits_from)
    file.write_text(text.replace("first_day = 2009-01-01\nauthorised_most_cents = 40000\n", limits))
    if not (directory / "table7.journal").exists():
        create(directory / "table7.journal")
    return file


@contextmanager
def table(file: Path, clock: Clock) -> Iterator[Graph]:
    """The daemon's parts, started once on the journal beside the file."""
    with app.built(load(file), Outside(clock.stamp)) as graph:
        yield graph


async def passed(graph: Graph, seconds: float) -> None:
    """So much time, with nothing but the calendar at work."""
    calendar = asyncio.create_task(app.midnights(graph.intake, graph.config.calendar, graph.stamp))
    line = asyncio.create_task(graph.intake.run())
    await asyncio.sleep(seconds)
    await graph.intake.probe()
    for task in (calendar, line):
        task.cancel()
    await asyncio.gather(calendar, line, return_exceptions=True)


def begun(graph: Graph) -> list[DayBegan]:
    return [happened for _, happened in graph.journal.replay(0) if isinstance(happened, DayBegan)]


def first_moment(day: date, zone: str) -> int:
    """The first minute that this zone's clocks give to the day, found by looking at all of them."""
    moment = datetime(day.year, day.month, day.day, tzinfo=UTC) - timedelta(hours=15)
    while moment.astimezone(ZoneInfo(zone)).date() < day:
        moment += timedelta(minutes=1)
    return round(moment.timestamp()) * NS_PER_S


@pytest.mark.parametrize(
    ("zone", "start", "days"),
    [
        (PACIFIC, "2026-03-06T12:00", 4),  # clocks go forward on the 8th: a day of 23 hours
        (PACIFIC, "2026-10-30T12:00", 4),  # back on November 1st: one of 25
        ("America/Havana", "2026-03-06T12:00", 3),  # forward at midnight itself, which does not come that day
        ("America/Havana", "2026-10-30T12:00", 3),  # back from one to midnight: the hour before is there twice
        ("Asia/Kathmandu", "2026-12-30T12:00", 3),  # three quarters of an hour, and the year ends
    ],
)
def test_each_day_begins_once_at_its_first_moment(tmp_path: Path, zone: str, start: str, days: int) -> None:
    clock = at(start, zone)
    first = date.fromisoformat(start[:10])

    async def play() -> list[DayBegan]:
        with table(written(tmp_path, zone, first), clock) as graph:
            await passed(graph, days * 24 * HOUR_S)
            return begun(graph)

    found = run(play())
    expected = [first + timedelta(days=number) for number in range(1, days + 1)]
    assert [each.day for each in found] == [day_of(day) for day in expected]
    for each, day in zip(found, expected, strict=True):
        assert 0 <= each.at.utc_ns - first_moment(day, zone) <= LATE_NS_MAX, day


def test_a_clock_that_is_set_back_over_midnight_brings_no_day_twice(tmp_path: Path) -> None:
    clock = at("2026-06-30T23:59", PACIFIC)

    async def play() -> list[DayBegan]:
        with table(written(tmp_path, PACIFIC, date(2026, 7, 1)), clock) as graph:
            await passed(graph, 2 * MINUTE_S)
            clock.set_by_ns = -10 * MINUTE_S * NS_PER_S
            await passed(graph, 30 * MINUTE_S)
            return begun(graph)

    assert [each.day for each in run(play())] == [day_of(date(2026, 7, 1))]


def test_a_clock_that_is_set_forward_is_noticed_within_a_minute(tmp_path: Path) -> None:
    clock = at("2026-06-30T12:00", PACIFIC)

    async def play() -> list[DayBegan]:
        with table(written(tmp_path, PACIFIC, date(2026, 7, 1)), clock) as graph:
            await passed(graph, MINUTE_S)
            clock.set_by_ns = 24 * HOUR_S * NS_PER_S
            await passed(graph, app.CALENDAR_LOOK_S_MAX + 1)
            return begun(graph)

    assert [each.day for each in run(play())] == [day_of(date(2026, 7, 1))]


# --- limits ---


def said(graph: Graph, event: DeviceEvent) -> None:
    graph.intake.take_input(DeviceReport(DeviceName("shuffler"), graph.stamp(), event, None))


def there(graph: Graph) -> None:
    """The shuffler is there and set, so a round is open for bets."""
    said(graph, LinkUp(IDENTITY, "boot-1", resumed=True))
    said(graph, ModeChanged(5))
    assert graph.intake.state.phase is Phase.BETTING


def asked(graph: Graph, action: Action, role: Actor) -> Answer:
    number = RequestId(str(graph.journal.last_offset()))
    state = graph.intake.state
    named = state.round.id if state.round is not None else None
    step = graph.intake.take_input(Request(graph.stamp(), number, "kim", role, None, action, named))
    assert step is not None
    assert step.answer is not None
    return step.answer


def takes(graph: Graph, cents: int) -> str:
    """What is said to a bet of so much."""
    return asked(graph, Bet(SeatNumber(1), WagerName.RANGE, cents), Actor.PLAYER).code


def next_round(graph: Graph) -> None:
    """Void the round. Where a stake goes back, the dealer says when that is done."""
    assert asked(graph, VoidRound("next"), Actor.SUPERVISOR).accepted
    if graph.intake.state.phase is Phase.VOIDING:
        assert asked(graph, Press(Button.NEXT), Actor.DEALER).accepted


@pytest.mark.parametrize(
    ("eve", "new_day"),
    [
        ("2026-06-30T23:30", date(2026, 7, 1)),
        ("2026-10-31T23:30", date(2026, 11, 1)),  # the day on which clocks go back
        ("2026-03-07T23:30", date(2026, 3, 8)),  # and forward
    ],
)
def test_a_round_with_a_stake_keeps_its_limits_over_midnight_and_the_next_has_the_new_ones(
    tmp_path: Path, eve: str, new_day: date
) -> None:
    async def play() -> None:
        with table(written(tmp_path, PACIFIC, new_day), at(eve, PACIFIC)) as graph:
            there(graph)
            await passed(graph, 29 * MINUTE_S)
            assert takes(graph, NEW_MOST) == "above-authorised"
            assert takes(graph, OLD_MOST) == "accepted"
            await passed(graph, 2 * MINUTE_S)
            assert [each.day for each in begun(graph)] == [day_of(new_day)]
            assert takes(graph, NEW_MOST) == "above-authorised"
            next_round(graph)
            assert takes(graph, NEW_MOST) == "accepted"

    run(play())


def test_a_daemon_that_was_down_at_midnight_ends_the_round_under_its_limits(tmp_path: Path) -> None:
    file, clock = written(tmp_path, PACIFIC, date(2026, 11, 1)), at("2026-10-31T23:59", PACIFIC)

    async def play() -> None:
        with table(file, clock) as graph:
            there(graph)
            assert takes(graph, OLD_MOST) == "accepted"
        await asyncio.sleep(9 * HOUR_S)
        with table(file, clock) as graph:
            starts = [happened for _, happened in graph.journal.replay(0) if isinstance(happened, Configured)]
            assert [start.day for start in starts] == [day_of(date(2026, 10, 31)), day_of(date(2026, 11, 1))]
            there(graph)
            assert graph.intake.state.round is not None
            assert graph.intake.state.round.staked_cents == OLD_MOST
            assert takes(graph, NEW_MOST) == "above-authorised"
            next_round(graph)
            assert takes(graph, NEW_MOST) == "accepted"
            await passed(graph, HOUR_S)
            assert begun(graph) == []

    run(play())


@pytest.mark.parametrize("restarts", [False, True])
def test_a_round_without_a_stake_has_the_limits_of_the_new_day(tmp_path: Path, *, restarts: bool) -> None:
    file, clock = written(tmp_path, PACIFIC, date(2026, 7, 1)), at("2026-06-30T23:59", PACIFIC)

    async def play() -> None:
        with table(file, clock) as graph:
            there(graph)
            assert takes(graph, NEW_MOST) == "above-authorised"
            if not restarts:
                await passed(graph, 2 * MINUTE_S)
                assert takes(graph, NEW_MOST) == "accepted"
        if restarts:
            await asyncio.sleep(9 * HOUR_S)
            with table(file, clock) as graph:
                there(graph)
                assert takes(graph, NEW_MOST) == "accepted"

    run(play())


def test_before_the_first_limits_no_round_opens_and_at_midnight_one_does(tmp_path: Path, says: Says) -> None:
    async def play() -> None:
        with table(written(tmp_path, PACIFIC, date(2026, 7, 1)), at("2025-12-31T23:59", PACIFIC)) as graph:
            said(graph, LinkUp(IDENTITY, "boot-1", resumed=True))
            said(graph, ModeChanged(5))
            says(graph.intake.state.prompt)
            await passed(graph, 2 * MINUTE_S)
            assert graph.intake.state.phase is Phase.BETTING

    run(play())
