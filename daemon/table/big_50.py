"""Big 50 at the table (big-50.md): one hand a player, settled by itself."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from daemon.rules.big_50 import RULES
from daemon.rules.wagers import WagerName
from daemon.table.own_hands import OwnHands

GAME: Final = OwnHands(
    rules=RULES,
    name_and_total=lambda found: (found.hand.value, found.total),
    spot_names=MappingProxyType(
        {
            WagerName.POKER_HAND: "ROYAL FLUSH",
            WagerName.RED_BLACK: "ALL RED / ALL BLACK",
            WagerName.BIG_50: "BIG 50",
            WagerName.RANGE: "RANGE",
        }
    ),
).procedure()
