"""The emulated shoe: what it says on each link, in the bytes of the device pages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from protocols.angel_eye import messages as a
from protocols.angel_eye.options import AngelEyeOptions
from protocols.cards import Card
from protocols.felt_link import messages as m
from sim_hardware.deck import parse_script
from sim_hardware.mechanism import Refused
from sim_hardware.ports import MemoryPort
from sim_hardware.shoe import ShoeSettings
from sim_hardware.shoe_rig import ShoeRig
from sim_hardware.shoe_words import shoe_vocabulary
from tests.sim_hardware.bench import in_virtual_time
from tests.sim_hardware.host import Host
from tests.sim_hardware.shoe_bench import ANGEL_EYE, BEE_TEK, FELT_LINK, LOCK, STACKED, Ear, drawn, shoe
from tests.support.sentences import Says


@in_virtual_time
async def test_the_bytes_of_the_page_for_its_start_and_for_a_card() -> None:
    async with shoe() as (rig, ear):
        assert rig.draw() is None
        await asyncio.sleep(0.001)
        assert bytes(ear.data) == (b"\x050S\x0360") * 3 + bytes.fromhex("05 31 44 81 B8 03 34 46") * 3


@in_virtual_time
async def test_the_lines_of_the_page_come_in_both_orders() -> None:
    async with shoe(BEE_TEK) as (rig, ear):
        for _ in range(8):
            assert rig.draw() is None
        await asyncio.sleep(0.001)
        lines = bytes(ear.data).split(b"\r\n")
        first = {b"8S": b"S8", b"AH": b"HA", b"KD": b"DK", b"2C": b"C2"}
        for line, (one, other) in zip(lines, first.items(), strict=False):
            assert line in (b" [Manual Burn Cards]<Card:%s> " % one, b" [Manual Burn Cards]<Card:%s> " % other)
        assert {line[26:27].isalpha() for line in lines[4:5] + lines[:4]} == {True, False}


@in_virtual_time
async def test_an_angel_eye_deals_its_baccarat_whatever_is_played() -> None:
    async with shoe(settings=ShoeSettings(seed=7, burn_cards=2)) as (rig, ear):
        for _ in range(6):
            rig.draw()
        rig.end_deal()
        rig.draw()
        assert await ear.said() == [
            a.Started(),
            drawn("8s", a.Target.FIRST_CARD, 0),
            drawn("Ah", a.Target.BURN, 1),
            drawn("Kd", a.Target.BURN, 2),
            drawn("2c", a.Target.PLAYER, 1),
            drawn("3h", a.Target.BANKER, 1),
            drawn("Td", a.Target.PLAYER, 2),
            a.GameEnded(a.Winner.FORCED_END, a.Pairs.NONE),
            a.Standby(),
            drawn("Jc", a.Target.PLAYER, 1),
        ]


@in_virtual_time
async def test_the_index_of_a_long_deal_stays_within_the_page() -> None:
    async with shoe(settings=ShoeSettings(seed=7, referees=False)) as (rig, ear):
        for _ in range(40):
            rig.draw()
        cards = [said for said in await ear.said() if isinstance(said, a.WireCardDrawn)]
        assert max(card.place.index for card in cards) == 10


@in_virtual_time
async def test_the_cut_card_comes_where_it_was_put() -> None:
    async with shoe(settings=ShoeSettings(seed=7, decks=1, behind_cut=50)) as (rig, ear):
        for _ in range(4):
            rig.draw()
        kinds = [type(said) for said in await ear.said()]
        assert kinds == [a.Started, a.WireCardDrawn, a.WireCardDrawn, a.WireCutCardDrawn, a.WireCardDrawn]


@pytest.mark.parametrize(
    ("reason", "spoil"),
    [
        (a.OutsideReason.LOCKED, lambda rig: rig.turn_lock(True)),
        (a.OutsideReason.SETTING_MODE, lambda rig: rig.set_setting(True)),
        (a.OutsideReason.IN_ERROR, lambda rig: rig.put_back()),
    ],
)
def test_a_card_that_is_drawn_without_a_game_says_why(
    reason: a.OutsideReason, spoil: Callable[[ShoeRig], Refused | None]
) -> None:
    @in_virtual_time
    async def scenario() -> None:
        async with shoe() as (rig, ear):
            rig.draw()
            assert spoil(rig) is None
            await ear.said()
            rig.draw()
            (said,) = await ear.said()
            assert isinstance(said, a.CardDrawnOutside)
            assert said.reason is reason

    scenario()


@in_virtual_time
async def test_a_card_that_is_put_back_comes_again() -> None:
    async with shoe() as (rig, ear):
        rig.draw()
        rig.put_back()
        rig.cancel_error()
        rig.draw()
        raised = a.ErrorRaised(a.ErrorCode.REVERSE_RUN_AT_EXIT, is_in_error_mode=True)
        cancelled = a.ErrorCancelled(a.ErrorCode.REVERSE_RUN_AT_EXIT, is_in_error_mode=False)
        eight = drawn("8s", a.Target.PLAYER, 1)
        assert await ear.said() == [a.Started(), eight, raised, cancelled, eight]


@in_virtual_time
async def test_a_restart_is_said_and_forgets_the_deal() -> None:
    async with shoe() as (rig, ear):
        rig.draw()
        rig.reboot()
        assert rig.draw() is not None
        await asyncio.sleep(10)
        rig.draw()
        assert [type(said) for said in await ear.said()] == [a.Started, a.WireCardDrawn, a.Started, a.WireCardDrawn]
        assert bytes(ear.data) == b""


@in_virtual_time
async def test_what_was_said_while_nobody_listened_is_gone() -> None:
    async with shoe() as (rig, ear):
        await ear.said()
        rig.unplug()
        rig.draw()
        rig.replug()
        rig.draw()
        assert await ear.said() == [drawn("Ah", a.Target.BANKER, 1)]


@in_virtual_time
async def test_a_host_locks_the_shoe_and_is_answered() -> None:
    async with shoe() as (rig, ear):
        await ear.said()
        ear.port.far.write(LOCK)
        await asyncio.sleep(0.001)
        assert rig.shoe.is_locked
        assert ear.data.endswith(b"\x06")
        assert ear.data.count(b"L\x81") == 3


@in_virtual_time
async def test_a_command_that_it_cannot_do_now_is_refused() -> None:
    async with shoe() as (_rig, ear):
        await ear.said()
        ear.port.far.write(b"\x02OPEC01\x03" + b"19")
        await asyncio.sleep(0.001)
        assert bytes(ear.data) == b"\x15\xff"


# felt-link


@in_virtual_time
async def test_a_felt_link_shoe_keeps_what_happened_while_it_was_unplugged() -> None:
    port = MemoryPort()
    host = Host(port.far)
    rig = ShoeRig(ShoeSettings(seed=7, burn_cards=1), port, FELT_LINK, scripts=STACKED)
    await rig.start()
    await host.until(lambda: bool(host.boots))
    rig.draw()
    await host.until(lambda: len(host.of(m.WireCardDrawn)) == 1)
    rig.unplug()
    rig.draw()
    rig.put_back()
    rig.cancel_error()
    rig.draw()
    rig.press("green")
    rig.replug()
    await host.until(lambda: bool(host.of(m.WireButtonPressed)))
    ace = Card.parse("Ah")
    assert host.events == [
        m.WireCardDrawn(1, Card.parse("8s"), "burn"),
        m.WireCardDrawn(2, ace, "burn"),
        m.WireCardReturned(2),
        m.WireCardDrawn(3, ace, "game"),
        m.WireButtonPressed("green"),
    ]
    await rig.stop()
    host.close()


# Words


def say(rig: ShoeRig, line: str) -> str:
    return shoe_vocabulary(rig).answer(line)


@in_virtual_time
async def test_hands_and_faults_are_words(says: Says) -> None:
    async with shoe() as (rig, _):
        assert say(rig, "draw 3") == "ok inside=49 number=3"
        assert say(rig, "back") == "ok inside=50 number=3"
        assert say(rig, "cancel") == "ok inside=50 number=3"
        assert say(rig, "fault read-error card 4") == "ok read-error=card:4"
        assert say(rig, "draw") == "ok inside=49 number=4"
        assert say(rig, "lock") == "ok inside=49 number=4"
        assert say(rig, "setting on") == "ok inside=49 number=4"
        status = "ok inside=49 drawn=3 number=4 loads=1 cut=out locked=yes setting=on error=cannot-read"
        assert say(rig, "status") == status
        assert say(rig, "load Ah Kd") == "ok inside=2 number=0"
        assert say(rig, "reboot") == "ok inside=2 number=0"
        says(say(rig, "draw"))


@in_virtual_time
async def test_a_wrong_word_is_answered_with_the_right_ones(says: Says) -> None:
    async with shoe(scripts=parse_script("Ah")) as (rig, _):
        says(say(rig, "fault jam on"))
        says(say(rig, "fault put-back packet 2"))
        says(say(rig, "setting maybe"))
        says(say(rig, "press green"))
        assert say(rig, "draw 0").startswith("error draw [N]")
        says(say(rig, "draw 2"))
        assert say(rig, "load Ahh").startswith("error line 1:")
        assert say(rig, "back") == "ok inside=1 number=1"
        says(say(rig, "back"))


@in_virtual_time
async def test_options_of_the_link_are_the_shoes_as_well() -> None:
    port = MemoryPort()
    options = AngelEyeOptions(command_bcc_covers_stx=False)
    rig = ShoeRig(ShoeSettings(), port, ANGEL_EYE, options=options)
    ear = Ear(rig, port)
    await rig.start()
    await ear.said()
    port.far.write(LOCK)
    await asyncio.sleep(0.001)
    assert bytes(ear.data) == b"\x15\x02"
    await rig.stop()
