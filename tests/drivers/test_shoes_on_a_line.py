"""Shoes that introduce themselves to nobody, on a real tty, behind a device server and in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace

import pytest

from drivers import events as e
from drivers.angel_eye import NOT_ANSWERED
from drivers.commands import CommandDue, Lock
from drivers.device import LinkState
from drivers.errors import SetupCode
from drivers.profile import Capability, Profile
from drivers.profiles import PROFILES
from drivers.shoe import NONSENSE_BYTES_MAX
from protocols.angel_eye.limits import ANSWER_NS_MAX
from protocols.angel_eye.options import AngelEyeOptions
from protocols.cards import Card
from protocols.felt_link import messages as m
from tests.drivers.far_end import FarEnd, now_ns
from tests.drivers.ways import NAME, Bench, MemoryWay, PtyWay, TcpWay, Way, in_virtual_time

ANGEL_EYE = PROFILES["angel-eye-iiex"]
BEE_TEK = PROFILES["bee-tek-manual"]
EIGHT = bytes.fromhex("05 31 44 81 B8 03 34 46") * 3
HOUR_S = 3600.0

SHOES = {
    "angel-eye": (ANGEL_EYE, EIGHT, Card.parse("8s")),
    "angel-eye-9600": (PROFILES["angel-eye-iiex-9600"], EIGHT, Card.parse("8s")),
    "bee-tek": (BEE_TEK, b" [Manual Burn Cards]<Card:H3> \r\n", Card.parse("3h")),
}


SECOND = {ANGEL_EYE.protocol: bytes.fromhex("05 32 44 81 B8 03 34 43"), BEE_TEK.protocol: b" [Game]<Card:4S> \r\n"}


class ShoeEnd(FarEnd):
    """A shoe's end of a line: it speaks when the test does, and remembers what was written to it."""

    def plugged(self, write: Callable[[bytes], None]) -> None:
        self._write = write
        self.on_news()

    @property
    def is_open(self) -> bool:
        """Whether somebody listens."""
        return self._write is not None

    def hear(self, data: bytes) -> None:
        self.heard += data


def on_a_line(
    scenario: Callable[[Way, Bench, Profile, bytes, Card], Coroutine[object, object, None]],
) -> Callable[[type[Way], str], None]:
    """Makes a test of a scenario: each shoe over each way that such a shoe is connected by."""

    @pytest.mark.parametrize("kind", SHOES)
    @pytest.mark.parametrize("make", [MemoryWay, PtyWay, TcpWay], ids=["memory", "pty", "tcp"])
    def test(make: type[Way], kind: str) -> None:
        way = make()
        way.far = ShoeEnd()
        way.run(lambda bench: scenario(way, bench, *SHOES[kind]))

    return test


async def connect(way: Way, bench: Bench, profile: Profile) -> None:
    await way.plug()
    bench.start(bench.settings(profile))
    await bench.heard(e.LinkUp)


def faces(bench: Bench) -> list[object]:
    return [event.face for event in bench.of(e.CardDrawn) if isinstance(event, e.CardDrawn)]


@on_a_line
async def test_a_card_arrives_whole_and_byte_by_byte(
    way: Way, bench: Bench, profile: Profile, said: bytes, card: Card
) -> None:
    await connect(way, bench, profile)
    way.far.say(said)
    await bench.heard(e.CardDrawn)
    for byte in SECOND[profile.protocol]:
        way.far.say(bytes((byte,)))
        await asyncio.sleep(0)
    await bench.heard(e.CardDrawn, times=2)
    assert faces(bench)[0] is card
    assert way.far.heard == b""


@on_a_line
async def test_unplugged_and_plugged_in_again_it_is_up_and_its_evidence_has_a_hole(
    way: Way, bench: Bench, profile: Profile, said: bytes, card: Card
) -> None:
    await connect(way, bench, profile)
    way.far.say(said)
    await bench.heard(e.CardDrawn)
    await way.unplug()
    await bench.heard(e.LinkLost)
    await way.plug()
    await bench.heard(e.LinkUp, times=2)
    way.far.say(said)
    await bench.heard(e.CardDrawn, times=2)
    assert [event.resumed for event in bench.of(e.LinkUp) if isinstance(event, e.LinkUp)] == [False, False]
    assert faces(bench) == [card, card]
    assert bench.log.lines == ["device-up", "device-down", "device-up"]
    assert way.far.heard == b""


def shoe_in_virtual_time(
    scenario: Callable[[MemoryWay, Bench], Coroutine[object, object, None]],
) -> Callable[[], None]:
    async def with_a_shoe(way: MemoryWay, bench: Bench) -> None:
        way.far = bench.far = ShoeEnd()
        bench.far.on_news = bench._news.set
        await scenario(way, bench)

    return in_virtual_time(with_a_shoe)


@shoe_in_virtual_time
async def test_a_table_that_stands_still_for_a_day_has_no_stale_shoe(way: MemoryWay, bench: Bench) -> None:
    await connect(way, bench, ANGEL_EYE)
    await asyncio.sleep(24 * HOUR_S)
    way.far.say(EIGHT)
    await bench.heard(e.CardDrawn)
    assert not bench.of(e.WentStale, e.LinkLost)
    assert way.opened == 1


@shoe_in_virtual_time
async def test_a_line_of_nonsense_is_told_once_and_opened_once_more(way: MemoryWay, bench: Bench) -> None:
    await way.plug()
    device = bench.start(bench.settings(ANGEL_EYE))
    await bench.heard(e.LinkUp)
    end = way.far
    assert isinstance(end, ShoeEnd)
    for _ in range(int(HOUR_S)):
        end.say(b"\xff" * NONSENSE_BYTES_MAX)
        await asyncio.sleep(1)
    assert len(bench.of(e.SetupFailed)) == 1
    assert way.opened == 2
    before = device.state
    assert bench.log.lines == ["device-up", "device-needs-technician"]
    assert len(bench.of(e.Anomaly)) <= HOUR_S / 10 + 1
    end.say(EIGHT)
    await bench.heard(e.CardDrawn)
    assert (before, device.state) == (LinkState.IDENTIFYING, LinkState.RUNNING)


ARMED = replace(
    ANGEL_EYE,
    options=AngelEyeOptions(commands_armed=True),
    capabilities=ANGEL_EYE.capabilities | {Capability.COMMANDS},
)


@shoe_in_virtual_time
async def test_what_an_order_makes_due_is_done_in_time_although_the_line_was_waited_on_for_ever(
    way: MemoryWay, bench: Bench
) -> None:
    await way.plug()
    device = bench.start(bench.settings(ARMED))
    await bench.heard(e.LinkUp)
    way.far.say(EIGHT)
    await bench.heard(e.CardDrawn)
    await asyncio.sleep(HOUR_S)  # the device waits for bytes, with nothing due before a century has passed
    asked_ns = now_ns()
    device.send(CommandDue(e.CommandId("lock"), NAME, Lock()))
    await bench.heard(e.CommandAnswered)
    assert bench.of(e.CommandAnswered) == [e.CommandAnswered(e.CommandId("lock"), NOT_ANSWERED)]
    assert now_ns() - asked_ns == ANSWER_NS_MAX


FELT_LINK = PROFILES["felt-link-shoe"]
IDENTITY = m.Identity("FC-1", "7", "1.0", ("shoe", "faces", "buttons"))


@in_virtual_time
async def test_a_felt_link_shoe_loses_nothing_while_it_is_unplugged(way: MemoryWay, bench: Bench) -> None:
    way.far.identity = IDENTITY
    await connect(way, bench, FELT_LINK)
    way.far.happen(m.WireCardDrawn(1, Card.parse("Ah"), "burn"))
    await bench.heard(e.CardDrawn)
    await way.unplug()
    await bench.heard(e.LinkLost)
    way.far.happen(m.WireCardReturned(1))
    way.far.happen(m.WireCutCardDrawn(0))
    await way.plug()
    await bench.heard(e.CutCardDrawn)
    told = bench.of(e.CardDrawn, e.CardReturned, e.CutCardDrawn)
    burnt = e.CardDrawn(Card.parse("Ah"), e.Confidence.CHECKED, 1, e.Claim("burn", None))
    assert told == [burnt, e.CardReturned(1), e.CutCardDrawn(0)]
    assert [report.receipt for report in bench.reports if report.event in told] == [
        e.Receipt("B1", n) for n in (1, 2, 3)
    ]


@in_virtual_time
async def test_a_shuffler_in_the_place_of_a_felt_link_shoe_is_refused(way: MemoryWay, bench: Bench) -> None:
    await way.plug()
    bench.start(bench.settings(FELT_LINK))
    await bench.heard(e.SetupFailed)
    (failed,) = bench.of(e.SetupFailed)
    assert isinstance(failed, e.SetupFailed)
    assert failed.code == SetupCode.MISSING_CAPABILITY
    assert "shoe" in failed.problem
