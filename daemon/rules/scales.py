"""The scales that paytables are written on, and the rows that a document can name on each."""

from __future__ import annotations

from typing import Final

from daemon.rules.evaluator import PAIRS, PokerHand
from daemon.rules.paytable import Award, Row, Scale

_PLURALS: Final = ("aces", "kings", "queens", "jacks", "tens", "nines", "eights",
                   "sevens", "sixes", "fives", "fours", "threes", "twos")  # fmt: skip
_OR_BETTER: Final = {f"{plural} or better": PAIRS[: number + 1] for number, plural in enumerate(_PLURALS)}

POKER: Final[Scale[PokerHand]] = Scale("five-card poker", tuple(PokerHand), spell=lambda hand: hand.value)
POKER_ROWS: Final[dict[str, tuple[PokerHand, ...]]] = {
    **{hand.value: (hand,) for hand in PokerHand},
    **_OR_BETTER,
    **{f"pair of {name}": pairs for name, pairs in _OR_BETTER.items()},
}

TOTALS: Final[Scale[int]] = Scale("total of five cards", tuple(range(50, 5, -1)), spell=str, complete=True)


def poker_row(name: str, award: Award) -> Row[PokerHand]:
    """A row by the name of its hands: ``full house``, ``pair of eights or better``, ``jacks or better``."""
    return Row(name, POKER_ROWS[name], award)


def total_row(low: int, high: int, award: Award) -> Row[int]:
    """A row for totals from low to high, both included."""
    name = str(low) if low == high else f"{low}-{high}"
    return Row(name, tuple(range(high, low - 1, -1)), award)
