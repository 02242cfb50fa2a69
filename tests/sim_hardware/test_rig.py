"""The emulated shuffler on a line: a whole round, repeated orders, its store, its boot ids, in virtual time."""

from __future__ import annotations

from protocols.cards import DECK, spell
from protocols.felt_link import messages as m
from protocols.felt_link.events import Standing
from sim_hardware.deck import parse_script, standard_deck
from sim_hardware.deck import shuffled as in_order
from sim_hardware.pace import Pace
from sim_hardware.shuffler_settings import ShufflerSettings
from sim_hardware.shuffler_states import State
from tests.sim_hardware.bench import bench, deal, in_virtual_time, shuffled


@in_virtual_time
async def test_a_round_from_loading_to_ejecting() -> None:
    async with bench() as (rig, host):
        await shuffled(host)
        hands = []
        for position in (1, 2, 3):
            hands.append(await deal(host, position))
            assert rig.take_packet() is None
        assert await host.order(m.EjectRemainder()) is None
        remainder = await host.next(m.RemainderEjected)
        expected = tuple(piece.face for piece in in_order(standard_deck().pieces, 7, 1))
        assert [hand.count for hand in hands] == [5, 5, 5]
        faces = (*(face for hand in hands for face in hand.faces or ()), *(remainder.faces or ()))
        assert faces == expected
        assert remainder.count == 37
        assert host.of(m.PacketRemoved) == [m.PacketRemoved(position) for position in (1, 2, 3)]
        kinds = [type(event) for event in host.events[:4]]
        assert kinds == [m.ModeChanged, m.DeckLoaded, m.ShuffleStarted, m.ShuffleFinished]
        assert rig.machine.state is State.EMPTY


@in_virtual_time
async def test_the_next_deck_is_another_shuffle_of_the_same_seed() -> None:
    async with bench(auto_dealer=True) as (_rig, host):
        await shuffled(host)
        for number in (1, 2, 3):
            if number > 1:
                await host.next(m.ShuffleFinished)
            assert await host.order(m.EjectRemainder()) is None
            remainder = await host.next(m.RemainderEjected)
            assert remainder.faces == tuple(piece.face for piece in in_order(standard_deck().pieces, 7, number))


@in_virtual_time
async def test_a_scripted_deck_is_dealt_as_written_and_then_the_seed_goes_on() -> None:
    scripts = parse_script("Ah Kh Qh Jh Th 2c 2d 2h 2s 3c ...")
    async with bench(scripts=scripts, auto_dealer=True) as (_rig, host):
        await shuffled(host)
        first, _ = await deal(host, 1), await host.next(m.PacketRemoved)
        second, _ = await deal(host, 2), await host.next(m.PacketRemoved)
        assert [spell(hand.faces or ()) for hand in (first, second)] == ["Ah Kh Qh Jh Th", "2c 2d 2h 2s 3c"]
        assert await host.order(m.EjectRemainder()) is None
        remainder = await host.next(m.RemainderEjected)
        assert {*(first.faces or ()), *(second.faces or ()), *(remainder.faces or ())} == set(DECK)


@in_virtual_time
async def test_an_order_given_twice_is_answered_twice_and_done_once() -> None:
    async with bench() as (_rig, host):
        await shuffled(host)
        assert await host.order(m.Dispense(1), "journal-7") is None
        await host.next(m.PacketDispensed)
        assert await host.order(m.Dispense(1), "journal-7") is None
        assert len(host.of(m.PacketDispensed)) == 1


@in_virtual_time
async def test_an_order_that_cannot_be_done_is_refused_with_its_word() -> None:
    async with bench() as (rig, host):
        assert await host.order(m.Dispense(1)) == "busy"
        await shuffled(host)
        assert await host.order(m.Dispense(2)) == "position"
        assert await host.order(m.SetMode(53)) == "bad-argument"
        assert await host.order(m.Lock()) is None
        assert await host.order(m.Dispense(1)) == "locked"
        assert await host.order(m.Unlock()) is None
        rig.open_door()
        assert await host.order(m.Dispense(1)) == "fault"


@in_virtual_time
async def test_events_that_were_not_acknowledged_come_again_after_the_line_was_away() -> None:
    async with bench() as (rig, host):
        await shuffled(host)
        host.commits = False
        await deal(host, 1)
        rig.unplug()
        rig.take_packet()
        rig.replug()
        await host.until(lambda: host.of(m.PacketRemoved) != [])
        assert host.standings == [Standing.FIRST, Standing.RESUMED]
        assert len(host.of(m.PacketDispensed)) == 1


@in_virtual_time
async def test_without_acknowledgements_the_store_fills_and_the_machine_begins_nothing() -> None:
    async with bench() as (rig, host):
        await shuffled(host)
        host.commits = False
        while rig.press("next") is None:
            pass
        refused = rig.press("next")
        assert refused is not None
        assert refused.code == "store-full"
        assert rig.machine.take_order(m.Dispense(1), 0) == refused
        rig.unplug()
        host.commits = True
        rig.replug()
        cleared = await host.next(m.WireFaultCleared)
        assert cleared.fault == "store-full"
        assert rig.press("next") is None
        assert (await deal(host, 1)).count == 5


@in_virtual_time
async def test_a_reboot_has_another_boot_id_and_says_what_it_holds() -> None:
    async with bench() as (rig, host):
        await shuffled(host)
        await deal(host, 1)
        rig.reboot()
        raised = await host.next(m.WireFaultRaised)
        assert raised.fault == "unproven-deck"
        assert host.boots == ["boot-1", "boot-2"]
        assert host.standings[-1] is Standing.RESTARTED
        assert await host.order(m.Dispense(2)) == "fault"
        assert await host.order(m.EjectRemainder()) is None
        assert (await host.next(m.RemainderEjected)).count == 47


@in_virtual_time
async def test_an_observed_machine_works_by_itself_between_two_green_keys() -> None:
    settings = ShufflerSettings(seed=7, observed=True, pace=Pace(speed=1))
    async with bench(settings, auto_dealer=True) as (rig, host):
        await shuffled(host)
        assert await host.order(m.Dispense(1)) == "not-capable"
        rig.press("green")
        await host.until(lambda: len(host.of(m.PacketRemoved)) == 3)
        rig.press("green")
        remainder = await host.next(m.RemainderEjected)
        assert len(host.of(m.PacketDispensed)) == 4
        assert remainder.count == 52 - 4 * 5


@in_virtual_time
async def test_an_observed_machine_can_be_set_to_a_number_of_packets() -> None:
    settings = ShufflerSettings(seed=7, observed=True, packets=2, pace=Pace(speed=1))
    async with bench(settings, auto_dealer=True) as (rig, host):
        await shuffled(host)
        rig.press("green")
        await host.until(lambda: len(host.of(m.PacketRemoved)) == 2)
        rig.press("green")
        assert (await host.next(m.RemainderEjected)).count == 42
        assert len(host.of(m.PacketDispensed)) == 2


@in_virtual_time
async def test_a_machine_without_sensors_says_neither_counts_nor_faces() -> None:
    settings = ShufflerSettings(counts=False, reads_faces=False)
    async with bench(settings) as (_rig, host):
        await shuffled(host)
        assert host.of(m.ShuffleFinished) == [m.ShuffleFinished(None)]
        assert await deal(host, 1) == m.PacketDispensed(1, None, None)
        assert await host.order(m.EjectRemainder()) is None
        assert await host.next(m.RemainderEjected) == m.RemainderEjected(None, None)
