"""The scales that the poker games' paytables are written on, and the names that their documents use."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Final

from daemon.rules.evaluator import PAIRS, PokerHand
from daemon.rules.paytable import Scale

_PLURALS: Final = ("aces", "kings", "queens", "jacks", "tens", "nines", "eights",
                   "sevens", "sixes", "fives", "fours", "threes", "twos")  # fmt: skip
# Of pairs only: better hands have rows of their own, as the documents print them.
_OR_BETTER: Final = {f"{plural} or better": PAIRS[: number + 1] for number, plural in enumerate(_PLURALS)}

POKER: Final[Scale[PokerHand]] = Scale(
    "five-card poker",
    tuple(PokerHand),
    spell=lambda hand: hand.value,
    groups=_OR_BETTER | {f"pair of {name}": pairs for name, pairs in _OR_BETTER.items()},
)

TOTALS: Final[Scale[int]] = Scale(
    "total of five cards",
    tuple(range(50, 5, -1)),
    spell=str,
    complete=True,
    groups={
        f"{low}-{high}": tuple(range(high, low - 1, -1)) for low, high in combinations_with_replacement(range(6, 51), 2)
    },
)
