"""The player strategies under which the side bet is audited, stated so that anybody can disagree.

The side bet asks little of a strategy: which pairs of eights, nines, tens and aces are split, and whether a
two-card 19 is ever anything but stood on. Everything else (drawing to twelve, surrendering fifteen) happens
in hands that have lost the side bet already.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from daemon.rules.blackjack.basic import ACE, TEN, doubles, gives_up, splits
from daemon.rules.blackjack.house import BlackjackHouse, SplitAces
from daemon.rules.blackjack.shoe import WORTHS
from daemon.rules.blackjack.totals import Total, total_of_points
from protocols.frozen import dataclass

EIGHT, NINE = 8, 9
ANY_UP: Final = frozenset(WORTHS)
NO_UP: Final[frozenset[int]] = frozenset()
SPLITTABLE: Final = (ACE, EIGHT, NINE, TEN)
BASIC: Final = "basic"
SOFT_19: Final = Total(19, soft=True)


@dataclass(frozen=True, slots=True)
class Strategy:
    """What the player does where it matters to the side bet. Every other two-card 19, 20 and 21 stands."""

    name: str
    statement: str
    splits: Mapping[int, frozenset[int]]  # the worth of a pair -> the up cards that it is split against
    doubles_soft_19: frozenset[int]  # the up cards that it is doubled against, where the house allows it

    def splits_pair(self, worth: int, up: int) -> bool:
        """Return whether a pair of this worth is split against this up card, at first and again."""
        return up in self.splits.get(worth, NO_UP)


def basic(house: BlackjackHouse) -> Strategy:
    """Return the part of basic strategy that the side bet notices, in this house."""
    return Strategy(
        name=BASIC,
        statement=(
            "Plays the main bet by the charts of basic strategy and does not heed the side bet. Where the side bet "
            f"notices it, that is: splits {'; '.join(_split_in_words(house))}. A soft 19 is doubled against "
            f"{_in_words(_doubled(house))}; every other two-card 19, 20 and 21 stands."
        ),
        splits=MappingProxyType({worth: _split(worth, house) for worth in SPLITTABLE}),
        doubles_soft_19=_doubled(house),
    )


def _split(worth: int, house: BlackjackHouse) -> frozenset[int]:
    if worth == ACE and house.split_aces is SplitAces.NEVER:
        return NO_UP
    total = total_of_points(2 * worth, worth == ACE)
    given_up = {up for up in WORTHS if house.late_surrender and gives_up(total, worth, up, house)}
    return frozenset(up for up in WORTHS if splits(worth, up, house)) - given_up


def _doubled(house: BlackjackHouse) -> frozenset[int]:
    return frozenset(up for up in WORTHS if doubles(SOFT_19, up, house) and house.double_on.allows(SOFT_19.points))


def _split_in_words(house: BlackjackHouse) -> Iterator[str]:
    names = {ACE: "aces", EIGHT: "eights", NINE: "nines", TEN: "tens"}
    for worth in SPLITTABLE:
        yield f"{names[worth]} against {_in_words(_split(worth, house))}"


def _in_words(ups: frozenset[int]) -> str:
    if ups == ANY_UP:
        return "everything"
    return ", ".join("ace" if up == ACE else str(up) for up in sorted(ups)) or "nothing"


FOR_THE_SIDE_BET: Final = Strategy(
    name="side-bet",
    statement=(
        "Its player plays for the side bet alone, and no strategy returns more on it: stands on every two-card 19, 20 "
        "and 21; splits every pair of aces, eights and nines, which unsplit has lost; never splits tens, which "
        "standing have won more than a split can."
    ),
    splits=MappingProxyType({ACE: ANY_UP, EIGHT: ANY_UP, NINE: ANY_UP}),
    doubles_soft_19=NO_UP,
)
