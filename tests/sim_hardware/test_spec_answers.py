"""What SPEC.md of felt-link says of a shuffler where a reader would have to guess, the emulated one does."""

from __future__ import annotations

import pytest

from protocols.felt_link import messages as m
from sim_hardware.shuffler_states import State
from tests.sim_hardware.machines import Bench

MODE = m.ModeChanged(5)


def ready() -> Bench:
    """A machine that is on, with a shuffled deck."""
    bench = Bench()
    bench.machine.power_on(bench.now_ns)
    bench.machine.load(bench.deck, bench.now_ns)
    bench.wait()
    assert bench.is_in(State.READY)
    return bench


def refusal(bench: Bench, command: m.WireCommand) -> str | None:
    refused = bench.order(command)
    return None if refused is None else refused.code


def test_a_deck_that_is_put_in_is_shuffled_without_an_order_also_after_a_remainder() -> None:
    bench = ready()
    assert refusal(bench, m.EjectRemainder()) is None
    bench.wait()
    bench.machine.load(bench.deck, bench.now_ns)
    assert bench.is_in(State.SHUFFLING)


def test_the_mode_is_recorded_at_a_start_and_at_every_accepted_order() -> None:
    bench = ready()
    assert bench.outside.events[0] == MODE
    said = len(bench.outside.events)
    assert refusal(bench, m.SetMode(5)) is None
    assert bench.outside.events[said:] == [MODE]


def test_a_reshuffle_with_a_packet_in_the_tray_ejects_the_rest_and_leaves_the_packet() -> None:
    bench = ready()
    bench.packet()
    assert refusal(bench, m.Reshuffle()) is None
    bench.wait()
    assert isinstance(bench.outside.events[-1], m.RemainderEjected)
    assert len(bench.machine.places.tray) == 5
    assert refusal(bench, m.Reshuffle()) is None
    assert isinstance(bench.outside.events[-1], m.RemainderEjected)


def test_a_packet_that_would_not_be_whole_is_refused_and_stays_in() -> None:
    bench = ready()
    for _ in range(10):
        bench.hand()
    assert refusal(bench, m.Dispense(11)) == "no-deck"
    assert len(bench.machine.places.rack) == 2
    assert refusal(bench, m.EjectRemainder()) is None
    bench.wait()
    assert refusal(bench, m.EjectRemainder()) == "no-deck"


MOTIONS = (m.Dispense(1), m.EjectRemainder(), m.Reshuffle())


def test_a_lock_refuses_every_motion_and_takes_the_rest() -> None:
    bench = ready()
    assert refusal(bench, m.Lock()) is None
    assert [refusal(bench, motion) for motion in MOTIONS] == ["locked"] * 3
    assert [refusal(bench, other) for other in (m.SetMode(5), m.SetLamp(True), m.Lock(), m.Unlock())] == [None] * 4
    assert refusal(bench, m.Dispense(1)) is None


def test_a_deck_is_not_shuffled_while_the_machine_is_locked() -> None:
    bench = Bench()
    bench.machine.power_on(bench.now_ns)
    bench.order(m.Lock())
    bench.machine.load(bench.deck, bench.now_ns)
    assert bench.is_in(State.LOADED)
    bench.order(m.Unlock())
    assert bench.is_in(State.SHUFFLING)


def test_a_lock_stops_no_motion_that_has_begun_and_does_not_outlast_a_loss_of_power() -> None:
    bench = ready()
    assert refusal(bench, m.Dispense(1)) is None
    bench.order(m.Lock())
    bench.wait()
    assert isinstance(bench.outside.events[-1], m.PacketDispensed)
    bench.machine.reboot(bench.now_ns)
    bench.wait()
    assert not bench.machine.is_locked


@pytest.mark.parametrize("command", [m.SetMode(4), *MOTIONS])
def test_a_full_store_refuses_what_would_have_to_be_recorded(command: m.WireCommand) -> None:
    bench = ready()
    bench.outside.acknowledges = False
    while bench.outside.has_room():
        bench.machine.press("next", bench.now_ns)
    assert refusal(bench, command) == "store-full"
    assert [refusal(bench, other) for other in (m.Lock(), m.SetLamp(True), m.Unlock())] == [None] * 3


def test_a_last_packet_that_empties_the_rack_has_no_remainder_after_it() -> None:
    bench = ready()
    assert refusal(bench, m.SetMode(26)) is None
    bench.hand()
    bench.packet()
    assert refusal(bench, m.EjectRemainder()) == "no-deck"
    assert not any(isinstance(event, m.RemainderEjected) for event in bench.outside.events)


def test_a_key_is_recorded_while_the_machine_is_locked() -> None:
    bench = ready()
    bench.order(m.Lock())
    assert bench.machine.press("green", bench.now_ns) is None
    assert bench.outside.events[-1] == m.WireButtonPressed("green")


def test_after_a_loss_of_power_the_lamp_is_dark_and_a_deck_that_waits_is_recorded() -> None:
    bench = Bench()
    bench.machine.power_on(bench.now_ns)
    bench.order(m.Lock())
    bench.order(m.SetLamp(True))
    bench.machine.load(bench.deck, bench.now_ns)
    said = len(bench.outside.events)
    bench.machine.reboot(bench.now_ns)
    bench.wait()
    assert not bench.machine.is_lit
    assert bench.outside.events[said : said + 2] == [MODE, m.DeckLoaded()]


def test_an_open_door_refuses_every_motion_with_a_fault() -> None:
    bench = ready()
    bench.machine.open_door(bench.now_ns)
    assert [refusal(bench, motion) for motion in MOTIONS] == ["fault"] * 3
