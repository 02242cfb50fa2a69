"""Connect, identify, run, lose and come back: the times of it, and what is said about it. In virtual time."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter

import pytest

from drivers.commands import CommandDue, Lock
from drivers.device import RETURNING_NS, TRANSITIONS, UNREACHED_NS, LinkInput, LinkState
from drivers.errors import ClosedError, SetupCode, SetupProblem
from drivers.events import (
    Anomaly,
    ButtonPressed,
    CameBack,
    CommandAnswered,
    CommandId,
    LinkLost,
    LinkUp,
    Receipt,
    Restarted,
    SetupFailed,
    WentStale,
)
from drivers.health import CUT_SHORT_MAX, REPEAT_NS_MIN, STEADY_NS, SilenceWatch
from drivers.profile import Freshness
from drivers.profiles import DRIVERS, PROFILES
from drivers.transports.base import Inbox
from drivers.transports.memory import MemoryTransport
from protocols.felt_link import messages as m
from protocols.felt_link.frame import FrameReader
from protocols.felt_link.host import HostConnection
from protocols.felt_link.memory import COMMANDS_WAITING_MAX
from protocols.registry import PROTOCOLS
from tests.drivers.ways import NAME, Bench, MemoryWay, PtyWay, in_virtual_time, open_files, stamp

S = 1_000_000_000
LIMITS = Freshness()


def seconds(ns: int) -> float:
    return ns / S


def test_every_state_can_be_left_and_every_state_can_be_reached() -> None:
    assert {state for state, _ in TRANSITIONS} == set(LinkState)
    assert set(TRANSITIONS.values()) == set(LinkState)
    assert {moved_by for _, moved_by in TRANSITIONS} == set(LinkInput)


def test_every_profile_has_a_protocol_and_a_driver() -> None:
    assert {profile.protocol for profile in PROFILES.values()} <= set(PROTOCOLS) & set(DRIVERS)
    assert all(name == profile.name for name, profile in PROFILES.items())


@in_virtual_time
async def test_a_device_that_kept_its_boot_without_its_events_is_ours_again_under_another(
    way: MemoryWay, bench: Bench
) -> None:
    device = await bench.link()
    for seq in range(1, 11):
        bench.far.happen()
        await bench.heard(ButtonPressed, times=seq)
        device.acknowledge(Receipt("B1", seq))
    device.send(CommandDue(CommandId("t1"), NAME, Lock()))
    await bench.heard(CommandAnswered)
    bench.far.restart("B1")
    for _ in range(30):  # more than it had before: its numbers alone would no longer betray it
        bench.far.happen()
    await asyncio.sleep(60)
    assert device.state is LinkState.BLOCKED
    assert bench.far.memory.first_kept == 1
    bench.far.restart("B2")
    bench.far.happen()
    await bench.heard(ButtonPressed, times=11)
    kinds = [LinkUp, *[ButtonPressed] * 10, CommandAnswered, LinkLost, SetupFailed, Restarted, LinkUp, ButtonPressed]
    assert [type(event) for event in bench.events] == kinds
    assert bench.reports[-1].receipt == Receipt("B2", 1)


# Silence


@in_virtual_time
async def test_a_silent_device_goes_stale_once_and_comes_back_when_it_is_steady(way: MemoryWay, bench: Bench) -> None:
    await bench.link()
    bench.far.is_deaf = True
    silent_from = stamp().mono_ns
    await bench.heard(WentStale)
    [stale] = bench.of(WentStale)
    assert isinstance(stale, WentStale)
    assert LIMITS.stale_ns <= stale.silence_ns <= LIMITS.stale_ns + S
    assert stamp().mono_ns - silent_from <= LIMITS.stale_ns + S
    bench.far.is_deaf = False
    heard_from = stamp().mono_ns
    await bench.heard(CameBack)
    assert stamp().mono_ns - heard_from >= LIMITS.steady_ns
    assert [type(event) for event in bench.events] == [LinkUp, WentStale, CameBack]
    assert bench.log.lines == ["device-up"]


@in_virtual_time
async def test_a_long_silent_device_is_connected_anew_and_loses_nothing(way: MemoryWay, bench: Bench) -> None:
    await bench.link()
    bench.far.is_deaf = True
    bench.far.happen()
    await bench.until(lambda: bench.of(LinkLost), seconds(2 * LIMITS.reopen_ns))
    bench.far.is_deaf = False
    await bench.heard(ButtonPressed)
    assert [type(event) for event in bench.events] == [LinkUp, WentStale, LinkLost, LinkUp, ButtonPressed]
    assert way.opened == 2


@in_virtual_time
async def test_to_a_port_on_which_nobody_says_who_he_is_nothing_is_written(way: MemoryWay, bench: Bench) -> None:
    await way.plug()
    bench.far.is_deaf = True
    device = bench.start()
    await asyncio.sleep(seconds(LIMITS.reopen_ns) - 1)
    assert (device.state, way.opened) == (LinkState.IDENTIFYING, 1)
    await bench.until(lambda: "device-down" in bench.log.lines, 60)
    await asyncio.sleep(300)
    assert way.opened > 2
    assert bench.far.heard == b""
    assert bench.log.lines == ["device-down", "device-needs-technician"]
    assert [event.code for event in bench.events if isinstance(event, SetupFailed)] == ["no-answer"]
    assert len(bench.events) == 1


@in_virtual_time
async def test_a_device_that_nothing_reaches_is_told_once_and_what_is_wrong_with_its_port_as_well(
    way: MemoryWay, bench: Bench
) -> None:
    way.is_unreachable = True
    bench.start()
    await asyncio.sleep(seconds(UNREACHED_NS) / 2)
    assert bench.events == []
    await asyncio.sleep(120)
    way.is_unreachable, way.is_forbidden = False, True
    await way.plug()
    await asyncio.sleep(120)
    codes = [event.code for event in bench.events if isinstance(event, SetupFailed)]
    assert codes == ["no-answer", "permission-denied"]
    way.is_forbidden = False
    await bench.heard(LinkUp)
    await way.unplug()
    way.is_unreachable = True
    await asyncio.sleep(120)
    assert [type(event) for event in bench.events] == [SetupFailed, SetupFailed, LinkUp, LinkLost]


@in_virtual_time
async def test_a_device_that_is_late_to_say_who_it_is_was_never_stale(way: MemoryWay, bench: Bench) -> None:
    await way.plug()
    bench.far.is_deaf = True
    bench.start()
    await asyncio.sleep(seconds(2 * LIMITS.stale_ns))
    bench.far.is_deaf = False
    await asyncio.sleep(seconds(2 * LIMITS.stale_ns))
    assert [type(event) for event in bench.events] == [LinkUp]


@in_virtual_time
async def test_what_only_beats_and_never_says_hello_is_not_believed(way: MemoryWay, bench: Bench) -> None:
    await way.plug()
    bench.far.is_deaf = True
    bench.start()
    for _ in range(70):
        await asyncio.sleep(0.5)
        bench.far.say(b"\x02BEAT|0||41\x038D3E")
    assert bench.log.lines == ["device-down", "device-needs-technician"]
    assert bench.far.heard == b""


# Coming back


@in_virtual_time
async def test_pauses_grow_to_a_bound_and_are_short_after_a_steady_connection(way: MemoryWay, bench: Bench) -> None:
    await way.plug()
    bench.start()
    pauses: list[int] = []
    doubling = [S // 10 * 2**tries for tries in range(6)]
    for _ in range(len(doubling) + 2):
        await bench.heard(LinkUp, times=len(pauses) + 1)
        way._transport.cut("flickers")  # type: ignore[union-attr]
        lost = stamp().mono_ns
        await bench.heard(LinkUp, times=len(pauses) + 2)
        pauses.append(stamp().mono_ns - lost)
    assert pauses == pytest.approx([*doubling, 5 * S, 5 * S], abs=S // 100)
    await asyncio.sleep(seconds(STEADY_NS))
    way._transport.cut("once")  # type: ignore[union-attr]
    lost = stamp().mono_ns
    await bench.heard(LinkUp, times=len(pauses) + 2)
    assert stamp().mono_ns - lost == pytest.approx(doubling[0], abs=S // 100)


async def closed_by_the_other_end(way: MemoryWay, bench: Bench, times: int) -> None:
    for _ in range(times):
        ups = len(bench.of(LinkUp))
        way._transport.cut(ClosedError("the other end closed the connection"))  # type: ignore[union-attr]
        await bench.heard(LinkUp, times=ups + 1)


@in_virtual_time
async def test_a_device_that_is_taken_away_again_and_again_is_looked_for_at_another_table(
    way: MemoryWay, bench: Bench
) -> None:
    await bench.link()
    await closed_by_the_other_end(way, bench, CUT_SHORT_MAX - 1)
    assert bench.of(SetupFailed) == []
    await closed_by_the_other_end(way, bench, 20)
    [told] = bench.of(SetupFailed)
    assert isinstance(told, SetupFailed)
    assert told.code == "shared-device"
    assert "another table" in told.remedy


@in_virtual_time
async def test_a_device_that_was_steady_in_between_is_not_taken_away(way: MemoryWay, bench: Bench) -> None:
    await bench.link()
    for _ in range(3):
        await closed_by_the_other_end(way, bench, CUT_SHORT_MAX - 1)
        await asyncio.sleep(seconds(STEADY_NS))
        await closed_by_the_other_end(way, bench, 1)
    assert bench.of(SetupFailed) == []


@in_virtual_time
async def test_a_whole_night_without_the_device_is_three_lines_in_the_log(way: MemoryWay, bench: Bench) -> None:
    await bench.link()
    await way.unplug()
    await asyncio.sleep(8 * 3600)
    assert bench.log.lines == ["device-up", "device-down", "device-needs-technician"]
    assert [type(event) for event in bench.events] == [LinkUp, LinkLost, SetupFailed]
    await way.plug()
    plugged = stamp().mono_ns
    await bench.heard(LinkUp, times=2)
    assert stamp().mono_ns - plugged <= S + S // 100
    assert bench.log.lines[3:] == ["device-up"]


@in_virtual_time
async def test_a_port_that_is_forbidden_for_a_moment_after_plugging_in_is_no_problem(
    way: MemoryWay, bench: Bench
) -> None:
    await bench.link()
    await way.unplug()
    way.is_forbidden = True
    await way.plug()
    await asyncio.sleep(seconds(RETURNING_NS) / 2)
    way.is_forbidden = False
    await bench.heard(LinkUp, times=2)
    assert bench.of(SetupFailed) == []


@in_virtual_time
async def test_a_problem_is_told_once_and_another_one_again(way: MemoryWay, bench: Bench) -> None:
    device = bench.start()
    await asyncio.sleep(60)
    assert device.state is LinkState.BLOCKED
    way.is_forbidden = True
    await way.plug()
    await asyncio.sleep(60)
    codes = [event.code for event in bench.events if isinstance(event, SetupFailed)]
    assert codes == ["no-such-port", "permission-denied"]
    way.is_forbidden = False
    await bench.heard(LinkUp)
    assert bench.log.lines == ["device-needs-technician", "device-needs-technician", "device-up"]


def test_a_missing_port_is_looked_for_often_and_everything_else_seldom() -> None:
    pauses = {code: SetupProblem(code, "", "").retry_ns for code in SetupCode}
    assert pauses.pop(SetupCode.NO_SUCH_PORT) == S
    assert set(pauses.values()) == {5 * S}


# Commands and complaints


@in_virtual_time
async def test_more_commands_than_can_wait_are_refused_at_once(way: MemoryWay, bench: Bench) -> None:
    device = bench.start()
    for number in range(COMMANDS_WAITING_MAX + 1):
        device.send(CommandDue(CommandId(str(number)), NAME, Lock()))
    assert bench.of(CommandAnswered) == [CommandAnswered(CommandId(str(COMMANDS_WAITING_MAX)), "queue-full")]
    await way.plug()
    await bench.heard(CommandAnswered, times=COMMANDS_WAITING_MAX + 1)
    assert bench.far.done == [m.Lock()] * COMMANDS_WAITING_MAX


@in_virtual_time
async def test_a_receipt_of_an_earlier_boot_is_left_alone(way: MemoryWay, bench: Bench) -> None:
    device = await bench.link()
    bench.far.happen()
    await bench.heard(ButtonPressed)
    bench.far.restart("B2")
    await bench.heard(LinkUp, times=2)
    device.acknowledge(Receipt("B1", 1))
    bench.far.happen()
    await bench.heard(ButtonPressed, times=2)
    assert bench.far.memory.first_kept == 1


@in_virtual_time
async def test_a_humming_line_makes_one_complaint_in_a_while(way: MemoryWay, bench: Bench) -> None:
    await bench.link()
    started = stamp().mono_ns
    for _ in range(1_000):
        bench.far.say(b"\x02hum\x02")
        await asyncio.sleep(0.05)
    told = bench.of(Anomaly)
    assert 3 <= len(told) <= (stamp().mono_ns - started) // REPEAT_NS_MIN + 1
    assert bench.of(LinkLost) == []


@in_virtual_time
async def test_an_event_that_nobody_understands_counts_as_lost_and_comes_once(way: MemoryWay, bench: Bench) -> None:
    device = await bench.link()
    bench.far.memory.sent_seq = 1
    bench.far.memory.record(m.DeckLoaded())
    bench.far.say(b"\x02DECK|1||\x03D538")
    await bench.until(lambda: len(bench.reports) > 1)
    lost = bench.reports[1]
    assert lost.receipt == Receipt("B1", 1)
    assert type(lost.event).__name__ == "EventsLost"
    device.acknowledge(Receipt("B1", 1))
    await bench.until(lambda: bench.far.memory.first_kept == 2)


# What is left behind


FILES_OF_A_PORT = 5  # the tty, and the two pipes by which pyserial can be interrupted
PARTS_OF_A_CONNECTION = (HostConnection, FrameReader, MemoryTransport, Inbox, SilenceWatch, asyncio.Event)


@in_virtual_time
async def test_a_thousand_reconnections_leave_nothing_behind(way: MemoryWay, bench: Bench) -> None:
    await way.plug()
    device = bench.start()
    alive = []
    for times in range(1, 1_001):
        await bench.heard(LinkUp)
        bench.far.happen()
        await bench.heard(ButtonPressed)
        device.acknowledge(bench.reports[-1].receipt or Receipt("", 0))
        bench.reports.clear()
        await way.unplug()
        await bench.heard(LinkLost)
        await way.plug()
        if times in (10, 1_000):
            gc.collect()
            alive.append(Counter(type(one) for one in gc.get_objects() if isinstance(one, PARTS_OF_A_CONNECTION)))
            assert len(asyncio.all_tasks()) == 2
    assert alive[0][HostConnection] == 1
    assert alive[0] == alive[1]
    assert bench.far.memory.next_seq == 1_001


def test_reconnections_on_a_real_tty_leave_nothing_open() -> None:
    way = PtyWay()

    async def main(bench: Bench) -> None:
        await way.plug()
        unused = open_files()
        bench.start()
        for times in range(1, 6):
            await bench.heard(LinkUp, times=times)
            assert len(open_files()) == len(unused) + FILES_OF_A_PORT
            await way.unplug()
            await bench.heard(LinkLost, times=times)
            await way.plug()
        await bench.heard(LinkUp, times=6)
        await bench.stop()
        assert len(open_files()) == len(unused)

    way.run(main)
