"""The catalogue: what every game answers in the same words, whichever game it is.

How a hand is settled differs from game to game in what must be known (cards, decisions, a dealer), so each
game's `settle` is called by whoever knows that game. What bets there are, which paytable pays them and
whether one may be placed is asked here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from daemon.rules import big_50
from daemon.rules.limits import Limits
from daemon.rules.paytable import Paytable
from daemon.rules.results import Refused
from daemon.rules.wagers import GameName, Wager, WagerName


@dataclass(frozen=True, slots=True)
class GameSpec:
    """One game. `house` is its options with their defaults; `spots` are in the order in which they are reconciled."""

    name: GameName
    title: str
    spots: tuple[WagerName, ...]
    positions_max: int
    house: Any
    paytable_of: Callable[[WagerName, Any], Paytable[Any] | None]
    check_wager: Callable[[Wager, Sequence[Wager], Any, Limits], Refused | None]


BIG_50: Final = GameSpec(
    name=GameName.BIG_50,
    title="Big 50",
    spots=big_50.SPOTS,
    positions_max=big_50.POSITIONS_MAX,
    house=big_50.HOUSE,
    paytable_of=big_50.paytable_of,
    check_wager=big_50.check_wager,
)

GAMES: Final[Mapping[GameName, GameSpec]] = MappingProxyType({game.name: game for game in (BIG_50,)})
