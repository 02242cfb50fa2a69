"""The player strategies under which the side bet is audited, stated so that anybody can disagree.

The side bet asks little of a strategy: which pairs of eights, nines, tens and aces are split, and whether a
two-card 19 is ever anything but stood on. Everything else (drawing to twelve, surrendering fifteen) happens
in hands that have lost the side bet already.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from daemon.rules.blackjack.shoe import WORTHS

ACE, EIGHT, NINE = 1, 8, 9
ANY_UP: Final = frozenset(WORTHS)
NO_UP: Final[frozenset[int]] = frozenset()


@dataclass(frozen=True, slots=True)
class Strategy:
    """What the player does where the side bet can notice. `splits`: a pair's worth -> the up cards it is split for."""

    name: str
    statement: str
    splits: Mapping[int, frozenset[int]]
    doubles_soft_19: bool

    def splits_pair(self, worth: int, up: int) -> bool:
        """Whether a pair of this worth is split against this up card, at first and again."""
        return up in self.splits.get(worth, NO_UP)


BASIC: Final = Strategy(
    name="basic",
    statement=(
        "Plays for the main bet. Stands on every two-card 19, 20 and 21, except that a soft 19 is doubled where "
        "that returns more on the main bet, exactly reckoned. Splits aces and eights always, nines against 2 to "
        "6, 8 and 9, tens never; the same again after a split, as often as the house allows. Gives nothing up "
        "that the side bet could win with."
    ),
    splits=MappingProxyType({ACE: ANY_UP, EIGHT: ANY_UP, NINE: frozenset({2, 3, 4, 5, 6, 8, 9})}),
    doubles_soft_19=True,
)

FOR_THE_SIDE_BET: Final = Strategy(
    name="side-bet",
    statement=(
        "Plays for the side bet alone, and no strategy returns more on it: stands on every two-card 19, 20 and "
        "21; splits every pair of aces, eights and nines, which unsplit has lost; never splits tens, which "
        "standing have won more than a split can."
    ),
    splits=MappingProxyType({ACE: ANY_UP, EIGHT: ANY_UP, NINE: ANY_UP}),
    doubles_soft_19=False,
)

STRATEGIES: Final = (BASIC, FOR_THE_SIDE_BET)
