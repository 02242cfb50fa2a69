"""`daemon/tools/rules/PRINTED.md`: what the games' documents print, beside what is computed, made from the data.

``python -m tests.docs.printed`` writes the page anew, and computes every figure for it. The test takes the two figures
that take long to compute from the oracle. `make bench` compares those two with what is computed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from daemon.rules.audit.auditor import UNWATCHED
from daemon.rules.wagers import GameName
from daemon.tools.rules.games import GAMES
from daemon.tools.rules.printed import (
    COLUMNS,
    Compared,
    Figure,
    Figures,
    Section,
    compare,
    printed_figures,
    sections,
    summary,
)
from tests.docs.documents import ROOT

PAGE: Final = ROOT / "daemon" / "tools" / "rules" / "PRINTED.md"
ORACLE: Final[Mapping[str, str]] = json.loads((ROOT / "tests/rules/printed_oracle.json").read_text(encoding="utf-8"))
"""Each figure by another program than this one, as a fraction."""
LONG: Final = tuple(name for name in ORACLE if name.startswith("big-draw/big_draw/"))
HEAD: Final = """# What the games' documents print, and what is true

`feltd audit --printed` shows this page, and computes every figure while you wait. `python -m tests.docs.printed` writes
it. A figure *agrees* when the exact one, rounded to as many digits as are printed, is what is printed. The others are
the document's *rounding*, a *misprint*, or *not reproducible*: no reading of the document gives them. Documents are
named by the names of their files.
"""


def named(game: GameName, figure: Figure) -> str:
    """Return a figure's name in the oracle."""
    return "/".join((game.value, *figure))


def computed(*, long_ones: bool) -> tuple[Compared, ...]:
    """Compare every figure. Without `long_ones` the two that take long come from the oracle."""
    return compare(printed_figures(), {game: _figures(game, long_ones=long_ones) for game in GAMES})


def _figures(game: GameName, *, long_ones: bool) -> Figures:
    known = GAMES[game].printed
    assert known is not None
    figures = known.begin(UNWATCHED)

    def figure(of: Figure) -> Fraction:
        name = named(game, of)
        return Fraction(ORACLE[name]) if name in LONG and not long_ones else figures(of)

    return figure


def page(compared: Sequence[Compared]) -> str:
    """Return the page."""
    told = "\n".join(_section(section) for section in sections(compared))
    return f"{HEAD}\n{summary(compared)}\n\n{told}"


def _section(section: Section) -> str:
    known = GAMES[section.game].printed
    assumed = f"{known.assumed}\n\n" if known is not None and known.assumed else ""
    rows = "".join(f"| {' | '.join(cell.replace('|', '/') for cell in row)} |\n" for row in section.rows)
    head = f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}\n"
    reasons = "".join(f"- {reason}\n" for reason in section.reasons)
    return f"## {section.game.value}\n\nDocuments: {', '.join(section.documents)}\n\n{assumed}{head}{rows}\n{reasons}"


if __name__ == "__main__":
    PAGE.write_text(page(computed(long_ones=True)), encoding="utf-8")
