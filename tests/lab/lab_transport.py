"""The installed drivers as the daemon's user, on a real kernel: real libusb, real errors, real unplugging."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from drivers.events import Button
from sim_hardware.pace import Pace
from sim_hardware.shuffler_settings import ShufflerSettings
from sim_hardware.usb_descriptors import BULK_IN, BULK_OUT, NOTICE_IN
from sim_hardware.usb_port import UsbKind
from tests.lab.machine import Machine, in_background, shuffler

SETTINGS = ShufflerSettings(seed=1, pace=Pace(0))
ANY = "usb:1209:0001"


@dataclass(frozen=True, slots=True)
class Probe:
    """The installed drivers at work on one address, in the background."""

    guest: Machine
    unit: str

    async def saw(self, event: str, times: int = 1) -> str:
        """Wait for so many reports of a kind; what the last of them says. The log is in the same file."""
        await self.guest.until(f'[ $(grep -c \'"event": "{event}"\' /run/{self.unit}) -ge {times} ]')
        said = (await self.guest.run(f"grep '^{{' /run/{self.unit}")).splitlines()
        found: list[str] = [one["what"] for one in map(json.loads, said) if one["event"] == event]
        return found[-1]


@asynccontextmanager
async def probe(guest: Machine, address: str, user: str = "feltd") -> AsyncIterator[Probe]:
    async with in_background(guest, f"/opt/feltd/bin/python /opt/lab/probe.py {address}", user) as unit:
        yield Probe(guest, unit)


@pytest.mark.parametrize("kind", list(UsbKind))
async def test_it_is_heard_lost_when_unplugged_and_goes_on_when_plugged_in_again(guest: Machine, kind: UsbKind) -> None:
    async with shuffler(guest, kind, "S-1", SETTINGS) as there, probe(guest, there.plug.port.address) as at_work:
        assert "serial='S-1'" in await at_work.saw("LinkUp")
        there.rig.unplug()
        await at_work.saw("LinkLost")
        there.rig.press(Button.GREEN.value)
        there.rig.replug()
        await there.plug.attach()
        assert "resumed=True" in await at_work.saw("LinkUp", 2)
        await at_work.saw("ButtonPressed")


async def test_a_stalled_endpoint_is_cleared_and_costs_no_event(guest: Machine) -> None:
    async with shuffler(guest, UsbKind.FELT_LINK, "S-1", SETTINGS) as there, probe(guest, ANY) as at_work:
        await at_work.saw("LinkUp")
        for pressed, endpoint in enumerate((BULK_IN, BULK_OUT, NOTICE_IN), 1):
            there.plug.port.device.halt(endpoint)
            there.rig.press(Button.GREEN.value)
            await at_work.saw("ButtonPressed", pressed)


async def test_of_two_that_fit_neither_is_taken_and_with_the_serial_number_the_right_one_is(guest: Machine) -> None:
    async with (
        shuffler(guest, UsbKind.FELT_LINK, "S-1", SETTINGS),
        shuffler(guest, UsbKind.FELT_LINK, "S-2", SETTINGS),
    ):
        async with probe(guest, ANY) as at_work:
            what = await at_work.saw("SetupFailed")
            assert "ambiguous-device" in what
            assert "usb:1209:0001:S-1 (bus 1 port 1), usb:1209:0001:S-2 (bus 1 port 2)" in what
        async with probe(guest, f"{ANY}:S-2") as at_work:
            assert "serial='S-2'" in await at_work.saw("LinkUp")


async def test_another_user_is_told_which_rule_is_missing(guest: Machine) -> None:
    async with shuffler(guest, UsbKind.FELT_LINK, "S-1", SETTINGS), probe(guest, ANY, "nobody") as at_work:
        what = await at_work.saw("SetupFailed")
        assert "permission-denied" in what
        assert "/dev/bus/usb/001/" in what
        assert "60-feltd.rules" in what


async def test_a_second_program_is_told_that_the_device_is_taken(guest: Machine) -> None:
    async with (
        shuffler(guest, UsbKind.FELT_LINK, "S-1", SETTINGS),
        probe(guest, ANY) as first,
    ):
        await first.saw("LinkUp")
        async with probe(guest, ANY) as second:
            assert "port-busy" in await second.saw("SetupFailed")


async def test_none_is_waited_for_and_found_when_it_comes(guest: Machine) -> None:
    async with probe(guest, ANY) as at_work:
        assert "no-such-port" in await at_work.saw("SetupFailed")
        async with shuffler(guest, UsbKind.FELT_LINK, "S-1", SETTINGS):
            await at_work.saw("LinkUp")
