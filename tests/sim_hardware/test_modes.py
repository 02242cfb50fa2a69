"""The emulated shuffler's modes: packets by a game's own program, and whole decks."""

from __future__ import annotations

from protocols.felt_link import messages as m
from sim_hardware.deck import shuffled as in_order
from sim_hardware.deck import standard_deck
from sim_hardware.faults import Always, FaultName
from sim_hardware.pace import Pace
from sim_hardware.shuffler_rig import identity
from sim_hardware.shuffler_settings import ShufflerSettings
from sim_hardware.shuffler_states import State
from tests.sim_hardware.bench import bench, in_virtual_time, shuffled

BIG_RAISE_FOR_TWO = (2, 2, 3, 3)
BATCH = ShufflerSettings(seed=7, observed=True, batch=True, pace=Pace())


def programmed(auto: tuple[int, ...] = BIG_RAISE_FOR_TWO) -> ShufflerSettings:
    return ShufflerSettings(seed=7, observed=True, program=auto, pace=Pace())


@in_virtual_time
async def test_a_program_says_each_size_before_its_packet_and_gives_no_packet_more() -> None:
    async with bench(programmed(), auto_dealer=True) as (rig, host):
        await shuffled(host)
        rig.press("green")
        await host.until(lambda: len(host.of(m.PacketRemoved)) == 4)
        told = [event for event in host.events if isinstance(event, m.ModeChanged | m.PacketDispensed)]
        sizes = [event.cards_a_packet if isinstance(event, m.ModeChanged) else event.count for event in told]
        kinds = [type(event) for event in told]
        mode, packet = m.ModeChanged, m.PacketDispensed
        assert kinds == [mode, packet, packet, mode, packet, packet]
        assert sizes == [2, 2, 2, 3, 3, 3]
        rig.press("green")
        assert (await host.next(m.RemainderEjected)).count == 42


@in_virtual_time
async def test_the_next_deck_begins_with_the_first_size_again() -> None:
    async with bench(programmed((2, 3)), auto_dealer=True) as (rig, host):
        await shuffled(host)
        rig.press("green")
        await host.until(lambda: len(host.of(m.PacketRemoved)) == 2)
        assert rig.machine.mode.cards == 3
        rig.press("green")
        await host.next(m.ShuffleFinished)
        assert [event.cards_a_packet for event in host.of(m.ModeChanged)] == [2, 3, 2]
        rig.press("green")
        await host.until(lambda: len(host.of(m.PacketRemoved)) == 4)
        assert [packet.count for packet in host.of(m.PacketDispensed)] == [2, 3, 2, 3]


@in_virtual_time
async def test_a_hand_on_the_switch_is_stronger_than_the_program_and_is_told() -> None:
    async with bench(programmed(), auto_dealer=True) as (rig, host):
        await shuffled(host)
        rig.arm(FaultName.WRONG_MODE, Always())
        rig.press("green")
        await host.until(lambda: len(host.of(m.PacketRemoved)) == 4)
        assert [event.cards_a_packet for event in host.of(m.ModeChanged)] == [2, 4]
        assert {packet.count for packet in host.of(m.PacketDispensed)} == {4}


@in_virtual_time
async def test_a_hand_that_lets_go_leaves_the_switch_to_the_program() -> None:
    async with bench(programmed(), auto_dealer=True) as (rig, host):
        await shuffled(host)
        rig.arm(FaultName.WRONG_MODE, Always())
        rig.press("green")
        await host.until(lambda: len(host.of(m.PacketRemoved)) == 2)
        rig.disarm(FaultName.WRONG_MODE)
        await host.until(lambda: len(host.of(m.PacketRemoved)) == 4)
        assert [packet.count for packet in host.of(m.PacketDispensed)] == [4, 4, 4, 3], "the third was on its way"


@in_virtual_time
async def test_a_batch_is_the_whole_deck_in_the_order_in_which_it_will_be_dealt() -> None:
    async with bench(BATCH) as (rig, host):
        await shuffled(host)
        assert rig.press("green") is None
        batch = await host.next(m.RemainderEjected)
        assert batch == m.RemainderEjected(52, tuple(piece.face for piece in in_order(standard_deck().pieces, 7, 1)))
        assert rig.machine.state is State.EMPTY


@in_virtual_time
async def test_one_batch_follows_another_and_nothing_is_said_of_packets() -> None:
    async with bench(BATCH, auto_dealer=True) as (rig, host):
        await shuffled(host)
        for _ in range(3):
            rig.press("green")
            assert (await host.next(m.RemainderEjected)).count == 52
            await host.next(m.ShuffleFinished)
        assert not host.of(m.ModeChanged)
        assert not host.of(m.PacketDispensed)
        assert not host.of(m.PacketRemoved)


@in_virtual_time
async def test_a_batch_machine_that_takes_orders_ejects_and_knows_neither_packets_nor_their_size() -> None:
    async with bench(ShufflerSettings(seed=7, batch=True, reads_faces=False)) as (rig, host):
        await shuffled(host)
        assert await host.order(m.SetMode(5)) == "not-capable"
        assert await host.order(m.Dispense(1)) == "not-capable"
        rig.arm(FaultName.WRONG_MODE, Always())
        assert await host.order(m.EjectRemainder()) is None
        assert await host.next(m.RemainderEjected) == m.RemainderEjected(52, None)
        assert not host.of(m.ModeChanged)


def test_the_hello_says_batches() -> None:
    assert identity(BATCH).capabilities == ("shuffler", "buttons", "faces", "counts", "batch")
