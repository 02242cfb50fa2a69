"""The emulated bet sensor on a line: what lies on a spot is said once, kept, and said again after a loss of power."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

import pytest

from daemon.rules.wagers import Colour, WagerName
from protocols.felt_link import messages as m
from protocols.felt_link.limits import STORE_DEPTH_MAX, STORE_RESERVE
from sim_hardware.faults import FaultName, NextTime
from sim_hardware.rig import numbered_boots
from sim_hardware.stakes import SPOTS, SensorSettings
from sim_hardware.stakes_rig import StakesRig, stakes_vocabulary
from tests.sim_hardware.bench import in_virtual_time
from tests.sim_hardware.host import Host, met
from tests.support.sentences import Says


def felt(settings: SensorSettings | None = None) -> AbstractAsyncContextManager[tuple[StakesRig, Host]]:
    """A sensor that is linked to its host."""
    return met(lambda port: StakesRig(settings or SensorSettings(seed=7), port, boots=numbered_boots("boot")))


def seen(host: Host) -> list[tuple[int, str, int]]:
    return [(one.seat, one.spot, one.stake_cents) for one in host.of(m.StakeSeen)]


def test_its_spots_are_called_as_the_wagers_and_colours_of_the_games() -> None:
    bets = {name.value.replace("_", "-") for name in WagerName if name is not WagerName.ANTE_BONUS}
    assert set(SPOTS) == bets | {colour.value for colour in Colour}


@in_virtual_time
async def test_what_lies_on_a_spot_is_said_when_it_changes_and_not_again() -> None:
    async with felt() as (rig, host):
        for cents in (500, 500, 1500, 0):
            assert rig.lay(3, "ante", cents) is None
        await host.until(lambda: len(seen(host)) == 3)
        assert seen(host) == [(3, "ante", 500), (3, "ante", 1500), (3, "ante", 0)]


@in_virtual_time
async def test_without_power_chips_stay_and_are_the_first_events_of_the_next_boot() -> None:
    async with felt() as (rig, host):
        rig.lay(3, "ante", 500)
        rig.lay(1, "ante", 700)
        await host.until(lambda: len(seen(host)) == 2)
        rig.reboot()
        await host.until(lambda: len(seen(host)) == 4)
        assert seen(host)[2:] == [(1, "ante", 700), (3, "ante", 500)]
        assert host.boots == ["boot-1", "boot-2"]


@in_virtual_time
async def test_what_changes_while_its_store_is_full_is_said_when_there_is_room() -> None:
    async with felt() as (rig, host):
        rig.unplug()
        for cents in range(1, STORE_DEPTH_MAX):
            assert rig.lay(1, "ante", cents) is None
        assert rig.end.unacknowledged <= STORE_DEPTH_MAX - STORE_RESERVE + 1  # and the fault that says so
        rig.replug()
        await host.until(lambda: seen(host)[-1:] == [(1, "ante", STORE_DEPTH_MAX - 1)])


@pytest.mark.parametrize("name", [FaultName.CORRUPTED_FRAMES, FaultName.DROPPED_FRAMES, FaultName.REPEATED_FRAMES])
def test_a_bad_line_costs_time_and_no_stake(name: FaultName) -> None:
    @in_virtual_time
    async def story() -> None:
        async with felt() as (rig, host):
            rig.arm(name, NextTime())
            for cents in range(1, 20):
                rig.lay(1, "ante", cents)
            await host.until(lambda: len(seen(host)) == 19)
            assert [cents for _, _, cents in seen(host)] == list(range(1, 20))

    story()


@in_virtual_time
async def test_its_words_lay_and_sweep_and_refuse_what_the_felt_does_not_have(says: Says) -> None:
    async with felt(SensorSettings(seats=2, spots=("ante",))) as (rig, host):
        words = stakes_vocabulary(rig)
        for line in ("lay 2 ante 500", "status", "lay 3 ante 500", "lay 1 play 500", "lay 1 ante x", "sweep", "help"):
            says(words.answer(line), boot=rig.end.boot)
        assert rig.press("green") is not None
        await host.until(lambda: seen(host) == [(2, "ante", 500), (2, "ante", 0)])
        assert await host.order(m.SetLamp(True)) == "not-capable"
