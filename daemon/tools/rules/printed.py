"""What the games' documents print of their mathematics, beside what this program computes.

Theory of operation. `printed.json` has every figure that the documents print: the document, the clause, and the figure
as it stands there. `figure` is the name by which the game's own module computes it (`CommandGame.printed`). A figure
agrees when the exact value, rounded to as many digits as are printed, is what is printed. For one that does not, the
file says what we found, and why: `rounding` (the document rounded before it added), `misprint`, or `not reproducible`
(no reading of the document gives it). A statement without a figure has our finding in its place.

Where the file and the computation do not say the same of a figure, it is `unexplained`. That is a defect of this
program or of the file, and the exit status tells it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from fractions import Fraction
from importlib.resources import files
from typing import Final, TypeAlias

import msgspec

from daemon.rules.audit.auditor import Watch
from daemon.rules.audit.report import WagerAudit
from daemon.rules.wagers import GameName
from daemon.tools.rules.audit_tables import exact
from protocols.frozen import dataclass

Figure: TypeAlias = tuple[str, ...]
Figures: TypeAlias = Callable[[Figure], Fraction]
"""Computes a figure of one game."""


@dataclass(frozen=True, slots=True)
class PrintedFigures:
    """How one game's printed figures are computed, and under which assumptions where the documents state none."""

    begin: Callable[[Watch], Figures]
    assumed: str = ""


ALL_ROWS: Final = "all rows"
HOUSE_EDGE: Final = "house edge"
DIGITS_MORE: Final = 2
"""So many digits are shown beyond those that are printed."""
_NUMBER: Final = re.compile(r"-?[0-9]*\.?[0-9]+%?")


class Verdict(Enum):
    """How a printed figure stands to the exact one."""

    AGREES = "agrees"
    ROUNDING = "rounding"
    MISPRINT = "misprint"
    NOT_REPRODUCIBLE = "not reproducible"
    UNEXPLAINED = "unexplained"


class Printed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One figure or statement of a document, as `printed.json` has it."""

    document: str
    game: GameName
    clause: str
    item: str
    printed: str
    verdict: Verdict
    figure: Figure | None = None
    computed: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Compared:
    """A printed figure beside the exact one. A statement without a figure has no exact value."""

    printed: Printed
    exact: Fraction | None
    verdict: Verdict
    computed: str


def printed_figures() -> tuple[Printed, ...]:
    """Read every figure that the documents print."""
    data = files("daemon.tools.rules").joinpath("printed.json").read_bytes()
    return msgspec.json.decode(data, type=tuple[Printed, ...])


def audit_figures(wagers: Iterable[WagerAudit]) -> Figures:
    """Return the figures of audited wagers: wager, row or all rows, and what of it."""
    by_name = {wager.name: wager for wager in wagers}

    def figure(named: Figure) -> Fraction:
        name, row, what = named
        wager = by_name[name]
        if row == ALL_ROWS:
            whole = {
                "combinations": Fraction(wager.total),
                "probability": sum((each.probability for each in wager.rows), Fraction(0)),
                "returns": wager.expectation,
                HOUSE_EDGE: wager.house_edge,
                "hit frequency": wager.hits or Fraction(0),
            }
            return whole[what]
        found = next(each for each in wager.rows if each.name == row)
        return {"combinations": Fraction(found.ways), "probability": found.probability, "returns": found.returns}[what]

    return figure


def compare(printed: Iterable[Printed], figures: Mapping[GameName, Figures]) -> tuple[Compared, ...]:
    """Compute every figure, and say how it stands to the one that is printed."""
    return tuple(_compared(each, figures[each.game]) for each in printed)


def _compared(printed: Printed, figures: Figures) -> Compared:
    if printed.figure is None:
        return Compared(printed, None, printed.verdict, printed.computed)
    value = figures(printed.figure)
    if not is_number(printed.printed):
        return Compared(printed, value, printed.verdict, f"{float(100 * value):.4f} %")
    explained = agrees(printed.printed, value) == (printed.verdict is Verdict.AGREES)
    return Compared(
        printed, value, printed.verdict if explained else Verdict.UNEXPLAINED, shown(printed.printed, value)
    )


def is_number(printed: str) -> bool:
    """Return whether the document prints a number there."""
    return _NUMBER.fullmatch(printed.replace(" ", "")) is not None


def _scale_and_digits(printed: str) -> tuple[Fraction, int, int]:
    """Return the number that is printed, by what a share is multiplied to be printed so, and its decimals."""
    text = printed.replace(" ", "")
    number = text.removesuffix("%")
    return Fraction(number), 100 if text.endswith("%") else 1, len(number.partition(".")[2])


def agrees(printed: str, value: Fraction) -> bool:
    """Return whether the exact value, rounded to the digits that are printed, is what is printed."""
    number, scale, decimals = _scale_and_digits(printed)
    return abs(value * scale - number) <= Fraction(1, 2 * 10**decimals)


def shown(printed: str, value: Fraction) -> str:
    """Return the exact value in the form that is printed, with some digits more."""
    _, scale, decimals = _scale_and_digits(printed)
    if value.denominator == 1 and scale == 1:
        return str(value.numerator)
    return f"{float(value * scale):.{decimals + DIGITS_MORE}f}{'%' if scale == 100 else ''}"


def printed_as_json(compared: Iterable[Compared]) -> dict[str, object]:
    """Return the comparison as plain values for JSON."""
    return {"printed": [_json(each) for each in compared]}


def _json(each: Compared) -> dict[str, object]:
    printed = each.printed
    return {
        "document": printed.document,
        "game": printed.game.value,
        "clause": printed.clause,
        "item": printed.item,
        "printed": printed.printed,
        "computed": each.computed if each.exact is None else exact(each.exact),
        "verdict": each.verdict.value,
        "why": printed.why,
    }
