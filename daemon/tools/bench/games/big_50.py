"""Big 50 at the bench: players bet, and that is all that they do."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from daemon.rules.big_50 import RULES
from daemon.rules.wagers import GameName, WagerName
from daemon.tools.bench.betting_habit import BettingHabit
from daemon.tools.bench.game import BenchGame, Layout

HABIT: Final = BettingHabit(WagerName.POKER_HAND, (WagerName.RED_BLACK, WagerName.BIG_50, WagerName.RANGE))

GAME: Final = BenchGame(
    name=GameName.BIG_50,
    layout=Layout(
        columns=MappingProxyType(
            {
                WagerName.POKER_HAND: ("ROYAL\nFLUSH", 5),
                WagerName.RED_BLACK: ("ALL RED\n/ BLACK", 7),
                WagerName.BIG_50: ("BIG\n50", 6),
                WagerName.RANGE: ("\nRANGE", 6),
            }
        ),
        cards=RULES.hand_cards,
        has_total=True,
    ),
    bets=HABIT.bets,
    hands=lambda players: (RULES.hand_cards,) * players,
)
