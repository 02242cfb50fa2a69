"""The bench's emulated devices, each on a tty. They can do what their profiles promise, and no more."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from daemon.tools.bench.games import GAMES
from daemon.tools.bench.keys import Source
from daemon.tools.bench.settings import BenchSettings
from drivers.profile import Capability, DeviceRole, Profile
from drivers.profiles import PROFILES
from protocols import modbus_tcp
from sim_hardware.buttons import PadSettings
from sim_hardware.buttons_rig import ButtonsRig
from sim_hardware.contacts_end import ContactsEnd
from sim_hardware.faults import SHOE_FAULTS, SHUFFLER_FAULTS, FaultName
from sim_hardware.ports import PtyPort, TcpPort
from sim_hardware.shoe import ShoeSettings
from sim_hardware.shoe_kinds import SHOE_KINDS
from sim_hardware.shoe_rig import ShoeRig
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_settings import ShufflerSettings

PAD: Final = "pad"
PAD_PROFILE: Final = "felt-link-buttons"
CARDS_A_SEAT: Final = 6
"""How many cards lie behind the cut card for each seat: far more than a seat takes on average, so no round runs out."""
QUARTER_DECK: Final = 13


def faults_of(profile: str) -> tuple[FaultName, ...]:
    """Return the faults that this kind of device can have."""
    return SHOE_FAULTS if PROFILES[profile].role is DeviceRole.SHOE else SHUFFLER_FAULTS


@asynccontextmanager
async def source(settings: BenchSettings) -> AsyncIterator[Source]:
    """Plug in the dealing device: a shuffler with its deck in it, or a shoe that is empty until the dealer fills it."""
    profile = PROFILES[settings.profile]
    rig: Source
    if profile.role is DeviceRole.SHOE:
        rig = _shoe_rig(settings, profile, shoe(settings))
        await rig.start(loaded=False)
    else:
        rig = _shuffler_rig(settings, profile)
        await rig.start()
    try:
        yield rig
    finally:
        await rig.stop()


@asynccontextmanager
async def draws_shoe(settings: BenchSettings) -> AsyncIterator[ShoeRig | None]:
    """Plug in the shoe beside the shuffler if draws come from one. It is empty and never has a cut card."""
    if settings.draws_from is None:
        yield None
        return
    # No game of ours is baccarat, so no shoe at the bench referees it.
    holds = ShoeSettings(seed=settings.seed, decks=1, referees=False, pace=settings.pace)
    rig = _shoe_rig(settings, PROFILES[settings.draws_from], holds)
    await rig.start(loaded=False)
    try:
        yield rig
    finally:
        await rig.stop()


@asynccontextmanager
async def pad(settings: BenchSettings) -> AsyncIterator[ButtonsRig | None]:
    """Plug in the pad of keys if the dealer has one."""
    if not settings.has_pad:
        yield None
        return
    rig = ButtonsRig(PadSettings(seed=settings.seed, pace=settings.pace), PtyPort(settings.directory / PAD))
    await rig.start()
    try:
        yield rig
    finally:
        await rig.stop()


def _shuffler_rig(settings: BenchSettings, profile: Profile) -> ShufflerRig:
    """Return the machine on a tty, or its lights on an input box on the network."""
    if profile.protocol == modbus_tcp.NAME:
        return ShufflerRig(machine(settings), TcpPort(0, clients_max=1), wired=ContactsEnd())
    return ShufflerRig(machine(settings), PtyPort(settings.directory / profile.role.value))


def _shoe_rig(settings: BenchSettings, profile: Profile, holds: ShoeSettings) -> ShoeRig:
    port = PtyPort(settings.directory / profile.role.value)
    return ShoeRig(holds, port, SHOE_KINDS[profile.protocol], options=profile.options)


def machine(settings: BenchSettings) -> ShufflerSettings:
    """Return what the emulated shuffler can do."""
    profile = PROFILES[settings.profile]
    commanded, batch = profile.can(Capability.COMMANDS), profile.can(Capability.BATCH)
    return ShufflerSettings(
        seed=settings.seed,
        counts=profile.can(Capability.COUNTS),
        reads_faces=profile.can(Capability.FACES),
        observed=not commanded,
        # a shuffler that takes no commands but gives packets must know the game's packets itself
        program=() if commanded or batch else GAMES[settings.game].hands(settings.seats),
        batch=batch,
        pace=settings.pace,
    )


def shoe(settings: BenchSettings) -> ShoeSettings:
    """Return what is put into the emulated shoe."""
    behind_cut = max(QUARTER_DECK * settings.decks, CARDS_A_SEAT * settings.seats)
    pace = settings.pace
    return ShoeSettings(settings.seed, settings.decks, behind_cut, referees=False, pace=pace)
