"""What holds for every emulated felt-link device over every way to it: a shuffler, a shoe and a pad of keys."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from drivers import events as e
from drivers.device import DeviceState
from drivers.errors import SetupCode
from drivers.profile import Profile
from drivers.profiles import PROFILES
from drivers.tap import Direction
from sim_hardware import buttons_rig, shoe_rig, shuffler_rig
from sim_hardware.buttons import PadSettings
from sim_hardware.buttons_rig import ButtonsRig
from sim_hardware.deck import shuffled
from sim_hardware.faults import FaultName, NextTime
from sim_hardware.pace import Pace
from sim_hardware.ports import Port
from sim_hardware.rig import numbered_boots
from sim_hardware.shoe import ShoeSettings, house_decks
from sim_hardware.shoe_rig import ShoeProtocol, ShoeRig
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_settings import ShufflerSettings
from tests.drivers.emulated import EVERY_MEETING, SERIAL, Listener, Meeting, driven, settings_for, started

AnyRig: TypeAlias = ShufflerRig | ShoeRig | ButtonsRig
GREEN, NEXT, COUNT = (e.ButtonPressed(button) for button in (e.Button.GREEN, e.Button.NEXT, e.Button.COUNT))


def a_shuffler(port: Port, boots: Iterator[str]) -> AnyRig:
    settings = ShufflerSettings(pace=Pace(0))
    who = shuffler_rig.identity(settings, serial=SERIAL)  # the same as on the USB plate, as the binding has it
    return ShufflerRig(settings, port, who=who, boots=boots)


def a_shoe(port: Port, boots: Iterator[str]) -> AnyRig:
    who = shoe_rig.identity(serial=SERIAL)
    return ShoeRig(ShoeSettings(pace=Pace(0)), port, ShoeProtocol.FELT_LINK, who=who, boots=boots)


def a_pad(port: Port, boots: Iterator[str]) -> AnyRig:
    return ButtonsRig(PadSettings(pace=Pace(0)), port, who=buttons_rig.identity(serial=SERIAL), boots=boots)


KINDS: dict[str, tuple[Callable[[Port, Iterator[str]], AnyRig], Profile]] = {
    "shuffler": (a_shuffler, PROFILES["felt-link-shuffler-faces"]),
    "shoe": (a_shoe, PROFILES["felt-link-shoe"]),
    "buttons": (a_pad, PROFILES["felt-link-buttons"]),
}


@pytest.fixture(params=EVERY_MEETING)
async def meeting(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Meeting]:
    async with EVERY_MEETING[request.param](tmp_path).there() as there:
        yield there


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> tuple[Callable[[Port, Iterator[str]], AnyRig], Profile]:
    return KINDS[request.param]


@pytest.fixture
def profile(kind: tuple[Callable[[Port, Iterator[str]], AnyRig], Profile]) -> Profile:
    return kind[1]


@pytest.fixture
def rig(kind: tuple[Callable[[Port, Iterator[str]], AnyRig], Profile], meeting: Meeting) -> AnyRig:
    return kind[0](meeting.port, numbered_boots("boot"))


def pressed(heard: Listener) -> list[e.DeviceEvent]:
    return heard.of(e.ButtonPressed)


async def test_every_key_comes_once_in_order_and_with_its_receipt(
    rig: AnyRig, profile: Profile, meeting: Meeting
) -> None:
    async with started(rig), driven(settings_for(rig, profile, meeting=meeting), meeting.opening) as heard:
        await heard.until(lambda: heard.count(e.LinkUp) == 1)
        for key in ("green", "next", "count"):
            assert rig.press(key) is None
        await heard.until(lambda: heard.count(e.ButtonPressed) == 3)
        assert pressed(heard) == [GREEN, NEXT, COUNT]
        receipts = [report.receipt for report in heard.reports if report.receipt is not None]
        assert receipts == [e.Receipt("boot-1", seq) for seq in range(1, len(receipts) + 1)]


async def test_what_was_pressed_while_it_was_unplugged_comes_when_it_is_back(
    rig: AnyRig, profile: Profile, meeting: Meeting
) -> None:
    async with started(rig), driven(settings_for(rig, profile, meeting=meeting), meeting.opening) as heard:
        await heard.until(lambda: heard.count(e.LinkUp) == 1)
        rig.press("green")
        await heard.until(lambda: heard.count(e.ButtonPressed) == 1)
        rig.unplug()
        await heard.until(lambda: heard.count(e.LinkLost) == 1)
        rig.press("next")
        rig.press("count")
        rig.replug()
        await heard.until(lambda: heard.count(e.ButtonPressed) == 3)
        assert pressed(heard) == [GREEN, NEXT, COUNT]
        assert [event.resumed for event in heard.of(e.LinkUp) if isinstance(event, e.LinkUp)] == [False, True]


async def test_without_its_memory_it_is_known_to_have_lost_it(rig: AnyRig, profile: Profile, meeting: Meeting) -> None:
    async with started(rig), driven(settings_for(rig, profile, meeting=meeting), meeting.opening) as heard:
        await heard.until(lambda: heard.count(e.LinkUp) == 1)
        rig.reboot()
        await heard.until(lambda: heard.count(e.LinkUp) == 2)
        assert heard.of(e.Restarted) == [e.Restarted("boot-2")]
        assert rig.press("green") is None
        await heard.until(lambda: heard.count(e.ButtonPressed) == 1)


@pytest.mark.parametrize("name", [FaultName.CORRUPTED_FRAMES, FaultName.DROPPED_FRAMES, FaultName.REPEATED_FRAMES])
async def test_a_bad_frame_costs_no_key_and_makes_none(
    rig: AnyRig, profile: Profile, meeting: Meeting, name: FaultName
) -> None:
    async with started(rig), driven(settings_for(rig, profile, meeting=meeting), meeting.opening) as heard:
        await heard.until(lambda: heard.count(e.LinkUp) == 1)
        rig.arm(name, NextTime())
        for key in ("green", "next", "count"):
            rig.press(key)
        await heard.until(lambda: heard.count(e.ButtonPressed) == 3)
        assert pressed(heard) == [GREEN, NEXT, COUNT]
        assert rig.emulator.line.struck == 1


async def test_a_daemon_that_starts_again_goes_on_after_its_last_receipt(
    rig: AnyRig, profile: Profile, meeting: Meeting
) -> None:
    async with started(rig):
        settings = settings_for(rig, profile, meeting=meeting)
        async with driven(settings, meeting.opening) as heard:
            heard.acknowledges = False
            rig.press("green")
            rig.press("next")
            await heard.until(lambda: heard.count(e.ButtonPressed) == 2)
            last = next(report.receipt for report in heard.reports if report.event == GREEN)
        rig.unplug()  # or it would take the silence of two hosts for that of one, and wait it out
        rig.replug()
        async with driven(settings, meeting.opening, last) as heard:
            await heard.until(lambda: heard.count(e.ButtonPressed) == 1)
            assert heard.of(e.LinkUp, e.ButtonPressed)[-1] == NEXT
            assert heard.count(e.EventsLost) == 0


async def test_to_another_serial_number_nothing_is_written(rig: AnyRig, profile: Profile, meeting: Meeting) -> None:
    async with started(rig), driven(settings_for(rig, profile, "OTHER", meeting), meeting.opening) as heard:
        await heard.until(lambda: heard.count(e.SetupFailed) == 1)
        (failed,) = heard.of(e.SetupFailed)
        assert isinstance(failed, e.SetupFailed)
        assert failed.code == SetupCode.WRONG_SERIAL
        assert heard.device is not None
        assert heard.device.state is DeviceState.BLOCKED
        assert {tapped.direction for tapped in heard.device.tap.kept()} == {Direction.FROM_DEVICE}


async def test_in_the_place_of_another_kind_it_is_refused(rig: AnyRig, profile: Profile, meeting: Meeting) -> None:
    others = [other for _, other in KINDS.values() if other is not profile]
    # Every felt-link device may have keys, so only a pad's own profile takes others' places.
    wanted = next(other for other in others if other.name != "felt-link-buttons")
    async with started(rig), driven(settings_for(rig, wanted, meeting=meeting), meeting.opening) as heard:
        await heard.until(lambda: heard.count(e.SetupFailed) == 1)
        (failed,) = heard.of(e.SetupFailed)
        assert isinstance(failed, e.SetupFailed)
        assert failed.code == SetupCode.MISSING_CAPABILITY
        assert wanted.role.value in failed.problem


@pytest.mark.parametrize("kind", [KINDS["shoe"]], ids=["shoe"])
async def test_every_card_of_a_shoe_comes_once_and_in_order(rig: AnyRig, profile: Profile, meeting: Meeting) -> None:
    assert isinstance(rig, ShoeRig)
    cards = 60  # more than the window and more than a packet of USB holds
    async with started(rig), driven(settings_for(rig, profile, meeting=meeting), meeting.opening) as heard:
        await heard.until(lambda: heard.count(e.LinkUp) == 1)
        for _ in range(cards):
            assert rig.draw() is None
        await heard.until(lambda: len(heard.faces) >= cards)
        assert heard.faces == [piece.face for piece in shuffled(house_decks(6).pieces, 0, 1)][:cards]
