"""How players bet: by seeded chance, on a main spot, and sometimes on a side bet beside it.

Everything is a pure function of seed, round and seat, so the same seed gives the same bets.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Final

from daemon.rules.wagers import WagerName
from protocols.frozen import dataclass

UNIT_CENTS: Final = 500
UNITS_MAX: Final = 5
SITS_OUT_ONE_IN: Final = 8
SIDE_BET_ONE_IN: Final = 3


@dataclass(frozen=True, slots=True)
class PlacedBet:
    """One bet of one player."""

    seat: int
    wager: WagerName
    stake_cents: int


@dataclass(frozen=True, slots=True)
class Occasion:
    """One seat in one round of one run: what chance depends on."""

    seed: int
    round_number: int
    seat: int

    def draw(self, what: str) -> int:
        """Return a number for this question: as good as random, and always the same."""
        text = f"{self.seed}/{self.round_number}/{self.seat}/{what}"
        return int.from_bytes(hashlib.sha256(text.encode("ascii")).digest()[:8], "big")

    def is_one_in(self, often: int, what: str) -> bool:
        """Return whether an event that happens once in `often` times happens this time."""
        return self.draw(what) % often == 0


@dataclass(frozen=True, slots=True)
class BettingHabit:
    """A stake on the main spot in each round that the player does not sit out, and sometimes one on a side bet."""

    main: WagerName
    sides: Sequence[WagerName]

    def bets(self, seed: int, round_number: int, seats: int) -> tuple[PlacedBet, ...]:
        """Return all bets of a round. Seat 1 always plays, so that there is a round."""
        occasions = (Occasion(seed, round_number, seat) for seat in range(1, seats + 1))
        return tuple(bet for occasion in occasions for bet in self._of_seat(occasion))

    def _of_seat(self, occasion: Occasion) -> Iterator[PlacedBet]:
        if occasion.seat > 1 and occasion.is_one_in(SITS_OUT_ONE_IN, "sits out"):
            return
        for wager in (self.main, *self.sides):
            if wager is self.main or occasion.is_one_in(SIDE_BET_ONE_IN, wager.value):
                units = 1 + occasion.draw(f"units on {wager.value}") % UNITS_MAX
                yield PlacedBet(occasion.seat, wager, units * UNIT_CENTS)
