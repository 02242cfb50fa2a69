"""Angel Eye II-EX shoes, on a serial port or behind a serial device server (which sets the speed itself).

feltd writes nothing to such a shoe unless its configuration arms commands. The shoe keeps no events, and its numbers
prove no loss. So a round that was open while the line was down is interrupted.

The shoe referees baccarat. No public source shows it with another game, so a table of ours that uses one rests on
paper. Watch such a shoe first. A house sets it to a mode in which it does not referee, or deals from it locked
(`deals_locked`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from drivers.profile import SPEAKS_ONLY_OF_CARDS, Capability, DeviceRole, Evidence, LineSettings, Profile
from protocols import angel_eye
from protocols.angel_eye.options import AngelEyeOptions

_IIEX: Final = Profile(
    name="angel-eye-iiex",
    title="Angel Eye II-EX shoe",
    role=DeviceRole.SHOE,
    protocol=angel_eye.NAME,
    line=LineSettings(baud=4_800),
    evidence=Evidence.PAPER,
    capabilities=frozenset({Capability.FACES, Capability.NUMBERS, Capability.CUT_CARD, Capability.RETURNS}),
    freshness=SPEAKS_ONLY_OF_CARDS,
    options=AngelEyeOptions(),
)
# One public account describes a site whose shoes are set to 9600 baud.
_IIEX_9600: Final = replace(
    _IIEX,
    name="angel-eye-iiex-9600",
    title="Angel Eye II-EX shoe at 9600 baud",
    line=LineSettings(baud=9_600),
)

PROFILES: Final = (_IIEX, _IIEX_9600)
