"""What blackjack and its side bet pay, as data: the rows of `bad-beat-blackjack.md` and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Final

from daemon.rules.paytable import LOSS, Odds, Paytable, Row, Scale, to_one

SOURCE: Final = "Bad Beat Blackjack rules, paytables P1 to P5 and L1 to L5"
BLACKJACK_SOURCE: Final = "Bad Beat Blackjack rules, house options of the blackjack game"


class BadBeatPaytable(Enum):
    """The published paytables of the side bet."""

    P1 = "P1"
    P2 = "P2"
    P3 = "P3"
    P4 = "P4"
    P5 = "P5"
    L1 = "L1"
    L2 = "L2"
    L3 = "L3"
    L4 = "L4"
    L5 = "L5"


class BadBeatCase(Enum):
    """What the side bet sees: a stood two-card total and what became of it, as the paytable heads its rows."""

    __hash__ = object.__hash__  # Enum hashes the name, in Python; a member is one object

    BEATEN_20 = "20 beaten"
    BEATEN_19 = "19 beaten"
    PUSH_21 = "21 push"
    PUSH_20 = "20 push"
    PUSH_19 = "19 push"
    PLAYER_WINS = "player wins"
    NO_ROW = "no two-card 19, 20 or 21 that stood"


class MainCase(Enum):
    """What became of one hand of the main game."""

    __hash__ = object.__hash__  # Enum hashes the name, in Python; a member is one object

    NATURAL = "blackjack"
    EVEN_MONEY = "even money"
    WIN = "win"
    PUSH = "push"
    STAKE_SPARED = "dealer blackjack, stake spared"
    DOUBLE_SPARED = "dealer blackjack, double spared"
    SURRENDER = "surrender"
    LOSE = "lose"


class InsuranceCase(Enum):
    """What insurance sees in the dealer's first two cards."""

    BLACKJACK = "dealer blackjack"
    NO_BLACKJACK = "no dealer blackjack"


BAD_BEATS: Final[Scale[BadBeatCase]] = Scale(
    "bad beats", tuple(case for case in BadBeatCase if case is not BadBeatCase.NO_ROW), spell=lambda case: case.value
)
MAIN_CASES: Final[Scale[MainCase]] = Scale("blackjack hands", tuple(MainCase), spell=lambda case: case.value)
INSURANCE_CASES: Final[Scale[InsuranceCase]] = Scale(
    "dealer's first two cards", tuple(InsuranceCase), spell=lambda case: case.value
)


_LOSES: Final = -1


def _bad_beat(name: str, *odds: int) -> Paytable[BadBeatCase]:
    rows = zip(BAD_BEATS.cases, odds, strict=True)
    return Paytable(name, SOURCE, BAD_BEATS, tuple(Row(case.value, (case,), to_one(pays)) for case, pays in rows))


PAYTABLES: Final[Mapping[str, Paytable[BadBeatCase]]] = MappingProxyType(
    {
        paytable.name: paytable
        for paytable in (
            # name: 20 beaten, 19 beaten, 21 push, 20 push, 19 push, player wins
            _bad_beat("P1", 20, 15, 5, 5, 5, 0),
            _bad_beat("P2", 20, 15, 10, 5, 5, 0),
            _bad_beat("P3", 30, 10, 5, 5, 5, 0),
            _bad_beat("P4", 30, 10, 10, 5, 5, 0),
            _bad_beat("P5", 25, 15, 5, 5, 5, 0),  # once called Payscale A
            _bad_beat("L1", 25, 20, 5, 5, 5, _LOSES),
            _bad_beat("L2", 25, 20, 10, 5, 5, _LOSES),
            _bad_beat("L3", 35, 15, 5, 5, 5, _LOSES),
            _bad_beat("L4", 35, 15, 10, 5, 5, _LOSES),
            _bad_beat("L5", 30, 20, 5, 5, 5, _LOSES),
        )
    }
)
"""The side bet's paytables by name; a house names one of them or brings its own over the same cases."""

INSURANCE: Final = Paytable(
    "Insurance",
    BLACKJACK_SOURCE,
    INSURANCE_CASES,
    (Row(InsuranceCase.BLACKJACK.value, (InsuranceCase.BLACKJACK,), to_one(2)),),
)


@cache
def main_paytable(natural: Fraction, even_money: bool, surrender: bool, spares: bool) -> Paytable[MainCase]:
    """Return what the main game pays in a house with these options.

    Only what the house offers has a row: a stake whose half is not a whole number of chips matters only
    where half of it can be given up.
    """
    rows: dict[MainCase, Odds] = {MainCase.NATURAL: to_one(natural)}
    if even_money:
        rows[MainCase.EVEN_MONEY] = to_one(1)
    rows |= {MainCase.WIN: to_one(1), MainCase.PUSH: to_one(0)}
    if spares:
        rows |= {MainCase.STAKE_SPARED: to_one(0), MainCase.DOUBLE_SPARED: to_one(Fraction(-1, 2))}
    if surrender:
        rows[MainCase.SURRENDER] = to_one(Fraction(-1, 2))
    rows[MainCase.LOSE] = Odds(LOSS)
    name = f"Blackjack {natural.numerator} to {natural.denominator}"
    named = tuple(Row(case.value, (case,), award) for case, award in rows.items())
    return Paytable(name, BLACKJACK_SOURCE, MAIN_CASES, named)
