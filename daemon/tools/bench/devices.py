"""The bench's emulated devices, each on a tty: they can do what their profiles promise, and no more."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from daemon.tools.bench.games import GAMES
from daemon.tools.bench.settings import BenchSettings
from daemon.tools.bench.sources import Source
from drivers.profile import Capability, DeviceRole, Profile
from drivers.profiles import PROFILES
from sim_hardware.buttons import PadSettings
from sim_hardware.buttons_rig import ButtonsRig
from sim_hardware.pace import Pace
from sim_hardware.ports import PtyPort
from sim_hardware.shoe import ShoeSettings
from sim_hardware.shoe_rig import ShoeProtocol, ShoeRig
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_settings import ShufflerSettings

PAD: Final = "pad"
PAD_PROFILE: Final = "felt-link-buttons"
CARDS_A_SEAT: Final = 6
"""For each seat so many cards lie behind the cut card, far more than it takes on average: no round runs out."""
QUARTER_DECK: Final = 13


@asynccontextmanager
async def source(settings: BenchSettings) -> AsyncIterator[Source]:
    """The device that is dealt from, plugged in; a shuffler with its deck, a shoe empty until the dealer is told."""
    profile = PROFILES[settings.profile]
    rig: Source
    if profile.role is DeviceRole.SHOE:
        rig = _shoe_rig(settings, profile, shoe(settings))
        await rig.start(loaded=False)
    else:
        rig = ShufflerRig(machine(settings), PtyPort(settings.directory / profile.role.value))
        await rig.start()
    try:
        yield rig
    finally:
        await rig.stop()


@asynccontextmanager
async def draws_shoe(settings: BenchSettings) -> AsyncIterator[ShoeRig | None]:
    """The shoe beside the shuffler, if draws come from one: empty, and never with a cut card in it."""
    if settings.draws_from is None:
        yield None
        return
    holds = ShoeSettings(seed=settings.seed, decks=1, pace=Pace(settings.speed))
    rig = _shoe_rig(settings, PROFILES[settings.draws_from], holds)
    await rig.start(loaded=False)
    try:
        yield rig
    finally:
        await rig.stop()


@asynccontextmanager
async def pad(settings: BenchSettings) -> AsyncIterator[ButtonsRig | None]:
    """The pad of keys beside the dealer, if there is to be one."""
    if not settings.has_pad:
        yield None
        return
    rig = ButtonsRig(PadSettings(seed=settings.seed, pace=Pace(settings.speed)), PtyPort(settings.directory / PAD))
    await rig.start()
    try:
        yield rig
    finally:
        await rig.stop()


def _shoe_rig(settings: BenchSettings, profile: Profile, holds: ShoeSettings) -> ShoeRig:
    port = PtyPort(settings.directory / profile.role.value)
    return ShoeRig(holds, port, ShoeProtocol(profile.protocol), options=profile.options)


def machine(settings: BenchSettings) -> ShufflerSettings:
    """What the emulated shuffler can do."""
    profile = PROFILES[settings.profile]
    return ShufflerSettings(
        seed=settings.seed,
        counts=profile.can(Capability.COUNTS),
        reads_faces=profile.can(Capability.FACES),
        observed=not profile.can(Capability.COMMANDS),
        program=_program(profile, settings),
        batch=profile.can(Capability.BATCH),
        pace=Pace(settings.speed),
    )


def _program(profile: Profile, settings: BenchSettings) -> tuple[int, ...]:
    """One that takes no commands knows the game's packets by itself, if it gives any."""
    if profile.can(Capability.COMMANDS) or profile.can(Capability.BATCH):
        return ()
    return GAMES[settings.game].hands(settings.seats)


def shoe(settings: BenchSettings) -> ShoeSettings:
    """What is put into the emulated shoe."""
    behind_cut = max(QUARTER_DECK * settings.decks, CARDS_A_SEAT * settings.seats)
    return ShoeSettings(seed=settings.seed, decks=settings.decks, behind_cut=behind_cut, pace=Pace(settings.speed))
