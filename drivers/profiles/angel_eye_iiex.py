"""An Angel Eye II-EX shoe, on a serial port or behind a serial device server (which sets the speed itself).

Nothing is ever written to it. It keeps nothing and numbers nothing provably, so a round that was open while its line
was not is interrupted.
"""

from __future__ import annotations

from typing import Final

from drivers.profile import SPEAKS_ONLY_OF_CARDS, Capability, DeviceRole, LineSettings, Profile
from protocols import angel_eye
from protocols.angel_eye.options import AngelEyeOptions

PROFILE: Final = Profile(
    name="angel-eye-iiex",
    title="Angel Eye II-EX shoe",
    role=DeviceRole.SHOE,
    protocol=angel_eye.NAME,
    line=LineSettings(baud=4_800),
    capabilities=frozenset({Capability.FACES}),
    freshness=SPEAKS_ONLY_OF_CARDS,
    options=AngelEyeOptions(),
)
