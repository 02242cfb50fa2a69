"""Every game that the bench plays: one `BenchGame` a game, from the game's own module."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from daemon.rules.registry import parts
from daemon.rules.wagers import GameName
from daemon.tools.bench.game import BenchGame

GAMES: Final[Mapping[GameName, BenchGame]] = parts("daemon.tools.bench.games", BenchGame)
