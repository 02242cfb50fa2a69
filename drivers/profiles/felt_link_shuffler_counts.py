"""A felt-link shuffler that counts cards, reads no faces and is driven by the table."""

from __future__ import annotations

from typing import Final

from drivers.events import Button
from drivers.profile import Capability, DeviceRole, LineSettings, Profile

PROFILE: Final = Profile(
    name="felt-link-shuffler-counts",
    title="felt-link single-deck shuffler, packets, counts only",
    role=DeviceRole.SHUFFLER,
    protocol="felt-link",
    line=LineSettings(baud=115_200),
    capabilities=frozenset({Capability.COUNTS, Capability.COMMANDS, Capability.BUTTONS, Capability.KEEPS_EVENTS}),
    keys={button.value: button for button in Button},
)
