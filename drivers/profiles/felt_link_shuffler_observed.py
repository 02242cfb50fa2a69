"""A felt-link shuffler that the dealer works by hand: the table listens, checks, and orders nothing."""

from __future__ import annotations

from typing import Final

from drivers.events import Button
from drivers.profile import Capability, DeviceRole, LineSettings, Profile

PROFILE: Final = Profile(
    name="felt-link-shuffler-observed",
    title="felt-link single-deck shuffler, packets, observed only",
    role=DeviceRole.SHUFFLER,
    protocol="felt-link",
    line=LineSettings(baud=115_200),
    capabilities=frozenset({Capability.COUNTS, Capability.BUTTONS, Capability.KEEPS_EVENTS}),
    keys={button.value: button for button in Button},
)
