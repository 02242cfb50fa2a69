"""The comparison of printed and computed figures as people read it: what differs and why first, then every figure.

An operator shows this to a regulator. So it begins with the counts and with each difference beside its reason, and
names the document and the clause of each figure, so that it can be looked up. `daemon/tools/rules/PRINTED.md` has the
same parts in the same order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from daemon.rules.wagers import GameName
from daemon.tools.rules.printed import Compared, Verdict
from protocols.frozen import dataclass

IN_SUMMARY: Final = {
    Verdict.AGREES: "agree",
    Verdict.ROUNDING: "differ by the document's rounding",
    Verdict.MISPRINT: "are misprints",
    Verdict.NOT_REPRODUCIBLE: "cannot be reproduced",
    Verdict.UNEXPLAINED: "are unexplained",
}
SECTION_COLUMNS: Final = ("figure", "printed", "computed", "verdict")


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure that is not what is computed, and why. The same one of two documents is one difference."""

    game: GameName
    figure: str
    printed: str
    computed: str
    verdict: Verdict
    why: str


@dataclass(frozen=True, slots=True)
class Clause:
    """What one place of the documents prints; the same figure of several documents once."""

    where: str
    rows: tuple[tuple[str, str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Section:
    """One game's figures, by the place at which they are printed."""

    game: GameName
    documents: tuple[str, ...]
    clauses: tuple[Clause, ...]


def summary(compared: Sequence[Compared]) -> str:
    """Return one sentence on all of them."""
    count = Counter(each.verdict for each in compared)
    parts = ", ".join(f"{count[verdict]} {IN_SUMMARY[verdict]}" for verdict in Verdict if count[verdict])
    return f"{len(compared)} figures and statements: {parts}."


def verdicts_of(compared: Sequence[Compared]) -> tuple[Verdict, ...]:
    """Return the verdicts that are counted. Unexplained is a defect, which has no column while there is none."""
    is_unexplained = any(each.verdict is Verdict.UNEXPLAINED for each in compared)
    return tuple(verdict for verdict in Verdict if verdict is not Verdict.UNEXPLAINED or is_unexplained)


def counts(compared: Sequence[Compared]) -> tuple[tuple[str, ...], ...]:
    """Return a row for each game: its figures, and how many have each verdict."""
    rows = []
    for game, of_game in _by_game(compared):
        count = Counter(each.verdict for each in of_game)
        numbers = (len(of_game), *(count[verdict] for verdict in verdicts_of(compared)))
        rows.append((game.value, *map(str, numbers)))
    return tuple(rows)


def differences(compared: Iterable[Compared]) -> tuple[Difference, ...]:
    """Return everything that does not agree, in the order of the games and of the documents."""
    return tuple(dict.fromkeys(_difference(each) for each in compared if each.verdict is not Verdict.AGREES))


def _difference(each: Compared) -> Difference:
    printed = each.printed
    return Difference(printed.game, printed.item, printed.printed, each.computed, each.verdict, printed.why)


def sections(compared: Sequence[Compared]) -> tuple[Section, ...]:
    """Return every figure, in the order of the games."""
    return tuple(_section(game, of_game) for game, of_game in _by_game(compared))


def _by_game(compared: Sequence[Compared]) -> list[tuple[GameName, list[Compared]]]:
    by_game = ((game, [each for each in compared if each.printed.game is game]) for game in GameName)
    return [(game, of_game) for game, of_game in by_game if of_game]


def _section(game: GameName, compared: Sequence[Compared]) -> Section:
    documents = dict.fromkeys(each.printed.document for each in compared)
    places = dict.fromkeys(each.printed.clause for each in compared)
    clauses = (Clause(where, _rows([each for each in compared if each.printed.clause == where])) for where in places)
    return Section(game, tuple(documents), tuple(clauses))


def _rows(compared: Iterable[Compared]) -> tuple[tuple[str, str, str, str], ...]:
    rows = ((each.printed.item, each.printed.printed, each.computed, each.verdict.value) for each in compared)
    return tuple(dict.fromkeys(rows))


def show_printed(console: Console, compared: Sequence[Compared], assumed: Mapping[GameName, str]) -> None:
    """Print the counts, then what differs and why, then a table a game."""
    console.print(Text(f"\n{summary(compared)}", style="bold"))
    table = _table("game", "figures", *(verdict.value for verdict in verdicts_of(compared)))
    for counted in counts(compared):
        table.add_row(*counted)
    console.print(Padding(table, (1, 0, 1, 0)))
    _show_differences(console, differences(compared))
    for section in sections(compared):
        _show_section(console, section, assumed.get(section.game, ""))


def _show_differences(console: Console, found: Sequence[Difference]) -> None:
    if found:
        console.print(Text("What differs, and why", style="bold"))
    for each in found:
        told = Text(f"{each.game.value}: {each.figure}", style="bold")
        told.append(f"\nprinted {each.printed}, computed {each.computed}: {each.verdict.value}", "not bold")
        told.append(f"\n{each.why}", "not bold dim")
        console.print(Padding(told, (0, 0, 1, 2)))


def _show_section(console: Console, section: Section, assumed: str) -> None:
    heading = Text(f"\n{section.game.value}", style="bold").append(f"  {', '.join(section.documents)}", "not bold dim")
    console.print(heading)
    if assumed:
        console.print(Padding(Text(assumed), (0, 0, 1, 2)))
    table = _table(*SECTION_COLUMNS)
    for clause in section.clauses:
        table.add_row(Text(clause.where, style="italic"), "", "", "")
        for row in clause.rows:
            table.add_row(*map(Text, row), style="" if row[-1] == Verdict.AGREES.value else "bold")
    console.print(table)


def _table(*columns: str) -> Table:
    return Table(*columns, box=None, pad_edge=False, padding=(0, 2, 0, 0))
