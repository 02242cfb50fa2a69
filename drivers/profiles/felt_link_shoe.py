"""A felt-link card-reading shoe, over USB or any other way."""

from __future__ import annotations

from typing import Final

from drivers.events import Button
from drivers.profile import Capability, DeviceRole, LineSettings, Profile
from protocols import felt_link

PROFILE: Final = Profile(
    name="felt-link-shoe",
    title="felt-link card-reading shoe",
    role=DeviceRole.SHOE,
    protocol=felt_link.NAME,
    line=LineSettings(baud=115_200),
    capabilities=frozenset({Capability.FACES, Capability.BUTTONS, Capability.KEEPS_EVENTS}),
    keys={button.value: button for button in Button},
)
