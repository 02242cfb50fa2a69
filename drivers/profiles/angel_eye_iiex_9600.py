"""An Angel Eye II-EX shoe whose line was set to 9600 baud, as one site has it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from drivers.profile import LineSettings
from drivers.profiles import angel_eye_iiex

PROFILE: Final = replace(
    angel_eye_iiex.PROFILE,
    name="angel-eye-iiex-9600",
    title="Angel Eye II-EX shoe at 9600 baud",
    line=LineSettings(baud=9_600),
)
