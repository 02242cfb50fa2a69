"""`feltd audit --printed`: every figure that the documents print, computed, with the verdict that the file explains."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from click.testing import CliRunner

from daemon.rules.audit.auditor import UNWATCHED
from daemon.rules.wagers import GameName
from daemon.tools.rules import audit
from daemon.tools.rules.audit import audit_command
from daemon.tools.rules.games import GAMES as COMMAND_GAMES
from daemon.tools.rules.printed import Printed, Verdict, agrees, compare, printed_figures, shown
from tests.docs.printed import LONG, ORACLE, PAGE, computed, named, page, with_documents

FIGURES = {named(each.game, each.figure): each for each in printed_figures() if each.figure is not None}


def test_every_figure_is_what_another_program_found() -> None:
    for game, known in with_documents().items():
        figures = known.begin(UNWATCHED)
        for name in (
            name for name, each in FIGURES.items() if each.game is game and name in ORACLE and name not in LONG
        ):
            assert figures(FIGURES[name].figure or ()) == Fraction(ORACLE[name]), name


def test_the_page_is_what_is_computed() -> None:
    is_fresh = PAGE.read_text(encoding="utf-8") == page(computed(long_ones=False))
    assert is_fresh, "write it anew with `python -m tests.docs.printed`, and read its diff"


def test_of_180_figures_twelve_are_misprints_and_fifteen_cannot_be_reproduced() -> None:
    verdicts = Counter(each.verdict for each in computed(long_ones=False))
    assert verdicts == {
        Verdict.AGREES: 147,
        Verdict.ROUNDING: 6,
        Verdict.MISPRINT: 12,
        Verdict.NOT_REPRODUCIBLE: 15,
    }


def test_what_does_not_agree_has_a_reason() -> None:
    assert all(each.why for each in printed_figures() if each.verdict is not Verdict.AGREES)


@pytest.mark.parametrize(
    ("printed", "exact", "agreeing"),
    [
        ("7.47%", "29683/216580", False),
        ("15.8%", "94/595", True),
        ("-0.15832", "-94/595", False),
        ("0.5", "49/100", True),
        ("0.5", "44/100", False),
        ("1.0537 %", "163/15470", True),
        (".00014006", "1/7140", True),
        ("4", "4", True),
        ("4", "5", False),
    ],
)
def test_a_figure_agrees_when_it_is_the_exact_one_rounded(printed: str, exact: str, agreeing: bool) -> None:
    assert agrees(printed, Fraction(exact)) is agreeing


def test_a_computed_figure_has_two_digits_more() -> None:
    assert shown("7.47%", Fraction(29683, 216580)) == "13.7053%"
    assert shown("0.5", Fraction(49, 100)) == "0.490"
    assert shown("4", Fraction(4)) == "4"


@pytest.mark.parametrize(("verdict", "exact"), [(Verdict.AGREES, 2), (Verdict.MISPRINT, 1)])
def test_what_the_file_does_not_explain_is_unexplained(verdict: Verdict, exact: int) -> None:
    printed = Printed("paper", GameName.BIG_50, "1", "one", "1", verdict, figure=("x",))
    (compared,) = compare([printed], {GameName.BIG_50: lambda _: Fraction(exact)})
    assert compared.verdict is Verdict.UNEXPLAINED


def test_the_command_shows_each_figure_beside_the_computed_one() -> None:
    done = CliRunner().invoke(audit_command, ["--printed", "--game", "big-50"])
    assert done.exit_code == 0, done.output
    (edge,) = [line.split() for line in done.stdout.splitlines() if line.startswith("Poker Hand: house edge")]
    assert edge[-3:] == ["7.47%", "13.7053%", "misprint"]
    assert "147" not in done.stdout
    told = json.loads(CliRunner().invoke(audit_command, ["--printed", "--game", "big-50", "--json"]).stdout)["printed"]
    assert len(told) == 134
    assert {each["verdict"] for each in told} == {"agrees", "rounding", "misprint"}


def test_the_published_rules_are_printed_and_not_a_houses_own() -> None:
    done = CliRunner().invoke(audit_command, ["--printed", "--config", __file__])
    assert done.exit_code == 2
    assert "leave out --config" in done.output


def test_a_game_without_a_document_has_nothing_to_compare(monkeypatch: pytest.MonkeyPatch) -> None:
    undocumented = replace(COMMAND_GAMES[GameName.BIG_50], printed=None)
    monkeypatch.setattr(audit, "COMMAND_GAMES", {GameName.BIG_50: undocumented})
    done = CliRunner().invoke(audit_command, ["--printed", "--game", "big-50"])
    assert done.exit_code == 2
    assert "leave out --printed" in done.output


def test_an_operator_reads_first_how_many_differ_and_then_each_difference_with_its_reason() -> None:
    done = CliRunner().invoke(audit_command, ["--printed", "--game", "big-50"])
    said = done.stdout
    order = ["134 figures and statements", "What differs, and why", "7.47%", "13.7053%", "Paytables:"]
    places = [said.find(words) for words in order]
    assert places == sorted(places)
    assert -1 not in places
    written = PAGE.read_text(encoding="utf-8")
    heads = [line for line in written.splitlines() if line.startswith("## ")]
    assert heads == ["## In short", "## What differs, and why", *(f"## {game.value}" for game in with_documents())]
