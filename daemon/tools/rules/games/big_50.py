"""Big 50 at the command line."""

from __future__ import annotations

from typing import Final

from daemon.rules import big_50
from daemon.rules.audit.auditor import Watch
from daemon.rules.audit.dealt_hands import audit_big_50
from daemon.rules.big_50 import GAME as RULES
from daemon.rules.money import DOLLAR
from daemon.rules.results import Settled
from daemon.tools.rules.game import CommandGame
from daemon.tools.rules.lines import JsonLine, Judged, faces, refused_or_void
from daemon.tools.rules.printed import Figures, PrintedFigures, audit_figures


class Big50Line(JsonLine, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """One position of Big 50."""

    cards: list[str]


def judge_big_50(line: Big50Line) -> Judged:
    """The bets as placed, then the hand."""
    house, bets = line.house_of(RULES), line.bets()
    refused = RULES.check_wagers(bets, house, line.limits_in_force())
    if refused is not None:
        return refused_or_void(refused)
    result = big_50.settle(faces(line.cards), bets, house)
    if not isinstance(result, Settled):
        return refused_or_void(result)
    found = result.findings
    return Judged(result, {"hand": found.hand.value, "total": found.total, "colours": found.colours.value}, house)


def _figures(_watch: Watch) -> Figures:
    return audit_figures(audit_big_50(big_50.HOUSE, DOLLAR).wagers)


GAME: Final = CommandGame(Big50Line, judge_big_50, printed=PrintedFigures(_figures))
