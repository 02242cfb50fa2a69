"""`feltd audit` and `feltd advise`: published or configured, for people or for programs; and the warnings at load."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from daemon.config.document import InvalidConfigurationError
from daemon.rules.audit.best_play import ANTE_AND_PLAY, PLAYED
from daemon.rules.audit.big_raise import COMMUNITIES, HIDDEN_A_COMMUNITY, STARTS, TOTAL
from daemon.rules.audit.dealt_hands import poker_counts
from daemon.rules.audit.draw import TOTAL as DRAW_TOTAL
from daemon.rules.audit.showdowns import WinCounter, community_orbits
from daemon.rules.audit.warnings import audit_warnings, edges
from daemon.rules.big_50 import Big50House
from daemon.rules.big_draw import BigDrawHouse
from daemon.rules.big_raise import BigRaiseHouse
from daemon.rules.big_raise_pays import BRH_07
from daemon.rules.evaluator import HANDS
from daemon.rules.limits import Limits, StakeRange
from daemon.rules.money import Cents
from daemon.rules.paytable_text import read_paytable
from daemon.rules.scales import POKER
from daemon.rules.wagers import GameName, WagerName
from daemon.tools.rules.advise import advise_command
from daemon.tools.rules.audit import audit_command
from daemon.tools.rules.counting import ProgressWatch
from daemon.tools.rules.houses import houses_of
from protocols.cards import Rank


def _audit(*arguments: str) -> dict[str, Any]:
    done = CliRunner().invoke(audit_command, [*arguments, "--json"])
    assert done.exit_code == 0, done.output
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_json_is_exact_and_its_rows_add_up() -> None:
    (game,) = _audit("--game", "big-50")["games"]
    assert game["game"] == "big-50"
    assert [wager["wager"] for wager in game["wagers"]] == ["poker_hand", "red_black", "big_50", "range"]
    for wager in game["wagers"]:
        assert wager["combinations"] == sum(row["combinations"] for row in wager["rows"]) == HANDS
        returns = sum(Fraction(row["returns"]["exact"]) for row in wager["rows"])
        assert returns == Fraction(wager["expectation"]["exact"]) == -Fraction(wager["house_edge"]["exact"])
        assert wager["house_edge"]["decimal"] == pytest.approx(float(-returns))


def test_tables_show_every_wager_with_its_edge_and_what_was_assumed() -> None:
    done = CliRunner().invoke(audit_command, ["--game", "big-50"])
    assert done.exit_code == 0
    assert done.stdout.count("house edge") == 4
    assert "2,598,960" in done.stdout
    assert "is as likely as any other" in done.stdout


OWN = """
[money]
chip_cents = 25
breakage = "house"
[games.big-50]
red_black = "named"
[games.big-50.poker_hand_pays]
name = "ours"
source = "letter of 1 May"
[games.big-50.poker_hand_pays.rows]
"royal flush" = "2000 to 1"
"jacks or better" = "push"
"""


def test_a_configuration_is_audited_with_its_own_options_and_paytables(tmp_path: Path) -> None:
    file = tmp_path / "feltd.toml"
    file.write_text(OWN)
    poker, red_black = _audit("--game", "big-50", "--config", str(file))["games"][0]["wagers"][:2]
    assert (poker["paytable"], poker["rows"][0]["net"]["exact"]) == ("ours", "2000")
    assert red_black["rows"][1]["combinations"] == 0
    houses = houses_of(file)
    assert houses[GameName.BIG_50].money.chip == 25
    assert houses[GameName.BIG_DRAW].money.breakage.value == "house"
    assert houses_of(None)[GameName.BIG_50].money.chip == 1


RANGE_WITHOUT_AWARD = """
[games.big-50.range_pays]
name = "x"
source = "y"
rows = { "6-50" = "5 for 1" }
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[games.big-50]\nred_blak = 1", "games.big-50"),
        (RANGE_WITHOUT_AWARD, "games.big-50.range_pays"),
        ("[games.big-raise-holdem]\nfive_card_bonus = 'BRH-44'", "BRH-44"),
        ("not toml", "feltd.toml"),
    ],
)
def test_a_file_that_cannot_be_is_refused_with_the_key(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "feltd.toml"
    file.write_text(text)
    done = CliRunner().invoke(audit_command, ["--config", str(file)])
    assert isinstance(done.exception, InvalidConfigurationError)
    assert said in str(done.exception)


def test_a_long_count_is_the_same_in_processes_as_in_one() -> None:
    ranks = (Rank.TWO, Rank.THREE, Rank.FOUR)
    counter, orbits = WinCounter(ranks), community_orbits(ranks)
    assert ProgressWatch().count(counter, orbits, "a small deck") == counter.count(orbits)


def test_the_draws_total_is_every_hand_with_every_draw() -> None:
    assert DRAW_TOTAL % HANDS == 0


def test_the_stored_best_play_is_of_the_deals_that_there_are() -> None:
    folded = TOTAL - sum(PLAYED.values())
    assert folded % (COMMUNITIES * HIDDEN_A_COMMUNITY) == 0
    assert 0 < folded // (COMMUNITIES * HIDDEN_A_COMMUNITY) < STARTS
    assert all(ways <= TOTAL * poker_counts()[hand] // HANDS for hand, ways in PLAYED.items())
    assert -1 < ANTE_AND_PLAY < 0


def test_every_published_wager_is_in_the_houses_favour_at_five_dollars() -> None:
    five = Limits(stakes={WagerName.FIRST_5: StakeRange(Cents(500))})
    for house in (Big50House(), BigRaiseHouse(five_card_bonus_pays=BRH_07), BigDrawHouse()):
        assert audit_warnings(house, five) == ()


def test_an_edge_below_zero_is_told_and_one_above_the_bound() -> None:
    generous = read_paytable("gift", "s", POKER, {"pair of twos or better": "2 to 1"})
    (gift,) = audit_warnings(Big50House(poker_hand_pays=generous))
    assert "poker_hand by gift: the player has the better of it" in gift
    bound = Fraction(9, 100)
    told = audit_warnings(Big50House(), edge_max=bound)
    assert [text.split(" by ")[0] for text in told] == ["poker_hand", "big_50", "range"]
    assert all("above the bound of 9.0000 %" in text for text in told)


def test_a_dollar_on_first_5_is_worth_more_than_a_dollar() -> None:
    told = audit_warnings(BigDrawHouse())
    assert len(told) == 2
    assert all("for a stake of 1.00" in text for text in told)


def test_the_edge_of_an_ante_bonus_is_told_as_the_most_it_can_be() -> None:
    rich = read_paytable("rich", "s", POKER, {"flush": "5 to 1", "straight": "100 to 1"})
    (told,) = audit_warnings(BigRaiseHouse(ante_bonus_pays=rich))
    assert "ante by rich" in told
    assert "at most" in told


def test_a_big_draw_paytable_of_the_houses_own_is_counted_with_its_best_draws() -> None:
    flat = read_paytable("flat", "s", POKER, {"high card": "push"})
    own = [edge for edge in edges(BigDrawHouse(draw_big_draw_pays=flat)) if edge.paytable == "flat"]
    assert [edge.wager for edge in own] == ["big_draw, five-card-draw"]
    assert own[0].house_edge > 0


def _advise(*arguments: str) -> dict[str, Any]:
    done = CliRunner().invoke(advise_command, [*arguments, "--json"])
    assert done.exit_code == 0, done.output
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_advice_on_a_draw_names_the_best_hold_and_has_all_of_them() -> None:
    advice = _advise("five-card-draw", "Kc", "Qc", "Jc", "Tc", "2h")
    assert advice["best"] == "keep Kc Qc Jc Tc"
    assert len(advice["choices"]) == 32
    worth = [Fraction(choice["worth"]["exact"]) for choice in advice["choices"]]
    assert worth == sorted(worth, reverse=True)
    assert _advise("deuces-never-loses", "2c 2d 2h 2s 7c")["best"] == "stand pat"
    assert _advise("deuces-never-loses", "3c 5d 8h Ts Kc")["best"] == "draw five"


def test_advice_on_big_raise_weighs_fold_and_every_multiple() -> None:
    advice = _advise("big-raise-holdem", "Ac Ad 7h")
    assert advice["best"] == "play 4 times the Ante"
    assert len(advice["choices"]) == 4


def test_advice_is_a_table_for_people() -> None:
    done = CliRunner().invoke(advise_command, ["five-card-draw", "Kc Qc Jc Tc 2h"])
    assert done.stdout.splitlines()[2].startswith("keep Kc Qc Jc Tc")
    assert len(done.stdout.splitlines()) == 10
    every = CliRunner().invoke(advise_command, ["five-card-draw", "--all", "Kc Qc Jc Tc 2h"])
    assert len(every.stdout.splitlines()) == 34


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["five-card-draw", "Kc Qc"], "2 cards"),
        (["five-card-draw", "Kc Qc Jc Tc Kc"], "twice"),
        (["five-card-draw", "Kc Qc Jc Tc 10c"], "not a card"),
        (["big-raise-holdem", "Kc Qc"], "up card"),
    ],
)
def test_cards_that_cannot_be_advised_on_are_a_usage_error(arguments: list[str], said: str) -> None:
    done = CliRunner().invoke(advise_command, arguments)
    assert done.exit_code == 2
    assert said in done.stderr
