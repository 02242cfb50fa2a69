"""Cents, odds, and the one place where an amount is rounded.

Everything is exact until it meets the table's smallest chip. What a wager pays is then rounded by the
house's filed rule, and the size of the rounding stays with the result, so that an auditor can add it up.
What is rounded is always the *net to the player*: up is in the player's favour
after a win at three to two and after a loss of half alike.
"""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from math import ceil, floor
from typing import Final, NewType, assert_never

from protocols.frozen import dataclass

Cents = NewType("Cents", int)

DOLLAR: Final = Cents(100)
NOTHING: Final = Cents(0)
ONE_CENT: Final = Cents(1)
NO_ROUNDING: Final = Fraction(0)

IN_JOURNALS: Final = "in journals"
"""Metadata of a field whose default has changed, or that has none: what it means where a journal does not have it."""


class Breakage(Enum):
    """Whose the difference is when an amount is not a whole number of chips."""

    PLAYER = "player"
    HOUSE = "house"
    EXACT = "exact"  # not rounded: such a stake is refused when it is placed


@dataclass(frozen=True, slots=True)
class Rounded:
    """A payable amount, and by how much it differs from the exact one: above zero favours the player."""

    cents: Cents
    rounding: Fraction


@dataclass(frozen=True, slots=True)
class MoneyRule:
    """The table's smallest chip and the house's breakage rule."""

    chip: Cents = ONE_CENT
    breakage: Breakage = Breakage.PLAYER

    def __post_init__(self) -> None:
        if self.chip < 1:
            raise ValueError(f"the smallest chip is {self.chip} cents; it must be at least 1")

    def payable(self, net: Fraction) -> bool:
        """Return whether the amount needs no rounding."""
        return (net / self.chip).denominator == 1

    def round(self, net: Fraction) -> Rounded:
        """Return the payable amount. Under `exact` only a payable one may come here; placing the bet saw to that."""
        chips = self._whole(net / self.chip)
        cents = Cents(chips * self.chip)
        return Rounded(cents, cents - net)

    def whole_chips(self, amount: Fraction) -> Cents:
        """Return an amount rounded down to whole chips, whatever the rounding rule."""
        return Cents(floor(amount / self.chip) * self.chip)

    def _whole(self, chips: Fraction) -> int:
        match self.breakage:
            case Breakage.PLAYER:
                return ceil(chips)
            case Breakage.HOUSE:
                return floor(chips)
            case Breakage.EXACT:
                if chips.denominator != 1:
                    raise ValueError(f"{chips * self.chip} cents cannot be paid and this house does not round")
                return chips.numerator
            case _:
                assert_never(self.breakage)


def dollars(cents: int) -> str:
    """Return an amount as players read it: ``45.00``, ``-0.50``."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02}"


WHOLE_CENTS: Final = MoneyRule()
"""The default: no chip but the cent, breakage to the player."""
