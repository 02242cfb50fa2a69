"""A felt-link pad of keys for the dealer. A key that says one of felt-link's words means it; others are configured."""

from __future__ import annotations

from typing import Final

from drivers.events import Button
from drivers.profile import Capability, DeviceRole, LineSettings, Profile

PROFILE: Final = Profile(
    name="felt-link-buttons",
    title="felt-link button pad",
    role=DeviceRole.BUTTONS,
    protocol="felt-link",
    line=LineSettings(baud=115_200),
    capabilities=frozenset({Capability.BUTTONS, Capability.KEEPS_EVENTS}),
    keys={button.value: button for button in Button},
)
