"""The catalogue: what every game answers in the same words, whichever game it is.

How a hand is settled differs from game to game in what must be known (cards, decisions, a dealer), so each
game's `settle` is called by whoever knows that game. What bets there are, which paytable pays them and
whether one may be placed is asked here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar

from daemon.rules import big_50, big_draw, big_raise
from daemon.rules.blackjack import bets as blackjack
from daemon.rules.blackjack.house import HOUSE as BLACKJACK_HOUSE
from daemon.rules.limits import Limits
from daemon.rules.paytable import Paytable
from daemon.rules.results import Refused
from daemon.rules.wagers import GameName, Wager, WagerName

HouseT = TypeVar("HouseT")


@dataclass(frozen=True, slots=True)
class GameSpec(Generic[HouseT]):
    """One game. `house` is its options with their defaults; `spots` are in the order in which they are reconciled.

    `paytables_of` gives every paytable by which a spot may be paid; `check_wager` speaks of bets before the cards.
    """

    name: GameName
    title: str
    spots: tuple[WagerName, ...]
    positions_max: int
    house: HouseT
    paytables_of: Callable[[WagerName, HouseT], tuple[Paytable[Any], ...]]
    check_wager: Callable[[Wager, Sequence[Wager], HouseT, Limits], Refused | None]

    def check_wagers(self, wagers: Sequence[Wager], house: HouseT, limits: Limits) -> Refused | None:
        """Why a hand's bets are not accepted together, or None."""
        for number, wager in enumerate(wagers):
            others = [*wagers[:number], *wagers[number + 1 :]]
            refused = self.check_wager(wager, others, house, limits)
            if refused is not None:
                return refused
        return None


BIG_50: Final = GameSpec(
    name=GameName.BIG_50,
    title="Big 50",
    spots=big_50.SPOTS,
    positions_max=big_50.POSITIONS_MAX,
    house=big_50.HOUSE,
    paytables_of=big_50.paytables_of,
    check_wager=big_50.check_wager,
)
BIG_RAISE: Final = GameSpec(
    name=GameName.BIG_RAISE_HOLDEM,
    title="Big Raise Hold'em",
    spots=big_raise.SPOTS,
    positions_max=big_raise.POSITIONS_MAX,
    house=big_raise.HOUSE,
    paytables_of=big_raise.paytables_of,
    check_wager=big_raise.check_wager,
)
BIG_DRAW: Final = GameSpec(
    name=GameName.BIG_DRAW,
    title="Big Draw Poker",
    spots=big_draw.SPOTS,
    positions_max=big_draw.POSITIONS_MAX,
    house=big_draw.HOUSE,
    paytables_of=big_draw.paytables_of,
    check_wager=big_draw.check_wager,
)
BLACKJACK: Final = GameSpec(
    name=GameName.BAD_BEAT_BLACKJACK,
    title="Bad Beat Blackjack",
    spots=blackjack.SPOTS,
    positions_max=blackjack.POSITIONS_MAX,
    house=BLACKJACK_HOUSE,
    paytables_of=blackjack.paytables_of,
    check_wager=blackjack.check_wager,
)

GAMES: Final[Mapping[GameName, GameSpec[Any]]] = MappingProxyType(
    {game.name: game for game in (BIG_50, BIG_RAISE, BIG_DRAW, BLACKJACK)}
)
