"""What the audit of the side bet assumes, and how much each assumption matters.

An assumption is measured by dropping it: the same exact odds under one other option, decision or shoe. What
cannot matter is named too, with its reason, so that a reader sees that it was not forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from daemon.frozen import replace
from daemon.rules.blackjack.basic import ACE, TEN
from daemon.rules.blackjack.house import (
    DECKS_MAX,
    DECKS_MIN,
    HANDS_MIN,
    HOUSE,
    BadBeatOption,
    BlackjackHouse,
    SplitAces,
)
from daemon.rules.blackjack.paytables import BadBeatCase
from daemon.rules.blackjack.returns import CaseOdds, case_odds
from daemon.rules.blackjack.shoe import WORTHS, Shoe
from daemon.rules.blackjack.strategy import ANY_UP, EIGHT, FOR_THE_SIDE_BET, NINE, NO_UP, Strategy, basic
from daemon.rules.money import Cents
from daemon.rules.paytable import Paytable, net_exact
from protocols.frozen import dataclass

ENDLESS_DECKS: Final = 1_000_000
"""So many that a card drawn changes nothing in the first ten digits."""

MATTERS_NOT: Final = (
    "Other players at the table, how they play and how many there are: their cards are unknown cards of the same "
    "shoe, and how many they take depends only on cards already out. The odds are the same to the last digit.",
    "The player's own second and later split hands, for the same reason.",
    "The order in which split hands get their second cards, and whether the dealer takes the hole card before or "
    "after the players act.",
    "Insurance and even money: the side bet is settled on the dealer's actual hand.",
    "Every decision in a hand that is short of 19 and not a pair of eights, nines, tens or aces.",
)
"""Exactly nothing, as long as the shoe does not run out within a round and players look only at their own cards."""


PRINTED_HANDS_MAX: Final = 3
"""Into so many hands a pair is split at most in the house whose figures the side bet's document prints."""


AS_PRINTED: Final = (
    "The document of the side bet states neither a strategy nor the blackjack rules under it. What fits its twenty "
    f"house edges best comes first here: {PRINTED_HANDS_MAX} hands at most, aces split once, a dealer who peeks and "
    f"hits soft 17, and the side-bet strategy. {FOR_THE_SIDE_BET.statement} No reading that was tried gives all twenty "
    "to the last digit. The gaps, 0.015 points at most, are of the size that a simulation of 10^8 rounds leaves "
    "(0.033 points)."
)


def as_printed(decks: int, option: BadBeatOption) -> BlackjackHouse:
    """Return the house that reproduces the document's figures best, with `FOR_THE_SIDE_BET`.

    The document states neither. Of all houses and strategies that were tried, these fit its twenty edges best: none of
    them is off by more than 0.015 points.
    """
    return replace(HOUSE, decks=decks, option=option, hands_max=PRINTED_HANDS_MAX)


@dataclass(frozen=True, slots=True)
class Variation:
    """The same audit with one thing otherwise."""

    name: str
    house: BlackjackHouse
    strategy: Strategy
    shoe: Shoe | None = None

    def odds(self) -> CaseOdds:
        """Return the rows' odds under it."""
        return case_odds(self.house, self.strategy, self.shoe)


def expected(odds: CaseOdds, paytable: Paytable[BadBeatCase]) -> Fraction:
    """Return what a stake of one comes back with beyond itself, on average; the house's edge is the opposite."""
    stake = Cents(1)
    return sum((chance * net_exact(paytable.award_for(case), stake) for case, chance in odds.items()), Fraction(0))


def variations(house: BlackjackHouse, strategy: Strategy) -> Iterator[Variation]:
    """Everything that is worth dropping, one thing at a time, as far as it is not dropped already."""
    for varied in _variations(house, strategy):
        if varied != Variation(varied.name, house, strategy):
            yield varied


def _variations(house: BlackjackHouse, strategy: Strategy) -> Iterator[Variation]:
    yield from (Variation(name, house, other) for name, other in _strategies(strategy))
    for name, other in _houses(house):
        # A player who plays by the charts has the charts of the house in question.
        yield Variation(name, other, basic(other) if strategy == basic(house) else strategy)
    yield from (Variation(name, house, strategy, shoe) for name, shoe in _shoes(house.decks))


def _strategies(stated: Strategy) -> Iterator[tuple[str, Strategy]]:
    yield "playing for the side bet alone", FOR_THE_SIDE_BET
    if stated.doubles_soft_19:
        yield "never doubling a soft 19", replace(stated, doubles_soft_19=NO_UP)
    else:
        yield "doubling a soft 19 against 6", replace(stated, doubles_soft_19=frozenset({6}))
    yield "splitting nines always", _splitting(stated, NINE, ANY_UP)
    yield "splitting nines never", _splitting(stated, NINE, NO_UP)
    yield "splitting eights always", _splitting(stated, EIGHT, ANY_UP)
    yield "splitting eights but against an ace or a ten", _splitting(stated, EIGHT, ANY_UP - {ACE, TEN})
    yield "splitting tens against 5 and 6", _splitting(stated, TEN, frozenset({5, 6}))


def _splitting(stated: Strategy, worth: int, ups: frozenset[int]) -> Strategy:
    return replace(stated, splits={**stated.splits, worth: ups})


def _houses(house: BlackjackHouse) -> Iterator[tuple[str, BlackjackHouse]]:
    soft_17 = "stands" if house.dealer_hits_soft_17 else "hits"
    yield f"a dealer who {soft_17} on soft 17", replace(house, dealer_hits_soft_17=not house.dealer_hits_soft_17)
    yield "no peek" if house.peek else "a peek", replace(house, peek=not house.peek)
    yield "two split hands at most", replace(house, hands_max=HANDS_MIN)
    yield "aces split again", replace(house, split_aces=SplitAces.LIKE_PAIRS)
    yield "aces never split", replace(house, split_aces=SplitAces.NEVER)
    yield "no double after a split", replace(house, double_after_split=False)
    yield "one deck", replace(house, decks=DECKS_MIN)
    yield "eight decks", replace(house, decks=DECKS_MAX)


def _shoes(decks: int) -> Iterator[tuple[str, Shoe]]:
    yield "cards that come back", Shoe.of(ENDLESS_DECKS)
    for worth in WORTHS:
        yield f"a shoe short of one {'ace' if worth == ACE else worth}", Shoe.of(decks).without(worth)
