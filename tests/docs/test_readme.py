"""README is short, and its screen, its configuration and its games are the real ones."""

from __future__ import annotations

import re

from daemon.config.load import examine
from daemon.config.sections import Sections
from daemon.rules.games import GAMES
from daemon.table.games import PROCEDURES
from daemon.tools.rules.games import GAMES as COMMAND_GAMES
from tests.docs.documents import blocks, cells, section, text_of

README = text_of("README.md")
LINES_MAX = 150


def test_readme_is_short() -> None:
    assert len(README.splitlines()) <= LINES_MAX, "what only one reader needs stands in the README of its folder"


def test_the_screen_is_there() -> None:
    assert "RECONCILING" in blocks(README, "text")[0]


def test_the_shown_configuration_is_good() -> None:
    (shown,) = blocks(README, "toml")
    assert isinstance(examine(shown), Sections)


def test_the_games_are_told_apart_by_what_can_be_done_with_them() -> None:
    rows = section(README, "## Games")
    names = [re.findall(r"`([a-z0-9-]+)`", cell)[0] for cell in cells(rows, 0)]
    for column, able in ((1, PROCEDURES), (2, COMMAND_GAMES), (3, GAMES)):
        told = {name for name, cell in zip(names, cells(rows, column), strict=True) if cell.startswith("yes")}
        games = {game.value for game in able}
        assert told == games, f"README, Games: column {column} says yes of {told}, and it is so of {games}"
