"""Each named fault: what is to be seen on the wire, and that no card is lost or invented by it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from protocols.cards import DECK, Card, Face, Misread
from protocols.felt_link import messages as m
from protocols.felt_link.events import Standing
from sim_hardware.deck import shuffled as in_order
from sim_hardware.deck import standard_deck
from sim_hardware.faults import FAULTS, Always, Arming, FaultBoard, FaultName, NextTime, OnPacket, Where
from sim_hardware.loop import loop_ns
from sim_hardware.pace import MS, S
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_settings import ShufflerSettings
from tests.sim_hardware.bench import bench, deal, in_virtual_time, shuffled
from tests.sim_hardware.host import Host

DECK_FAULTS = [name for name, sheet in FAULTS.items() if sheet.where is Where.DECK]
FRAME_FAULTS = [FaultName.CORRUPTED_FRAMES, FaultName.DROPPED_FRAMES, FaultName.REPEATED_FRAMES]
SEVEN = tuple(piece.face for piece in in_order(standard_deck().pieces, 7, 1))
"""The first deck of seed 7, which is what a bench here deals."""


def test_every_fault_has_its_page() -> None:
    assert set(FAULTS) == set(FaultName)
    assert all(sheet.strikes and sheet.seen for sheet in FAULTS.values())


async def whole_deck(rig: ShufflerRig, host: Host, packets: int) -> tuple[list[tuple[Face, ...]], tuple[Face, ...]]:
    """Deal, take, eject: the packets and the remainder as the reader saw them."""
    hands = []
    for position in range(1, packets + 1):
        hands.append((await deal(host, position)).faces or ())
        assert rig.take_packet() is None
    assert await host.order(m.EjectRemainder()) is None
    return hands, (await host.next(m.RemainderEjected)).faces or ()


def all_faces(dealt: tuple[list[tuple[Face, ...]], tuple[Face, ...]]) -> tuple[Face, ...]:
    hands, rest = dealt
    return (*(face for hand in hands for face in hand), *rest)


@pytest.mark.parametrize(("name", "count"), [(FaultName.SHORT_HAND, 4), (FaultName.LONG_HAND, 6)])
def test_a_hand_of_a_wrong_size_is_counted_as_it_is_and_no_card_is_missing(name: FaultName, count: int) -> None:
    @in_virtual_time
    async def story() -> None:
        async with bench() as (rig, host):
            await shuffled(host)
            rig.arm(name, OnPacket(2))
            hands, rest = await whole_deck(rig, host, 3)
            assert [packet.count for packet in host.of(m.PacketDispensed)] == [5, count, 5]
            assert all_faces((hands, rest)) == SEVEN

    story()


@in_virtual_time
async def test_a_duplicate_card_is_a_second_copy_in_place_of_another() -> None:
    async with bench(loaded=False) as (rig, host):
        rig.arm(FaultName.DUPLICATE_CARD, OnPacket(2))
        rig.load()
        await shuffled(host)
        hands, rest = await whole_deck(rig, host, 3)
        faces = all_faces((hands, rest))
        assert host.of(m.ShuffleFinished) == [m.ShuffleFinished(52)]
        assert len(set(faces)) == 51
        (place,) = [at for at, face in enumerate(faces) if face is not SEVEN[at]]
        assert place in range(5, 10)


@in_virtual_time
async def test_a_missing_card_is_counted_and_the_machine_will_not_deal() -> None:
    async with bench(loaded=False) as (rig, host):
        rig.arm(FaultName.MISSING_CARD, NextTime())
        rig.load()
        await shuffled(host)
        assert host.of(m.ShuffleFinished) == [m.ShuffleFinished(51)]
        assert host.of(m.WireFaultRaised) == [m.WireFaultRaised("short-deck", "51 cards, not 52")]
        assert await host.order(m.Dispense(1)) == "fault"
        assert await host.order(m.Reshuffle()) is None
        remainder = await host.next(m.RemainderEjected)
        assert remainder.count == 51
        assert len(set(remainder.faces or ())) == 51
        assert host.of(m.WireFaultCleared) == [m.WireFaultCleared("short-deck")]
        rig.load()
        await host.next(m.ShuffleFinished)
        assert host.of(m.ShuffleFinished)[-1] == m.ShuffleFinished(52)


@in_virtual_time
async def test_a_machine_that_does_not_count_deals_a_deck_with_a_missing_card() -> None:
    async with bench(ShufflerSettings(seed=7, counts=False), loaded=False) as (rig, host):
        rig.arm(FaultName.MISSING_CARD, OnPacket(1))
        rig.load()
        await shuffled(host)
        hands, rest = await whole_deck(rig, host, 1)
        faces = all_faces((hands, rest))
        assert len(faces) == 51
        assert {*SEVEN} - {*faces} < {*SEVEN[:5]}


@pytest.mark.parametrize(
    ("name", "face"), [(FaultName.FOREIGN_CARD, Misread.FOREIGN), (FaultName.BOXED_CARD, Misread.BOXED)]
)
def test_a_card_that_the_reader_sees_and_cannot_name_is_the_one_that_would_have_lain_there(
    name: FaultName, face: Misread
) -> None:
    @in_virtual_time
    async def story() -> None:
        async with bench(loaded=False) as (rig, host):
            rig.arm(name, OnPacket(1))
            rig.load()
            await shuffled(host)
            faces = all_faces(await whole_deck(rig, host, 2))
            (place,) = [at for at, seen in enumerate(faces) if seen is not SEVEN[at]]
            assert faces[place] is face
            assert place in range(5)
            rig.load()
            await host.next(m.ShuffleFinished)
            assert set(all_faces(await whole_deck(rig, host, 2))) == set(DECK)

    story()


@in_virtual_time
async def test_an_unreadable_card_is_read_as_nothing_and_is_the_card_that_it_was() -> None:
    async with bench() as (rig, host):
        await shuffled(host)
        rig.arm(FaultName.UNREADABLE_CARD, OnPacket(2))
        hands, rest = await whole_deck(rig, host, 3)
        assert [hand.count(Misread.UNREADABLE) for hand in hands] == [0, 1, 0]
        differs = [at for at, seen in enumerate(all_faces((hands, rest))) if seen is not SEVEN[at]]
        assert len(differs) == 1
        printed = {piece.printed for piece in rig.machine.places.everything()}
        assert printed == set(DECK)


@in_virtual_time
async def test_a_jam_stops_half_way_and_the_deck_has_to_come_out() -> None:
    async with bench() as (rig, host):
        await shuffled(host)
        rig.arm(FaultName.JAM, OnPacket(1))
        assert await host.order(m.Dispense(1)) is None
        raised = await host.next(m.WireFaultRaised)
        assert raised.fault == "jam"
        assert [len(place) for place in (rig.machine.places.tray, rig.machine.places.rollers)] == [2, 1]
        assert host.of(m.PacketDispensed) == []
        assert await host.order(m.EjectRemainder()) == "fault"
        cleared = host.next(m.WireFaultCleared)
        assert rig.clear_jam() is None
        assert (await cleared).fault == "jam"
        assert host.of(m.WireFaultRaised)[-1].fault == "unproven-deck"
        assert await host.order(m.Dispense(2)) == "fault"
        assert await host.order(m.EjectRemainder()) is None
        assert (await host.next(m.RemainderEjected)).count == 49
        assert rig.take_packet() is None
        assert len(rig.machine.places.taken) == 3
        assert host.of(m.PacketRemoved) == []


@in_virtual_time
async def test_a_wrong_mode_is_reported_and_held_until_it_is_let_go() -> None:
    async with bench() as (rig, host):
        await shuffled(host)
        rig.arm(FaultName.WRONG_MODE, Always())
        assert (await host.next(m.ModeChanged)).cards_a_packet == 3
        assert await host.order(m.SetMode(5)) == "fault"
        assert (await deal(host, 1)).count == 3
        let_go = host.next(m.ModeChanged)
        rig.disarm(FaultName.WRONG_MODE)
        assert (await let_go).cards_a_packet == 5
        assert await host.order(m.SetMode(7)) is None


@in_virtual_time
async def test_a_wrong_mode_for_one_packet_can_be_set_right_by_an_order() -> None:
    async with bench() as (rig, host):
        await shuffled(host)
        rig.arm(FaultName.WRONG_MODE, OnPacket(2))
        assert (await deal(host, 1)).count == 5
        rig.take_packet()
        assert (await deal(host, 2)).count == 3
        assert [event for event in host.events if isinstance(event, m.ModeChanged | m.PacketDispensed)][-2:] == [
            m.ModeChanged(3),
            host.of(m.PacketDispensed)[-1],
        ]
        assert await host.order(m.SetMode(5)) is None


@in_virtual_time
async def test_an_unplug_in_mid_packet_loses_no_event() -> None:
    async with bench() as (rig, host):
        await shuffled(host)
        rig.arm(FaultName.MID_PACKET_UNPLUG, OnPacket(1))
        assert await host.order(m.Dispense(1)) is None
        await host.until(lambda: host.unplugs == 1)
        assert host.of(m.PacketDispensed) == []
        assert 0 < len(rig.machine.places.tray) < 5
        await host.until(lambda: bool(host.of(m.PacketDispensed)))
        assert host.of(m.PacketDispensed) == [m.PacketDispensed(1, 5, SEVEN[:5])]
        assert host.standings == [Standing.FIRST, Standing.RESUMED]
        assert host.gaps == []


@in_virtual_time
async def test_a_reboot_in_mid_packet_is_another_boot_and_leaves_unproven_cards() -> None:
    async with bench() as (rig, host):
        await shuffled(host)
        rig.arm(FaultName.REBOOT, OnPacket(1))
        assert await host.order(m.Dispense(1)) is None
        raised = await host.next(m.WireFaultRaised)
        assert raised.fault == "unproven-deck"
        assert host.standings == [Standing.FIRST, Standing.RESTARTED]
        assert host.of(m.PacketDispensed) == []
        assert [len(place) for place in (rig.machine.places.tray, rig.machine.places.rack)] == [2, 50]


@pytest.mark.parametrize("arming", [Always(), Always(60), NextTime(), OnPacket(2)])
@pytest.mark.parametrize("name", FRAME_FAULTS)
def test_a_bad_line_is_repaired_by_the_link(name: FaultName, arming: Arming) -> None:
    """Everything arrives once, in order and unchanged, and every order is done once."""

    @in_virtual_time
    async def story() -> None:
        async with bench(auto_dealer=True) as (rig, host):
            await shuffled(host)
            rig.arm(name, arming)
            for position in (1, 2, 3):
                assert await host.order(m.Dispense(position)) is None
                await host.until(lambda: len(host.of(m.PacketRemoved)) == position)  # noqa: B023
            assert await host.order(m.EjectRemainder()) is None
            await host.until(lambda: bool(host.of(m.RemainderEjected)))
            packets, (remainder,) = host.of(m.PacketDispensed), host.of(m.RemainderEjected)
            assert [packet.position for packet in packets] == [1, 2, 3]
            assert all_faces(([packet.faces or () for packet in packets], remainder.faces or ())) == SEVEN
            assert host.gaps == []
            assert rig.emulator.cable.struck >= (5 if isinstance(arming, Always) else 1)
            if name is FaultName.CORRUPTED_FRAMES:
                assert host.damage

    story()


@in_virtual_time
async def test_a_frame_fault_for_a_packet_strikes_the_frame_that_tells_of_it() -> None:
    async with bench() as (rig, host):
        await shuffled(host)
        rig.arm(FaultName.CORRUPTED_FRAMES, OnPacket(2))
        await deal(host, 1)
        rig.take_packet()
        assert host.damage == []
        await deal(host, 2)
        assert len(host.damage) == 1
        assert rig.faults.armed == {}


@pytest.mark.parametrize("arming", [NextTime(), Always()])
def test_silence_keeps_the_port_open_and_lets_nothing_through(arming: Arming) -> None:
    @in_virtual_time
    async def story() -> None:
        async with bench() as (rig, host):
            await shuffled(host)
            rig.arm(FaultName.SILENCE, arming)
            began_ns = loop_ns()
            rig.press("next")
            if arming == Always():
                asyncio.get_running_loop().call_later(30, rig.disarm, FaultName.SILENCE)
            await host.until(lambda: host.of(m.WireButtonPressed) == [m.WireButtonPressed("next")])
            least_ns = 30 * S if arming == Always() else 10 * S
            assert least_ns <= loop_ns() - began_ns <= least_ns + 3 * S
            assert host.unplugs == 0

    story()


async def _time_of_packet(rig: ShufflerRig, host: Host, position: int) -> int:
    began_ns = loop_ns()
    await deal(host, position)
    rig.take_packet()
    return loop_ns() - began_ns


@in_virtual_time
async def test_slow_rollers_take_ten_times_as_long() -> None:
    async with bench() as (rig, host):
        await shuffled(host)
        rig.arm(FaultName.SLOW, OnPacket(2))
        times_ns = [await _time_of_packet(rig, host, position) for position in (1, 2, 3)]
        assert [round(time_ns / MS) for time_ns in times_ns] == [1_500, 15_000, 1_500]


@pytest.mark.parametrize("name", FaultName)
def test_a_fault_for_the_next_time_strikes_once(name: FaultName) -> None:
    board = FaultBoard()
    board.arm(name, NextTime())
    strike = board.strike_deck if name in DECK_FAULTS else lambda name: board.strike(name, 1)
    assert [strike(name) for _ in range(2)] == [NextTime(), None]


@pytest.mark.parametrize("name", FaultName)
def test_a_fault_that_is_on_strikes_until_it_is_off(name: FaultName) -> None:
    board = FaultBoard()
    board.arm(name, Always())
    assert [board.strike(name, packet) for packet in (1, None, 2)] == [Always()] * 3
    board.disarm(name)
    assert board.strike(name, 1) is None


def faces_of(cards: Sequence[Face]) -> set[Card]:
    return {card for card in cards if isinstance(card, Card)}


@pytest.mark.parametrize("seed", range(5))
def test_all_deck_faults_together_take_four_different_cards(seed: int) -> None:
    @in_virtual_time
    async def story() -> None:
        async with bench(ShufflerSettings(seed=seed, counts=False), loaded=False) as (rig, host):
            for name in DECK_FAULTS:
                rig.arm(name, OnPacket(1))
            rig.load()
            await shuffled(host)
            faces = all_faces(await whole_deck(rig, host, 1))
            assert len(faces) == 51
            assert [faces.count(mark) for mark in (Misread.FOREIGN, Misread.BOXED)] == [1, 1]
            assert len(faces_of(faces)) == 48

    story()
