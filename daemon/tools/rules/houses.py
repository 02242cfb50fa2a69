"""The houses that an audit or an advice is for: the published rules, or what a configuration file makes of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import click

from daemon.config.load import load_houses
from daemon.rules.games import GAMES
from daemon.rules.wagers import GameName

Houses: TypeAlias = Mapping[GameName, Any]

config_option = click.option(
    "--config",
    type=click.Path(exists=True, dir_okay=False, readable=False, path_type=Path),
    help="By a house's own options and paytables in place of the published ones.",
)


def houses_of(config: Path | None) -> Houses:
    """Return every game by the published rules and our defaults, or as a configuration has it."""
    return load_houses(config) if config else {game: spec.house for game, spec in GAMES.items()}
