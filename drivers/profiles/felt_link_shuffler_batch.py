"""A felt-link shuffler that gives a shuffled deck out whole, as a DeckMate does: the dealer deals it by hand.

It counts the deck and knows nothing of who is dealt what, so the table is told of cards by people or by another device.
"""

from __future__ import annotations

from typing import Final

from drivers.events import Button
from drivers.profile import Capability, DeviceRole, LineSettings, Profile

PROFILE: Final = Profile(
    name="felt-link-shuffler-batch",
    title="felt-link single-deck shuffler, whole decks, counts only, observed only",
    role=DeviceRole.SHUFFLER,
    protocol="felt-link",
    line=LineSettings(baud=115_200),
    capabilities=frozenset({Capability.BATCH, Capability.COUNTS, Capability.BUTTONS, Capability.KEEPS_EVENTS}),
    keys={button.value: button for button in Button},
)
