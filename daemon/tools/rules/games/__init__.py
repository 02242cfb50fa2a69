"""Every game at the command line: one `CommandGame` a game, from the game's own module."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from daemon.rules.registry import parts
from daemon.rules.wagers import GameName
from daemon.tools.rules.game import CommandGame

GAMES: Final[Mapping[GameName, CommandGame[Any]]] = parts("daemon.tools.rules.games", CommandGame)
