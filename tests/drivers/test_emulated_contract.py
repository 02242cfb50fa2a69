"""What holds for every emulated felt-link device over every way to it: a shuffler, a shoe and a pad of keys.

The ways are good and bad lines in virtual time, and a tty, TCP raw and settable, and USB as they are.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import pytest

from drivers import events as e
from drivers.device import LinkState
from drivers.errors import SetupCode
from drivers.felt_link import BOUNCE_NS
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
from sim_hardware.shoe_kinds import SHOE_KINDS
from sim_hardware.shoe_rig import ShoeRig
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_settings import ShufflerSettings
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

AnyRig: TypeAlias = ShufflerRig | ShoeRig | ButtonsRig
GREEN, NEXT, COUNT = (e.ButtonPressed(button) for button in (e.Button.GREEN, e.Button.NEXT, e.Button.COUNT))


def a_shuffler(port: Port, boots: Iterator[str]) -> AnyRig:
    settings = ShufflerSettings(pace=Pace(0))
    who = shuffler_rig.identity(settings, serial=SERIAL)  # the same as on the USB plate, as the binding has it
    return ShufflerRig(settings, port, who=who, boots=boots)


def a_shoe(port: Port, boots: Iterator[str]) -> AnyRig:
    who = shoe_rig.identity(serial=SERIAL)
    return ShoeRig(ShoeSettings(pace=Pace(0)), port, SHOE_KINDS["felt-link"], who=who, boots=boots)


def a_pad(port: Port, boots: Iterator[str]) -> AnyRig:
    return ButtonsRig(PadSettings(pace=Pace(0)), port, who=buttons_rig.identity(serial=SERIAL), boots=boots)


KINDS: Mapping[str, tuple[Callable[[Port, Iterator[str]], AnyRig], Profile]] = {
    "shuffler": (a_shuffler, PROFILES["felt-link-shuffler-faces"]),
    "shoe": (a_shoe, PROFILES["felt-link-shoe"]),
    "buttons": (a_pad, PROFILES["felt-link-buttons"]),
}


class Stage:
    """A device of one kind on one way, and drivers of it."""

    def __init__(self, kind: str, meeting: Meeting) -> None:
        make, self.profile = KINDS[kind]
        self.rig = make(meeting.port, numbered_boots("boot"))
        self._meeting = meeting

    def driven(
        self, profile: Profile | None = None, *, serial: str | None = None, resume_from: e.Receipt | None = None
    ) -> AbstractAsyncContextManager[Listener]:
        settings = settings_for(self.rig, profile or self.profile, serial, self._meeting)
        return driven(settings, self._meeting.opening, resume_from)

    @asynccontextmanager
    async def linked(self) -> AsyncIterator[Listener]:
        """A driver that has identified it."""
        async with self.driven() as heard:
            await heard.until(lambda: heard.count(e.LinkUp) >= 1)
            yield heard


def everywhere(
    scenario: Callable[[Stage], Coroutine[object, object, None]], kinds: Iterable[str] = tuple(KINDS)
) -> Callable[[str, str, Path], None]:
    """Makes a test of a scenario: each kind of device over each way to it, with nothing left afterwards."""

    @pytest.mark.parametrize("kind", kinds)
    @pytest.mark.parametrize("where", [*IN_VIRTUAL_TIME, *IN_REAL_TIME])
    def test(where: str, kind: str, tmp_path: Path) -> None:
        async def story(meeting: Meeting) -> None:
            stage = Stage(kind, meeting)
            async with started(stage.rig):
                await scenario(stage)

        meet(where, tmp_path, story)

    return test


def of_a_shoe(scenario: Callable[[Stage], Coroutine[object, object, None]]) -> Callable[[str, str, Path], None]:
    """The same for a shoe alone."""
    return everywhere(scenario, ["shoe"])


def kept(button: e.ButtonPressed) -> e.ButtonPressed:
    return replace(button, kept=True)


def pressed(heard: Listener) -> list[e.DeviceEvent]:
    return heard.of(e.ButtonPressed)


@everywhere
async def test_every_key_comes_once_in_order_and_with_its_receipt(stage: Stage) -> None:
    rig = stage.rig
    async with stage.linked() as heard:
        for key in ("green", "next", "count"):
            assert rig.press(key) is None
        await heard.until(lambda: heard.count(e.ButtonPressed) == 3)
        assert pressed(heard) == [GREEN, NEXT, COUNT]
        receipts = [report.receipt for report in heard.reports if report.receipt is not None]
        assert receipts == [e.Receipt("boot-1", seq) for seq in range(1, len(receipts) + 1)]


def test_contacts_that_bounce_make_one_decision_and_no_finger_is_as_quick(tmp_path: Path) -> None:
    """The second of two reports stood for the next player, whom nobody had asked."""

    async def story(meeting: Meeting) -> None:
        stage = Stage("buttons", meeting)
        async with started(stage.rig), stage.linked() as heard:
            stage.rig.arm(FaultName.KEY_BOUNCE, NextTime())
            stage.rig.press("stand")
            await heard.until(lambda: len(heard.of(e.ButtonPressed, e.Anomaly)) == 2)
            assert pressed(heard) == [e.ButtonPressed(e.Button.STAND)]
            assert [each.code for each in heard.of(e.Anomaly) if isinstance(each, e.Anomaly)] == ["key-bounced"]
            stage.rig.press("hit")
            await asyncio.sleep(BOUNCE_NS / 1e9)
            stage.rig.press("hit")
            for key in ("green", "green"):
                stage.rig.press(key)
            await heard.until(lambda: heard.count(e.ButtonPressed) == 5)

    meet("memory", tmp_path, story)


@everywhere
async def test_what_was_pressed_while_it_was_unplugged_comes_when_it_is_back_and_says_so(stage: Stage) -> None:
    rig = stage.rig
    async with stage.linked() as heard:
        rig.press("green")
        await heard.until(lambda: heard.count(e.ButtonPressed) == 1)
        rig.unplug()
        await heard.until(lambda: heard.count(e.LinkLost) == 1)
        rig.press("next")
        rig.press("count")
        rig.replug()
        await heard.until(lambda: heard.count(e.ButtonPressed) == 3)
        assert pressed(heard) == [GREEN, kept(NEXT), kept(COUNT)]
        ups = [event for event in heard.of(e.LinkUp) if isinstance(event, e.LinkUp)]
        assert (ups[0].resumed, ups[-1].resumed) == (False, True)


@everywhere
async def test_without_its_memory_it_is_known_to_have_lost_it(stage: Stage) -> None:
    rig = stage.rig
    async with stage.linked() as heard:
        rig.reboot()
        await heard.until(lambda: heard.of(e.Restarted, e.LinkUp)[-2:-1] == [e.Restarted("boot-2")])
        assert heard.of(e.Restarted) == [e.Restarted("boot-2")]
        assert rig.press("green") is None
        await heard.until(lambda: heard.count(e.ButtonPressed) == 1)


FRAME_FAULTS = (FaultName.CORRUPTED_FRAMES, FaultName.DROPPED_FRAMES, FaultName.REPEATED_FRAMES)


@everywhere
async def test_a_bad_frame_costs_no_key_and_makes_none(stage: Stage) -> None:
    rig = stage.rig
    async with stage.linked() as heard:
        for struck, name in enumerate(FRAME_FAULTS, start=1):
            rig.arm(name, NextTime())
            for key in ("green", "next", "count"):
                rig.press(key)
            await heard.until(lambda: heard.count(e.ButtonPressed) == 3 * struck)  # noqa: B023 - awaited here
            assert rig.emulator.cable.struck == struck
        assert pressed(heard) == [GREEN, NEXT, COUNT] * len(FRAME_FAULTS)


@everywhere
async def test_a_daemon_that_starts_again_goes_on_after_its_last_receipt(stage: Stage) -> None:
    rig = stage.rig
    async with stage.driven() as heard:
        heard.acknowledges = False
        rig.press("green")
        rig.press("next")
        await heard.until(lambda: heard.count(e.ButtonPressed) == 2)
        last = next(report.receipt for report in heard.reports if report.event in (GREEN, kept(GREEN)))
    rig.unplug()  # or it would take the silence of two hosts for that of one, and wait it out
    rig.replug()
    async with stage.driven(resume_from=last) as heard:
        await heard.until(lambda: heard.count(e.ButtonPressed) == 1)
        assert heard.of(e.ButtonPressed) == [kept(NEXT)]
        assert heard.count(e.EventsLost) == 0


@everywhere
async def test_to_another_serial_number_nothing_is_written(stage: Stage) -> None:
    async with stage.driven(serial="OTHER") as heard:
        await heard.until(lambda: heard.count(e.SetupFailed) == 1)
        (failed,) = heard.of(e.SetupFailed)
        assert isinstance(failed, e.SetupFailed)
        assert failed.code == SetupCode.WRONG_SERIAL
        assert heard.device is not None
        assert heard.device.state is LinkState.BLOCKED
        assert {tapped.direction for tapped in heard.device.tap.kept()} == {Direction.FROM_DEVICE}


@everywhere
async def test_in_the_place_of_another_kind_it_is_refused(stage: Stage) -> None:
    others = [other for _, other in KINDS.values() if other is not stage.profile]
    # Every felt-link device may have keys, so only a pad's own profile takes others' places.
    wanted = next(other for other in others if other.name != "felt-link-buttons")
    async with stage.driven(wanted) as heard:
        await heard.until(lambda: heard.count(e.SetupFailed) == 1)
        (failed,) = heard.of(e.SetupFailed)
        assert isinstance(failed, e.SetupFailed)
        assert failed.code == SetupCode.MISSING_CAPABILITY
        assert wanted.role.value in failed.problem


@of_a_shoe
async def test_every_card_of_a_shoe_comes_once_and_in_order(stage: Stage) -> None:
    rig, cards = stage.rig, 60  # more than the window and more than a packet of USB holds
    assert isinstance(rig, ShoeRig)
    async with stage.linked() as heard:
        for _ in range(cards):
            assert rig.draw() is None
        await heard.until(lambda: len(heard.faces) >= cards)
        assert heard.faces == [piece.face for piece in shuffled(house_decks(6).pieces, 0, 1)][:cards]
