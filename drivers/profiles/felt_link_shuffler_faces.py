"""A felt-link shuffler that counts and reads every card and is driven by the table."""

from __future__ import annotations

from typing import Final

from drivers.events import Button
from drivers.profile import Capability, DeviceRole, LineSettings, Profile

PROFILE: Final = Profile(
    name="felt-link-shuffler-faces",
    title="felt-link single-deck shuffler, packets, reads faces",
    role=DeviceRole.SHUFFLER,
    protocol="felt-link",
    line=LineSettings(baud=115_200),
    capabilities=frozenset(
        {
            Capability.FACES,
            Capability.COUNTS,
            Capability.COMMANDS,
            Capability.BUTTONS,
            Capability.KEEPS_EVENTS,
        }
    ),
    keys={button.value: button for button in Button},
)
