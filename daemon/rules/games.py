"""The catalogue of the rules: one `GameSpec` a game, from the game's own module."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from daemon.rules.game import GameSpec
from daemon.rules.registry import parts
from daemon.rules.wagers import GameName

GAMES: Final[Mapping[GameName, GameSpec[Any]]] = parts("daemon.rules", GameSpec, inner="bets")
