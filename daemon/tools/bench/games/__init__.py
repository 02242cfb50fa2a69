"""Every game that the bench plays, a module each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from daemon.rules.wagers import GameName
from daemon.tools.bench.game import BenchGame
from daemon.tools.bench.games import big_50, big_draw, big_raise, blackjack

GAMES: Final[Mapping[GameName, BenchGame]] = MappingProxyType(
    {module.GAME.name: module.GAME for module in (big_50, big_raise, big_draw, blackjack)}
)
