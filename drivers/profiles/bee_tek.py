"""Bee-Tek shoes.

Their line has neither check nor number: the table's own counts are the only proof of what was dealt.
"""

from __future__ import annotations

from typing import Final

from drivers.profile import SPEAKS_ONLY_OF_CARDS, Capability, DeviceRole, Evidence, LineSettings, Profile
from protocols import bee_tek

PROFILES: Final = (
    Profile(
        name="bee-tek-manual",
        title="Bee-Tek shoe, Manual Burn Cards",  # the mode for every game but baccarat
        role=DeviceRole.SHOE,
        protocol=bee_tek.NAME,
        line=LineSettings(baud=9_600),
        evidence=Evidence.PAPER,
        capabilities=frozenset({Capability.FACES}),
        freshness=SPEAKS_ONLY_OF_CARDS,
    ),
)
