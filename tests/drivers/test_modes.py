"""A shuffler's modes as the driver tells them: ordered sizes, sizes of its own program, whole decks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import product
from pathlib import Path

import pytest

from drivers import commands as c
from drivers import events as e
from drivers.addresses import TcpAddress
from drivers.driver import Rejected
from drivers.errors import SetupCode
from drivers.profile import DeviceRole, DeviceSettings, Profile
from drivers.profiles import DRIVERS, PROFILES
from protocols import felt_link
from protocols.felt_link import messages as m
from protocols.felt_link.frame import encode
from protocols.felt_link.wording import to_frame
from sim_hardware.command import profile_of
from sim_hardware.pace import Pace
from sim_hardware.ports import PtyPort
from sim_hardware.shuffler_rig import ShufflerRig, identity
from sim_hardware.shuffler_settings import ShufflerSettings
from tests.drivers.emulated import Listener, driven, nothing_left, settings_for, started
from tests.support.sentences import Says

FACES = PROFILES["felt-link-shuffler-faces"]
PROGRAM = PROFILES["felt-link-shuffler-observed-faces"]
BATCH = PROFILES["felt-link-shuffler-batch"]
A_BATCH_MACHINE = ShufflerSettings(observed=True, batch=True, reads_faces=False, pace=Pace(0))


@asynccontextmanager
async def shuffler(
    settings: ShufflerSettings, profile: Profile, path: Path, *, auto_dealer: bool = True
) -> AsyncIterator[tuple[ShufflerRig, Listener]]:
    rig = ShufflerRig(settings, PtyPort(path / "tty"), auto_dealer=auto_dealer)
    with nothing_left():
        async with started(rig), driven(settings_for(rig, profile)) as heard:
            yield rig, heard


def sizes(heard: Listener) -> list[tuple[int, int | None]]:
    return [(event.position, event.count) for event in heard.events if isinstance(event, e.PacketDispensed)]


async def test_packets_of_two_sizes_in_one_round_are_ordered_and_add_up(tmp_path: Path) -> None:
    async with shuffler(ShufflerSettings(pace=Pace(0)), FACES, tmp_path) as (_, heard):
        await heard.until(lambda: heard.count(e.ShuffleFinished) == 1)
        device = heard.device
        assert device is not None

        def order(number: int, *wanted: c.DeviceCommand) -> None:
            for command in wanted:
                device.send(c.CommandDue(e.CommandId(f"{number}:{type(command).__name__}"), e.DeviceName("d"), command))

        for position, (mode, cards) in enumerate([(True, 2), (False, 2), (True, 3), (False, 3)], start=1):
            order(position, *([c.SetMode(cards)] if mode else []), c.Dispense(position))
            await heard.until(lambda: heard.count(e.PacketRemoved) == position)  # noqa: B023 - it is awaited here
        order(5, c.EjectRemainder())
        await heard.until(lambda: heard.count(e.RemainderEjected) == 1)
        assert sizes(heard) == [(1, 2), (2, 2), (3, 3), (4, 3)]
        assert [event.cards_a_packet for event in heard.events if isinstance(event, e.ModeChanged)] == [5, 2, 3]
        (rest,) = heard.of(e.RemainderEjected)
        assert isinstance(rest, e.RemainderEjected)
        assert rest.count == 42
        answers = heard.of(e.CommandAnswered)
        assert len(answers) == 7
        assert all(isinstance(answer, e.CommandAnswered) and answer.refusal is None for answer in answers)


async def test_a_program_of_the_machine_s_own_is_heard_and_nothing_is_ordered(tmp_path: Path) -> None:
    settings = ShufflerSettings(observed=True, program=(2, 2, 3, 3), pace=Pace(0))
    async with shuffler(settings, PROGRAM, tmp_path) as (rig, heard):
        await heard.until(lambda: heard.count(e.ShuffleFinished) == 1)
        rig.press("green")
        await heard.until(lambda: heard.count(e.PacketRemoved) == 4)
        assert sizes(heard) == [(1, 2), (2, 2), (3, 3), (4, 3)]
        changes = heard.of(e.ModeChanged, e.PacketDispensed)
        assert [event for event in changes if isinstance(event, e.ModeChanged)] == [e.ModeChanged(2), e.ModeChanged(3)]
        assert changes.index(e.ModeChanged(3)) == 3, "between the second packet and the third"


async def test_a_batch_is_a_remainder_of_no_packets(tmp_path: Path) -> None:
    async with shuffler(A_BATCH_MACHINE, BATCH, tmp_path, auto_dealer=False) as (rig, heard):
        await heard.until(lambda: heard.count(e.ShuffleFinished) == 1)
        rig.press("green")
        await heard.until(lambda: heard.count(e.RemainderEjected) == 1)
        assert heard.events[1:] == [
            e.DeckLoaded(),
            e.ShuffleStarted(),
            e.ShuffleFinished(52),
            e.ButtonPressed(e.Button.GREEN),
            e.RemainderEjected(52, None),
        ]


@pytest.mark.parametrize(
    ("settings", "profile"),
    [
        (ShufflerSettings(batch=True, pace=Pace(0)), FACES),
        (ShufflerSettings(pace=Pace(0)), BATCH),
    ],
    ids=["batches-for-packets", "packets-for-batches"],
)
async def test_a_machine_in_the_other_mode_is_refused(
    tmp_path: Path, settings: ShufflerSettings, profile: Profile, says: Says
) -> None:
    async with shuffler(settings, profile, tmp_path) as (_, heard):
        await heard.until(lambda: heard.count(e.SetupFailed) == 1)
        (failed,) = heard.of(e.SetupFailed)
        assert isinstance(failed, e.SetupFailed)
        assert failed.code == SetupCode.MISSING_CAPABILITY
        says(failed.problem)


@pytest.mark.parametrize("abilities", list(product([True, False], repeat=4)))
def test_the_profile_that_the_emulator_names_takes_the_machine(abilities: tuple[bool, bool, bool, bool]) -> None:
    counts, reads_faces, observed, batch = abilities
    machine = ShufflerSettings(counts=counts, reads_faces=reads_faces, observed=observed, batch=batch)
    name = profile_of(machine)
    taken = {profile.name for profile in SHUFFLERS if takes(profile, identity(machine))}
    assert name in taken if name else not taken


SHUFFLERS = [
    profile
    for profile in PROFILES.values()
    if profile.role is DeviceRole.SHUFFLER and profile.protocol == felt_link.NAME
]


def takes(profile: Profile, who: m.Identity) -> bool:
    driver = DRIVERS[profile.protocol](DeviceSettings(e.DeviceName("d"), TcpAddress("nport", 4001), profile), None)
    driver.connected(0)
    driver.receive(encode(to_frame(m.Hello((1,), who, "B1", 1, 1))), 0)
    return not any(isinstance(outcome, Rejected) for outcome in iter(driver.next_outcome, None))
