"""Section 1, what felt-link promises: every event on disk exactly once and in order, whatever happens to the line."""

from __future__ import annotations

import os

import pytest

from protocols.felt_link import messages as m
from protocols.felt_link.limits import RETRANSMIT_NS, SILENCE_NS
from tests.protocols.felt_link.pair import MS
from tests.protocols.felt_link.world import CALM, Faults, World

S = 1_000 * MS
SEEDS = 2_000 if os.environ.get("FELTD_FUZZ") == "long" else 60
QUIET_NS = 30 * S
LINES = {
    "sound": CALM,
    "loses": Faults(lost=0.2),
    "damages": Faults(flipped=0.2),
    "cuts": Faults(cut=0.2),
    "repeats": Faults(repeated=0.3),
    "hums": Faults(noise=0.3),
    "everything": Faults(lost=0.1, flipped=0.1, cut=0.1, repeated=0.1, noise=0.1),
}


def live(world: World, events: int, orders: int = 0) -> None:
    """Things happen at a dealing table's pace, a few of them at once."""
    for number in range(events):
        pause_ns = world.source.choice((0, 0, 50 * MS, 400 * MS))
        event = m.PacketDispensed(1 + number, None, None)
        world.at(pause_ns, lambda event=event: world.happen(event))  # type: ignore[misc]
        if number < orders:
            world.at(pause_ns, lambda number=number: world.order(f"c{number}"))  # type: ignore[misc]
        world.run(pause_ns + MS)


def calm_down(world: World) -> None:
    """The line is sound again for long enough that everything can be repaired."""
    world.faults = CALM
    world.run(QUIET_NS)


@pytest.mark.parametrize("faults", LINES.values(), ids=LINES)
def test_every_event_is_on_disk_once_and_in_order(faults: Faults) -> None:
    for seed in range(SEEDS):
        world = World(seed, faults)
        live(world, events=40, orders=5)
        calm_down(world)
        assert world.journal == world.recorded, f"seed {seed}"
        assert len(world.journal) == 40
        assert world.answered == [command_id for _, command_id in world.done] == [f"c{n}" for n in range(5)], seed


def test_nothing_is_lost_or_doubled_when_the_host_restarts_and_the_cable_is_pulled() -> None:
    for seed in range(SEEDS):
        world = World(seed, LINES["everything"])
        for _ in range(6):
            live(world, events=8)
            world.source.choice((world.restart_host, world.connect, lambda: None))()
        calm_down(world)
        assert world.journal == world.recorded, f"seed {seed}"


def test_a_device_that_loses_its_memory_loses_only_the_end_of_that_boot() -> None:
    for seed in range(SEEDS):
        world = World(seed, LINES["everything"])
        for _ in range(4):
            live(world, events=8, orders=1)
            world.source.choice((world.restart_device, world.restart_host, world.connect))()
        calm_down(world)
        for boot in {boot for boot, _, _ in world.recorded}:
            told = [entry for entry in world.journal if entry[0] == boot]
            happened = [entry for entry in world.recorded if entry[0] == boot]
            assert told == happened[: len(told)], f"seed {seed}"
        last = world.device_memory.boot
        assert [e for e in world.journal if e[0] == last] == [e for e in world.recorded if e[0] == last], f"seed {seed}"
        assert len(world.done) == len(set(world.done)), f"seed {seed}: a command was done twice in one boot"


def test_a_lost_last_event_is_found_within_the_retransmission_time() -> None:
    world = World(1)
    world.run(S)
    world.faults = Faults(lost=1.0)
    world.happen(m.DeckLoaded())
    world.faults = CALM
    world.run(RETRANSMIT_NS)
    assert len(world.journal) == 1


def test_after_a_silence_both_ends_find_each_other_again() -> None:
    world = World(1)
    world.run(S)
    world.faults = Faults(lost=1.0)
    world.happen(m.DeckLoaded())
    world.run(3 * SILENCE_NS)
    world.faults = CALM
    world.run(2 * S)
    assert len(world.journal) == 1
