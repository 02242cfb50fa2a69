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
from daemon.tools.rules.printed import Compared, Figure, Figures, PrintedFigures, compare, printed_figures
from daemon.tools.rules.printed_report import (
    SECTION_COLUMNS,
    Section,
    counts,
    differences,
    sections,
    summary,
    verdicts_of,
)
from tests.docs.documents import ROOT

PAGE: Final = ROOT / "daemon" / "tools" / "rules" / "PRINTED.md"
ORACLE: Final[Mapping[str, str]] = json.loads((ROOT / "tests/rules/printed_oracle.json").read_text(encoding="utf-8"))
"""Each figure by another program than this one, as a fraction."""
LONG: Final = tuple(name for name in ORACLE if name.startswith("big-draw/big_draw/"))
HEAD: Final = """# What the games' documents print, and what is true

Each figure that the manufacturers' documents print, beside the exact one. `feltd audit --printed` computes it anew
while you wait, from the rules and paytables that the table plays by, exactly and without a sample; with `--json` it
gives the fractions. `python -m tests.docs.printed` writes this page, and a test holds it to what is computed.

- *agrees*: the exact figure, rounded to as many digits as are printed, is what is printed.
- *rounding*: the document rounded before it added or multiplied.
- *misprint*: the document contradicts itself, or its own arithmetic.
- *not reproducible*: no reading of the document gives the figure.

Documents are named by the names of their files. The same figure of two documents counts twice, and is shown once.
"""


def named(game: GameName, figure: Figure) -> str:
    """Return a figure's name in the oracle."""
    return "/".join((game.value, *figure))


def computed(*, long_ones: bool) -> tuple[Compared, ...]:
    """Compare every figure. Without `long_ones` the two that take long come from the oracle."""
    figures = {game: _figures(game, known, long_ones=long_ones) for game, known in with_documents().items()}
    return compare(printed_figures(), figures)


def with_documents() -> dict[GameName, PrintedFigures]:
    """Return the games of which we have a document with figures, in their order."""
    return {game: each.printed for game, each in GAMES.items() if each.printed is not None}


def _figures(game: GameName, known: PrintedFigures, *, long_ones: bool) -> Figures:
    figures = known.begin(UNWATCHED)

    def figure(of: Figure) -> Fraction:
        name = named(game, of)
        return Fraction(ORACLE[name]) if name in LONG and not long_ones else figures(of)

    return figure


def page(compared: Sequence[Compared]) -> str:
    """Return the page."""
    counted = _table(("game", "figures", *(verdict.value for verdict in verdicts_of(compared))), counts(compared))
    found = [
        (each.game.value, each.figure, each.printed, each.computed, each.verdict.value, each.why)
        for each in differences(compared)
    ]
    differing = _table(("game", "figure", "printed", "computed", "verdict", "why"), found)
    every = "\n".join(map(_section, sections(compared)))
    short = f"## In short\n\n{summary(compared)}\n\n{counted}"
    return f"{HEAD}\n{short}\n## What differs, and why\n\n{differing}\n{every}"


def _section(section: Section) -> str:
    known = GAMES[section.game].printed
    assumed = f"{known.assumed}\n\n" if known is not None and known.assumed else ""
    rows = [(clause.where, *row) for clause in section.clauses for row in clause.rows]
    table = _table(("where", *SECTION_COLUMNS), rows)
    return f"## {section.game.value}\n\nDocuments: {', '.join(section.documents)}\n\n{assumed}{table}"


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(cell.replace('|', '/') for cell in row)} |\n" for row in (columns, *rows)]
    return "".join([lines[0], f"|{'---|' * len(columns)}\n", *lines[1:]])


if __name__ == "__main__":
    PAGE.write_text(page(computed(long_ones=True)), encoding="utf-8")
