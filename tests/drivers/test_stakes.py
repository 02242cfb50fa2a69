"""What a bet sensor sees comes once and in order over every line, also what changed while nobody listened."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from drivers import events as e
from drivers.profiles import PROFILES
from protocols.felt_link.messages import Capability
from sim_hardware import stakes_rig
from sim_hardware.pace import Pace
from sim_hardware.rig import numbered_boots
from sim_hardware.stakes import SensorSettings
from sim_hardware.stakes_rig import StakesRig
from tests.drivers.emulated import (
    IN_REAL_TIME,
    IN_VIRTUAL_TIME,
    SERIAL,
    Listener,
    Meeting,
    driven,
    meet,
    settings_for,
    started,
)


def seen(heard: Listener) -> list[e.DeviceEvent]:
    return heard.of(e.StakeSeen)


@pytest.mark.parametrize("where", [*IN_VIRTUAL_TIME, *IN_REAL_TIME])
def test_stakes_come_once_and_in_order_and_the_cable_costs_none(where: str, tmp_path: Path) -> None:
    async def story(meeting: Meeting) -> None:
        who = stakes_rig.identity(serial=SERIAL)
        rig = StakesRig(SensorSettings(pace=Pace(0)), meeting.port, who=who, boots=numbered_boots("boot"))
        async with (
            started(rig),
            driven(settings_for(rig, PROFILES["felt-link-stakes"], None, meeting), meeting.opening) as heard,
        ):
            await heard.until(lambda: heard.count(e.LinkUp) >= 1)
            rig.lay(1, "ante", 500)
            rig.lay(1, "ante", 1500)
            await heard.until(lambda: len(seen(heard)) == 2)
            rig.unplug()
            await heard.until(lambda: heard.count(e.LinkLost) == 1)
            rig.lay(2, "play", 2000)
            rig.replug()
            await heard.until(lambda: len(seen(heard)) == 3)
            assert seen(heard) == [
                e.StakeSeen(1, "ante", 500),
                e.StakeSeen(1, "ante", 1500),
                e.StakeSeen(2, "play", 2000),
            ]
            assert heard.count(e.EventsLost) == 0

    meet(where, tmp_path, story)


def test_a_pad_of_keys_that_sees_stakes_bets_nothing(tmp_path: Path) -> None:
    """Its own hello says what it can do, and the house's file what it is for."""

    async def story(meeting: Meeting) -> None:
        sensor = stakes_rig.identity(serial=SERIAL)
        who = replace(sensor, capabilities=(*sensor.capabilities, Capability.BUTTONS))
        rig = StakesRig(SensorSettings(pace=Pace(0)), meeting.port, who=who, boots=numbered_boots("boot"))
        async with (
            started(rig),
            driven(settings_for(rig, PROFILES["felt-link-buttons"], None, meeting), meeting.opening) as heard,
        ):
            await heard.until(lambda: heard.count(e.LinkUp) >= 1)
            rig.lay(1, "ante", 500)
            await heard.until(lambda: heard.count(e.Anomaly) == 1)
            assert heard.of(e.Anomaly) == [e.Anomaly("not-a-bet-sensor", "it sees chips on spot ante of seat 1")]
            assert seen(heard) == []

    meet(next(iter(IN_VIRTUAL_TIME)), tmp_path, story)
