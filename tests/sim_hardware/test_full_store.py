"""A machine whose store is full begins nothing and takes nothing; what hands can still do fits into the reserve."""

from __future__ import annotations

import pytest

from protocols.felt_link import messages as m
from protocols.felt_link.limits import STORE_DEPTH_MAX
from sim_hardware.faults import Always, FaultName
from sim_hardware.shuffler_settings import ShufflerSettings
from sim_hardware.shuffler_states import State, Stimulus
from tests.sim_hardware.machines import REACH, Bench, act, bench_in


def full(bench: Bench) -> Bench:
    """Acknowledgements have stopped, and the store is down to its reserve."""
    bench.outside.acknowledges = False
    while bench.outside.has_room():
        bench.outside.report_event(m.WireButtonPressed("next"), bench.now_ns)
    bench.outside.events.clear()
    return bench


@pytest.mark.parametrize(
    ("state", "stimulus"),
    [
        (State.EMPTY, Stimulus.LOAD),
        (State.READY, Stimulus.PRESS),
        (State.READY, Stimulus.DISPENSE),
        (State.READY, Stimulus.EJECT),
        (State.READY, Stimulus.RESHUFFLE),
        (State.READY, Stimulus.SET_MODE),
        (State.UNPROVEN, Stimulus.EJECT),
        (State.OFFERED, Stimulus.RESHUFFLE),
    ],
)
def test_what_would_have_to_be_reported_is_refused(state: State, stimulus: Stimulus) -> None:
    bench = full(bench_in(state))
    refused = act(bench, stimulus)
    assert refused is not None
    assert refused.code == "store-full"
    assert bench.is_in(state)
    assert bench.outside.events == []


def test_a_deck_that_lies_in_a_locked_machine_is_not_begun() -> None:
    bench = full(bench_in(State.LOADED))
    assert bench.order(m.Unlock()) is None
    assert bench.is_in(State.LOADED)
    bench.outside.catch_up()
    bench.machine.poke(bench.now_ns)
    assert bench.is_in(State.SHUFFLING)


def test_an_observed_machine_waits_with_the_next_packet() -> None:
    bench = bench_in(State.READY, ShufflerSettings(observed=True))
    bench.machine.press("green", bench.now_ns)
    bench.wait()
    full(bench)
    bench.machine.take_packet(bench.now_ns)
    assert bench.is_in(State.READY)
    bench.outside.catch_up()
    bench.machine.poke(bench.now_ns)
    assert bench.is_in(State.DISPENSING)


def test_a_hand_on_the_mode_switch_is_felt_when_it_can_be_told() -> None:
    bench = full(bench_in(State.READY))
    bench.faults.arm(FaultName.WRONG_MODE, Always())
    bench.machine.poke(bench.now_ns)
    assert (bench.machine.mode.cards, bench.outside.events) == (5, [])
    bench.outside.catch_up()
    bench.machine.poke(bench.now_ns)
    assert bench.machine.mode.cards == 3
    assert bench.outside.events == [m.ModeChanged(3)]


@pytest.mark.parametrize("state", REACH)
def test_any_number_of_hands_fits_into_the_reserve(state: State) -> None:
    bench = full(bench_in(state))
    for _ in range(50):
        for hand in (Stimulus.TAKE, Stimulus.OPEN_DOOR, Stimulus.CLEAR, Stimulus.CLOSE_DOOR, Stimulus.PRESS):
            act(bench, hand)
            bench.wait()
    memory = bench.outside.memory
    assert memory.next_seq - memory.first_kept <= STORE_DEPTH_MAX


def test_that_a_fault_is_over_is_told_once_there_is_room() -> None:
    bench = full(bench_in(State.EMPTY))
    bench.machine.open_door(bench.now_ns)
    bench.machine.close_door(bench.now_ns)
    assert bench.outside.events == [m.WireFaultRaised("door-open", "close the door")]
    bench.outside.catch_up()
    bench.machine.poke(bench.now_ns)
    assert bench.outside.events[1:] == [m.WireFaultCleared("door-open")]
