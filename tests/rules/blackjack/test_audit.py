"""The audit of blackjack: its shape, its sums, what it says was assumed, and the warning at load."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from daemon.rules.audit.report import GameAudit, WagerAudit
from daemon.rules.audit.warnings import audit_warnings, edges
from daemon.rules.blackjack.assumptions import Variation, expected, variations
from daemon.rules.blackjack.audit import (
    assumptions,
    audit_bad_beat,
    audit_every_house,
    audit_house,
    audit_insurance,
    combinations,
    every_house,
)
from daemon.rules.blackjack.house import HOUSE, BadBeatOption, BlackjackHouse, Insurance, UnpeekedTakes
from daemon.rules.blackjack.paytables import BAD_BEATS, PAYTABLES, BadBeatCase
from daemon.rules.blackjack.returns import case_odds
from daemon.rules.blackjack.strategy import FOR_THE_SIDE_BET, basic
from daemon.rules.money import DOLLAR
from daemon.rules.paytable_text import read_paytable
from daemon.tools.rules.audit import audit_command

WITHOUT_MAIN = replace(HOUSE, peek=False, unpeeked_blackjack_takes=UnpeekedTakes.ORIGINAL)
"""A house whose main wager has no mean here, so that the rest can be audited quickly."""


@pytest.fixture(scope="module")
def everything() -> GameAudit:
    return audit_every_house(WITHOUT_MAIN, DOLLAR)


def test_every_option_deck_and_dealer_under_every_paytable(everything: GameAudit) -> None:
    bad_beats = [wager for wager in everything.wagers if wager.name == "bad_beat"]
    assert len({(wager.note, wager.paytable) for wager in bad_beats}) == len(bad_beats) == 2 * 8 * 2 * 2 * 10
    assert {wager.note for wager in bad_beats} == {
        f"option {option}, {decks} deck{'s' * (decks > 1)}, {soft_17} soft 17, {strategy}"
        for option in (1, 2)
        for strategy in ("side-bet strategy, 3 hands at most", "basic strategy")
        for decks in range(1, 9)
        for soft_17 in ("hits", "stands on")
    }
    assert [wager.name for wager in everything.wagers].count("insurance") == 8
    assert "blackjack" not in {wager.name for wager in everything.wagers}


def test_combinations_are_whole_and_add_up(everything: GameAudit) -> None:
    for wager in everything.wagers:
        assert sum(row.ways for row in wager.rows) == wager.total
        assert sum((row.returns for row in wager.rows), Fraction(0)) == wager.expectation == -wager.house_edge
        assert wager.hits == sum((row.probability for row in wager.rows if row.net > 0), Fraction(0))
        assert wager.standard_deviation is not None
        assert 0 < wager.standard_deviation < 6


def test_combinations_are_the_odds_over_their_least_total() -> None:
    odds = dict.fromkeys(BadBeatCase, Fraction(0)) | {
        BadBeatCase.PUSH_19: Fraction(1, 6),
        BadBeatCase.NO_ROW: Fraction(5, 6),
    }
    whole = combinations(odds)
    assert (whole[BadBeatCase.PUSH_19], whole[BadBeatCase.NO_ROW], sum(whole.values())) == (1, 5, 6)


def _edges(audit: Sequence[WagerAudit]) -> dict[str, Fraction]:
    return {wager.paytable: wager.house_edge for wager in audit}


@pytest.mark.parametrize("house", [replace(HOUSE, option=option, decks=2) for option in BadBeatOption])
def test_the_edge_is_the_mean_of_the_paytable_over_the_odds(house: BlackjackHouse) -> None:
    odds = case_odds(house, basic(house))
    found = _edges(audit_bad_beat(house, basic(house), PAYTABLES.values(), DOLLAR))
    assert found == {name: -expected(odds, paytable) for name, paytable in PAYTABLES.items()}


def test_richer_rows_never_cost_the_player(everything: GameAudit) -> None:
    """P2 is P1 with more for a 21 push; P4 and L4 are P3 and L3 with the same; L2 is L1 with it."""
    by_note: dict[str, dict[str, Fraction]] = {}
    for wager in everything.wagers:
        by_note.setdefault(wager.note, {})[wager.paytable] = wager.house_edge
    for edge in (edge for edge in by_note.values() if "P1" in edge):
        assert all(edge[rich] < edge[poor] for rich, poor in (("P2", "P1"), ("P4", "P3"), ("L2", "L1"), ("L4", "L3")))


@pytest.mark.parametrize(("decks", "tens", "cards"), [(1, 16, 51), (6, 96, 311)])
def test_insurance_by_its_hole_cards(decks: int, tens: int, cards: int) -> None:
    (insured,) = audit_insurance(replace(HOUSE, decks=decks), DOLLAR)
    assert insured.note == f"{decks} deck{'s' * (decks > 1)}, only the ace seen"
    assert insured.expectation == Fraction(3 * tens - cards, cards)
    assert not list(audit_insurance(replace(HOUSE, insurance=Insurance.NONE), DOLLAR))


def test_one_house_is_audited_with_its_own_options_by_both_strategies() -> None:
    house = replace(WITHOUT_MAIN, decks=2, option=BadBeatOption.FIRST_SPLIT_HAND, bad_beat_pays=PAYTABLES["L3"])
    audit = audit_house(house, DOLLAR)
    side, charts = [wager for wager in audit.wagers if wager.name == "bad_beat"]
    assert charts.paytable == side.paytable == "L3"
    assert charts.note == "option 2, 2 decks, hits soft 17, basic strategy"
    assert side.note == "option 2, 2 decks, hits soft 17, side-bet strategy"
    assert side.house_edge < charts.house_edge


def test_the_assumptions_are_stated_and_measured(everything: GameAudit) -> None:
    said = "\n".join(everything.assumptions)
    assert basic(WITHOUT_MAIN).statement in said
    assert FOR_THE_SIDE_BET.statement in said
    assert "Matters not: Other players" in said
    assert "Matters, option 2, 6 decks, hits soft 17, P1" in said
    assert "Matters not, option 1, 6 decks, hits soft 17, P1: splitting nines always" in said


def test_what_matters_is_said_with_its_measure() -> None:
    house = replace(HOUSE, decks=1, option=BadBeatOption.FIRST_TWO_CARDS, bad_beat_pays=PAYTABLES["P5"])
    said = list(assumptions((house,)))
    matters, still = (line for line in said if line.startswith(("Matters, ", "Matters not, ")))
    stated = expected(case_odds(house, basic(house)), PAYTABLES["P5"])
    points = {varied.name: 100 * float(stated - expected(varied.odds(), PAYTABLES["P5"])) for varied in _varied(house)}
    where = "option 1, 1 deck, hits soft 17, P5"
    moving = "; ".join(f"{name} {move:+.4f} %" for name, move in points.items() if move)
    assert matters == f"Matters, {where}, by so much of the house edge: {moving}."
    assert still == f"Matters not, {where}: {'; '.join(name for name, move in points.items() if not move)}."


def _varied(house: BlackjackHouse) -> list[Variation]:
    return list(variations(house, basic(house)))


def test_the_houses_of_the_audit_differ_in_nothing_else() -> None:
    houses = list(every_house(HOUSE))
    differ = {(house.option, house.decks, house.dealer_hits_soft_17) for house in houses}
    assert len(differ) == len(houses) == 32
    alike = {"decks": 6, "dealer_hits_soft_17": True, "option": BadBeatOption.FIRST_TWO_CARDS}
    assert all(replace(house, **alike) == HOUSE for house in houses)  # type: ignore[arg-type]


OWN = """
[games.bad-beat-blackjack]
decks = 1
hands_max = 2
option = 2
paytable = "L5"
"""


def test_feltd_audit_takes_a_houses_own_blackjack(tmp_path: Path) -> None:
    file = tmp_path / "feltd.toml"
    file.write_text(OWN)
    done = CliRunner().invoke(audit_command, ["--game", "bad-beat-blackjack", "--config", str(file), "--json"])
    assert done.exit_code == 0, done.output
    (game,) = json.loads(done.stdout)["games"]
    main, insurance, charts, side = game["wagers"]
    assert [wager["wager"] for wager in game["wagers"]] == ["blackjack", "insurance", "bad_beat", "bad_beat"]
    assert (main["rows"], main["standard_deviation"], main["hit_frequency"]) == ([], None, None)
    assert (game["title"], main["paytable"]) == ("Bad Beat Blackjack", "Blackjack 3 to 2")
    assert (main["paytable_sha256"], main["combinations"]) == (HOUSE.main_pays.sha256, 0)
    assert main["note"] == "1 deck, hits soft 17; its mean"
    assert -0.01 < main["house_edge"]["decimal"] < main["element_of_risk"]["decimal"] * 2 < 0.02
    assert main["staked"]["decimal"] == pytest.approx(1.12, abs=0.02)
    assert insurance["house_edge"]["exact"] == "1/17"
    assert charts["paytable"] == side["paytable"] == "L5"
    assert charts["combinations"] == sum(row["combinations"] for row in charts["rows"])


def test_a_paytable_on_which_the_player_has_the_better_of_it_is_warned_of() -> None:
    rows = {case.value: "40 to 1" if "beaten" in case.value else "push" for case in BAD_BEATS.cases}
    generous = replace(HOUSE, bad_beat_pays=read_paytable("ours", "letter of 1 May", BAD_BEATS, rows))
    (warning,) = audit_warnings(generous)
    assert warning.startswith("bad_beat by ours (option 1, 6 decks, hits soft 17, side-bet strategy): the player")
    assert not audit_warnings(HOUSE)
    assert len(audit_warnings(HOUSE, edge_max=Fraction(1, 100))) == 1
    (edge,) = edges(HOUSE)
    assert edge.house_edge == -expected(case_odds(HOUSE, FOR_THE_SIDE_BET), HOUSE.bad_beat_paytable)
