"""A felt-link shuffler set to a game's own program, as an ACE or iDEAL is: it sizes the packets, the table checks them.

Its MODE tells the size of each packet before it comes. It reads faces, so every game that is dealt in packets can be
dealt from it.
"""

from __future__ import annotations

from typing import Final

from drivers.events import Button
from drivers.profile import Capability, DeviceRole, LineSettings, Profile

PROFILE: Final = Profile(
    name="felt-link-shuffler-observed-faces",
    title="felt-link single-deck shuffler, packets of its own program, reads faces, observed only",
    role=DeviceRole.SHUFFLER,
    protocol="felt-link",
    line=LineSettings(baud=115_200),
    capabilities=frozenset({Capability.FACES, Capability.COUNTS, Capability.BUTTONS, Capability.KEEPS_EVENTS}),
    keys={button.value: button for button in Button},
)
