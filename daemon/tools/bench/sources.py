"""What a bench can deal from, as far as its people must know it: its keys, and what can be wrong with it."""

from __future__ import annotations

from typing import TypeAlias

from drivers.profile import DeviceRole
from drivers.profiles import PROFILES
from sim_hardware.faults import SHOE_FAULTS, SHUFFLER_FAULTS, FaultName
from sim_hardware.shoe_rig import ShoeProtocol, ShoeRig
from sim_hardware.shuffler_rig import ShufflerRig

Source: TypeAlias = ShufflerRig | ShoeRig
"""What is dealt from."""


def role_of(profile: str) -> DeviceRole:
    """A shuffler or a shoe; what it is, is also its name in the configuration."""
    return PROFILES[profile].role


def faults_of(profile: str) -> tuple[FaultName, ...]:
    """What can be wrong with this kind of device."""
    return SHOE_FAULTS if role_of(profile) is DeviceRole.SHOE else SHUFFLER_FAULTS


def has_keys(rig: Source) -> bool:
    """Whether the dealer can press anything on it that is for the table alone."""
    if isinstance(rig, ShufflerRig):
        return not rig.settings.batch  # which gives its deck out at a key
    return rig.protocol is ShoeProtocol.FELT_LINK
