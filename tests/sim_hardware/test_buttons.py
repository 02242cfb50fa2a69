"""The emulated pad of keys on a line: what is pressed, kept, resumed, refused, and each of its faults."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

import pytest

from protocols.felt_link import messages as m
from protocols.felt_link.events import Standing
from protocols.felt_link.limits import STORE_DEPTH_MAX, STORE_RESERVE
from sim_hardware.buttons import KEYS, PadSettings
from sim_hardware.buttons_rig import ButtonsRig, buttons_vocabulary
from sim_hardware.faults import BUTTONS_FAULTS, Always, FaultName, NextTime, OnPacket
from sim_hardware.rig import numbered_boots
from tests.sim_hardware.bench import in_virtual_time
from tests.sim_hardware.host import Host, met
from tests.support.sentences import Says


def pad(settings: PadSettings | None = None) -> AbstractAsyncContextManager[tuple[ButtonsRig, Host]]:
    """A pad that is linked to its host."""
    return met(lambda port: ButtonsRig(settings or PadSettings(seed=7), port, boots=numbered_boots("boot")))


def keys_of(host: Host) -> list[str]:
    return [pressed.key for pressed in host.of(m.WireButtonPressed)]


@in_virtual_time
async def test_every_key_is_reported_by_its_name_in_order() -> None:
    async with pad() as (rig, host):
        for key in KEYS:
            assert rig.press(key) is None
        await host.until(lambda: len(keys_of(host)) == len(KEYS))
        assert keys_of(host) == list(KEYS)
        assert host.resent == []


@in_virtual_time
async def test_a_pad_can_have_any_keys_and_no_other_can_be_pressed(says: Says) -> None:
    async with pad(PadSettings(keys=("deal", "seat-1"))) as (rig, host):
        assert rig.press("seat-1") is None
        refused = rig.press("green")
        assert refused is not None
        assert refused.code == "bad-argument"
        says(refused.reason)
        await host.until(lambda: keys_of(host) == ["seat-1"])


@in_virtual_time
async def test_it_obeys_nobody() -> None:
    async with pad() as (_rig, host):
        assert await host.order(m.SetLamp(True)) == "not-capable"


@in_virtual_time
async def test_what_was_pressed_without_a_line_is_kept_and_comes_when_it_is_back() -> None:
    async with pad() as (rig, host):
        rig.unplug()
        assert rig.press("green") is None
        assert rig.press("next") is None
        rig.replug()
        await host.until(lambda: keys_of(host) == ["green", "next"])
        assert host.standings == [Standing.FIRST, Standing.RESUMED]


@in_virtual_time
async def test_what_was_not_committed_comes_again_and_counts_once() -> None:
    async with pad() as (rig, host):
        host.commits = False
        rig.press("green")
        await host.until(lambda: keys_of(host) == ["green"])
        assert rig.end.unacknowledged == 1
        rig.unplug()
        host.commits = True
        rig.replug()
        rig.press("next")
        await host.until(lambda: keys_of(host) == ["green", "next"])
        assert rig.end.unacknowledged == 0


@in_virtual_time
async def test_with_a_full_store_no_key_is_taken_until_the_host_has_half_of_it() -> None:
    async with pad() as (rig, host):
        rig.unplug()
        pressed = 0
        while rig.press("next") is None:
            pressed += 1
        refused = rig.press("next")
        assert refused is not None
        assert refused.code == "store-full"
        assert pressed == STORE_DEPTH_MAX - STORE_RESERVE
        rig.replug()
        await host.until(lambda: host.of(m.WireFaultCleared) == [m.WireFaultCleared("store-full")])
        assert rig.press("green") is None
        await host.until(lambda: len(keys_of(host)) == pressed + 1)


@in_virtual_time
async def test_worn_contacts_make_two_of_one_press() -> None:
    async with pad() as (rig, host):
        rig.arm(FaultName.KEY_BOUNCE, OnPacket(2))
        for key in ("green", "next", "count"):
            rig.press(key)
        await host.until(lambda: len(keys_of(host)) == 4)
        assert keys_of(host) == ["green", "next", "next", "count"]


@in_virtual_time
async def test_a_pad_that_loses_power_under_a_finger_says_nothing_of_the_press_and_has_another_boot() -> None:
    async with pad() as (rig, host):
        rig.arm(FaultName.REBOOT, NextTime())
        assert rig.press("green") is None
        refused = rig.press("green")
        assert refused is not None
        assert refused.code == "busy"
        await rig.until(lambda pad: not pad.is_starting)
        await host.until(lambda: len(host.boots) == 2)
        rig.press("next")
        await host.until(lambda: keys_of(host) == ["next"])
        assert host.boots == ["boot-1", "boot-2"]


@pytest.mark.parametrize("name", [FaultName.CORRUPTED_FRAMES, FaultName.DROPPED_FRAMES, FaultName.REPEATED_FRAMES])
def test_a_bad_line_costs_time_and_no_key(name: FaultName) -> None:
    @in_virtual_time
    async def story() -> None:
        async with pad() as (rig, host):
            rig.arm(name, Always(25))
            expected = []
            for press in range(40):
                key = KEYS[press % len(KEYS)]
                rig.press(key)
                expected.append(key)
                await host.until(lambda: len(keys_of(host)) == len(expected))
            assert keys_of(host) == expected
            assert rig.emulator.cable.struck > 10

    story()


@in_virtual_time
async def test_a_silent_pad_is_heard_again_with_everything_that_was_pressed() -> None:
    async with pad() as (rig, host):
        rig.arm(FaultName.SILENCE, Always())
        rig.press("green")
        rig.disarm(FaultName.SILENCE)
        await host.until(lambda: keys_of(host) == ["green"])


@in_virtual_time
async def test_its_words(says: Says) -> None:
    async with pad() as (rig, _host):
        words = buttons_vocabulary(rig)

        def say(line: str) -> str:
            return words.answer(line)

        assert say("press green") == "ok presses=1 unacknowledged=1"
        says(say("press geren"))
        says(say("press"))
        assert say("fault key-bounce press 3") == "ok key-bounce=press:3"
        says(say("fault jam on"))
        assert say("unplug") == say("replug") == "ok presses=1 unacknowledged=1"
        assert say("status") == (f"ok presses=1 unacknowledged=1 boot=boot-1 keys={','.join(KEYS)}")
        assert say("reboot") == "ok presses=1 unacknowledged=0"
        for name in BUTTONS_FAULTS:
            assert say(f"fault {name}").startswith(f"ok {name} (")
