"""The shuffler's table: total, without dead ends or dead entries, and what the machine really does."""

from __future__ import annotations

import random
from typing import Final

import pytest

from protocols.felt_link import messages as m
from sim_hardware.deck import Deck, standard_deck
from sim_hardware.faults import FaultName, NextTime
from sim_hardware.shuffler import Shuffler
from sim_hardware.shuffler_settings import ShufflerSettings
from sim_hardware.shuffler_states import MOTORS, OWN, TRANSITIONS, State, Stimulus, refusal
from tests.sim_hardware.machines import LONG_NS, REACH, Bench, act, bench_in

OUTSIDE: Final = [stimulus for stimulus in Stimulus if stimulus not in OWN]
HELPFUL: Final = [Stimulus.LOAD, Stimulus.DISPENSE, Stimulus.TAKE, Stimulus.UNLOCK, Stimulus.CLOSE_DOOR, Stimulus.CLEAR]
Way = tuple[State, Stimulus, State]


def test_every_state_can_be_reached() -> None:
    assert set(REACH) == set(State)


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("stimulus", OUTSIDE)
def test_every_stimulus_moves_or_is_refused_with_what_would_be_accepted(state: State, stimulus: Stimulus) -> None:
    bench = bench_in(state)
    before = len(bench.outside.events)
    refused = act(bench, stimulus)
    if stimulus in TRANSITIONS[state]:
        ways = TRANSITIONS[state][stimulus]
        on_its_own = {State.SHUFFLING} if State.LOADED in ways else set()
        assert refused is not None or bench.machine.state in {*ways, *on_its_own}
    else:
        assert refused is not None
    if refused is not None:
        assert bench.machine.state is state
        assert len(bench.outside.events) == before
        assert refused.code
        assert refused.reason


@pytest.mark.parametrize("state", State)
def test_a_refusal_by_the_table_lists_what_is_accepted_and_only_that(state: State) -> None:
    for stimulus in OUTSIDE:
        refused = refusal(state, stimulus)
        if refused is not None:
            accepted = refused.reason.partition("accepted now: ")[2].split(", ")
            assert accepted == [way.value for way in TRANSITIONS[state] if way not in OWN]


@pytest.mark.parametrize("state", State)
def test_every_state_has_a_way_back_to_dealing(state: State) -> None:
    """By hands and orders alone, whatever happened."""
    bench = bench_in(state)
    if state is State.BOOTING:
        bench.machine.power_on(bench.now_ns)
    for stimulus in (Stimulus.UNLOCK, Stimulus.CLEAR, Stimulus.TAKE, Stimulus.EJECT):
        bench.wait()
        act(bench, stimulus)
    bench.wait()
    for stimulus in (Stimulus.TAKE, Stimulus.LOAD):
        act(bench, stimulus)
        bench.wait()
    assert bench.machine.state is State.READY
    bench.hand()


@pytest.mark.parametrize("state", [state for state in State if state in MOTORS])
def test_a_motion_ends_by_itself(state: State) -> None:
    bench = bench_in(state)
    bench.wait()
    assert bench.machine.state not in MOTORS
    assert bench.machine.next_timeout_ns() is None


class Watched(Shuffler):
    """Writes down every way that it goes."""

    ways: set[Way]

    def _enter(self, stimulus: Stimulus, state: State) -> None:
        self.ways.add((self.state, stimulus, state))
        super()._enter(stimulus, state)


def _wander(bench: Bench, ways: set[Way], chance: random.Random) -> None:
    stimulus = chance.choice([*OUTSIDE, *3 * HELPFUL])
    before, known = bench.machine.state, len(ways)
    for name in (FaultName.JAM, FaultName.REBOOT, FaultName.MISSING_CARD):
        bench.faults.disarm(name)
        if chance.random() < 0.1:
            bench.faults.arm(name, NextTime())
    if chance.random() < 0.1:
        bench.order(m.SetMode(chance.choice([1, 2, 3, 4])))
    if act(bench, stimulus) is None and bench.machine.state is before and len(ways) == known:
        ways.add((before, stimulus, before))
    bench.wait(chance.choice([0, 100_000_000, 1_000_000_000, LONG_NS, LONG_NS]))


def test_no_entry_of_the_table_is_dead() -> None:
    """A long random life goes every way that the table has, and, since the machine asserts it, no other.

    With four cards in the deck, so that the last one is often the one that sticks.
    """
    chance = random.Random(1)
    bench = Bench(ShufflerSettings(deck_cards=4, mode=2), Watched, Deck(standard_deck().pieces[:4]))
    assert isinstance(bench.machine, Watched)
    ways = bench.machine.ways = set()
    bench.machine.power_on(0)
    for _ in range(60_000):
        _wander(bench, ways, chance)
        bench.outside.events.clear()
    table = {(state, by, to) for state, row in TRANSITIONS.items() for by, tos in row.items() for to in tos}
    assert table - ways == set()
