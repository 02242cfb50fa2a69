"""Big 50 at the command line."""

from __future__ import annotations

from typing import Final

from daemon.rules.audit.dealt_hands import audit_big_50
from daemon.rules.big_50 import HOUSE, RULES
from daemon.rules.money import DOLLAR
from daemon.tools.rules.own_hand import own_hand_command
from daemon.tools.rules.printed import PrintedFigures, audit_figures

GAME: Final = own_hand_command(
    RULES,
    lambda found: {"hand": found.hand.value, "total": found.total, "colours": found.colours.value},
    printed=PrintedFigures(lambda _: audit_figures(audit_big_50(HOUSE, DOLLAR).wagers)),
)
