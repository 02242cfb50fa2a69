"""A house's own paytable is told about before the first round, and settles it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from daemon.config.command import check_config
from daemon.config.edges import has_known_edges, warnings
from daemon.config.load import load
from daemon.rules.audit.warnings import audit_warnings
from daemon.rules.big_50 import Big50House
from daemon.rules.game import GameSpec
from daemon.rules.games import GAMES
from daemon.rules.wagers import GameName, WagerName
from tests.daemon.config.files import GOOD
from tests.support.sentences import Says

GENEROUS = """
[games.big-50.red_black_pays]
name = "ours"
source = "filed on the first of May"
[games.big-50.red_black_pays.rows]
"all red" = "25 to 1"
"all black" = "25 to 1"
[money]
edge_percent_max = 15
"""


def written(directory: Path, text: str) -> Path:
    file = directory / "table.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_the_published_paytables_raise_no_warning(tmp_path: Path) -> None:
    assert warnings(load(written(tmp_path, GOOD))) == ()


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name.value)
def test_an_edge_that_is_not_counted_needs_no_warning(game: GameSpec[Any]) -> None:
    assert not has_known_edges(game, game.house) or audit_warnings(game.house) == ()


def test_fixed_prizes_are_counted_because_their_edge_depends_on_the_limits(says: Says) -> None:
    known = {name for name, game in GAMES.items() if has_known_edges(game, game.house)}
    assert set(GAMES) - known == {GameName.BIG_DRAW}
    says(audit_warnings(GAMES[GameName.BIG_DRAW].house)[0])


def test_a_bound_is_held_against_the_published_paytables_too(tmp_path: Path) -> None:
    told = warnings(load(written(tmp_path, GOOD + "[money]\nedge_percent_max = 9\n")))
    assert any(sentence.startswith("big_50 by Big 50") for sentence in told)


def test_an_edge_below_zero_and_one_above_the_bound_are_told(tmp_path: Path, says: Says) -> None:
    told = warnings(load(written(tmp_path, GOOD + GENEROUS)))
    assert [sentence.partition(":")[0] for sentence in told] == ["red_black by ours", "big_50 by Big 50"]
    # 131,560 of 2,598,960 hands pay 25 and the others lose: what the player gains is 26 times 0.050620 less 1.
    assert "-31.6126 %" in told[0]
    says(told[0])
    says(told[1])


def test_check_config_says_so_and_still_finds_the_file_good(tmp_path: Path, says: Says) -> None:
    result = CliRunner().invoke(check_config, [str(written(tmp_path, GOOD + GENEROUS))])
    assert result.exit_code == 0
    says(result.output)


def test_the_table_settles_by_the_houses_own_paytable(tmp_path: Path) -> None:
    house = load(written(tmp_path, GOOD + GENEROUS)).table.house
    assert isinstance(house, Big50House)
    assert (house.red_black_pays.name, house.poker_hand_pays.name) == ("ours", "Big 50 Royal Flush")
    assert WagerName.RED_BLACK.value in warnings(load(written(tmp_path, GOOD + GENEROUS)))[0]
