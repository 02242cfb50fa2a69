"""How the bench's players bet: a pure function of seed, round and seat, so the same seed makes the same bets."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from daemon.rules.wagers import WagerName

UNIT_CENTS: Final = 500
UNITS_MAX: Final = 5
SITS_OUT_ONE_IN: Final = 8
SIDE_BET_ONE_IN: Final = 3
MAIN_BET: Final = WagerName.POKER_HAND
SIDE_BETS: Final = (WagerName.RED_BLACK, WagerName.BIG_50, WagerName.RANGE)


@dataclass(frozen=True, slots=True)
class PlacedBet:
    """One bet of one player."""

    seat: int
    wager: WagerName
    stake_cents: int


def bets(seed: int, round_number: int, seats: int) -> tuple[PlacedBet, ...]:
    """Everybody's bets of a round; seat 1 always plays, so that there is a round."""
    return tuple(bet for seat in range(1, seats + 1) for bet in _of_seat(seed, round_number, seat))


def _of_seat(seed: int, round_number: int, seat: int) -> Iterator[PlacedBet]:
    if seat > 1 and _draw(seed, round_number, seat, "sits out") % SITS_OUT_ONE_IN == 0:
        return
    for wager in (MAIN_BET, *SIDE_BETS):
        if wager is MAIN_BET or _draw(seed, round_number, seat, wager.value) % SIDE_BET_ONE_IN == 0:
            units = 1 + _draw(seed, round_number, seat, f"units on {wager.value}") % UNITS_MAX
            yield PlacedBet(seat, wager, units * UNIT_CENTS)


def _draw(seed: int, round_number: int, seat: int, what: str) -> int:
    text = f"{seed}/{round_number}/{seat}/{what}"
    return int.from_bytes(hashlib.sha256(text.encode("ascii")).digest()[:8], "big")
