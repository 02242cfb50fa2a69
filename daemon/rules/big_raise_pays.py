"""Big Raise Hold'em's paytables, by the manufacturer's numbers."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final

from daemon.rules.evaluator import PokerHand
from daemon.rules.paytable import Paytable, Scale
from daemon.rules.paytable_text import read_paytable
from daemon.rules.scales import POKER
from protocols.cards import Card, Rank

SOURCE: Final = "Big Raise Hold'em rules as approved by the Washington State Gambling Commission"


class Published(Enum):
    """The published paytables of the Ante Bonus and the 2 Card Bonus."""

    BRH_40 = "BRH-40"


class FiveCardBonus(Enum):
    """The published paytables of the five-card bonus."""

    BRH_04 = "BRH-04"
    BRH_05 = "BRH-05"
    BRH_06 = "BRH-06"
    BRH_07 = "BRH-07"
    BRH_08 = "BRH-08"


class Showdown(Enum):
    """How a player's five cards stand against the dealer's."""

    PLAYER_BEATS = "beats the dealer"
    TIE = "ties the dealer"
    DEALER_BEATS = "loses to the dealer"
    FOLDED = "folded"


SHOWDOWN: Final[Scale[Showdown]] = Scale(
    "player against dealer", tuple(Showdown), spell=lambda seen: seen.value, complete=True
)


class TwoCards(Enum):
    """What a player's first two cards are, best first."""

    PAIR_OF_ACES = "pair of aces"
    PAIR_OF_KINGS = "pair of kings"
    PAIR_OF_QUEENS = "pair of queens"
    PAIR_OF_JACKS = "pair of jacks"
    PAIR_OF_TENS = "pair of tens"
    PAIR_OF_NINES = "pair of nines"
    PAIR_OF_EIGHTS = "pair of eights"
    PAIR_OF_SEVENS = "pair of sevens"
    PAIR_OF_SIXES = "pair of sixes"
    PAIR_OF_FIVES = "pair of fives"
    PAIR_OF_FOURS = "pair of fours"
    PAIR_OF_THREES = "pair of threes"
    PAIR_OF_TWOS = "pair of twos"
    ACE_HIGH = "ace high"
    OTHER = "no pair and no ace"


_PAIRS: Final = tuple(seen for seen in TwoCards if seen.name.startswith("PAIR_OF_"))
_PAIR_OF: Final = dict(zip(sorted(Rank, reverse=True), _PAIRS, strict=True))

TWO_CARDS: Final[Scale[TwoCards]] = Scale(
    "first two cards", tuple(TwoCards), spell=lambda seen: seen.value, groups={"other pairs": _PAIRS}
)


def two_cards(cards: Sequence[Card]) -> TwoCards:
    """Return what two different cards are."""
    first, second = cards
    if first.rank == second.rank:
        return _PAIR_OF[first.rank]
    return TwoCards.ACE_HIGH if Rank.ACE in (first.rank, second.rank) else TwoCards.OTHER


MAIN: Final = read_paytable(
    "Big Raise Hold'em Ante and Play",
    SOURCE,
    SHOWDOWN,
    {
        "beats the dealer": "1 to 1",
        "ties the dealer": "1 to 1",
        "loses to the dealer": "lose",
        "folded": "lose",
    },
)

ANTE_BONUS: Final = read_paytable(
    "BRH-40 Ante Bonus",
    SOURCE,
    POKER,
    {
        "royal flush": "500 to 1",
        "straight flush": "250 to 1",
        "four of a kind": "20 to 1",
        "full house": "10 to 1",
        "flush": "5 to 1",
        "straight": "3 to 1",
    },
)

TWO_CARD_BONUS: Final = read_paytable(
    "BRH-40 2 Card Bonus",
    SOURCE,
    TWO_CARDS,
    {
        "pair of aces": "30 to 1",
        "pair of kings": "20 to 1",
        "pair of queens": "15 to 1",
        "pair of jacks": "10 to 1",
        "other pairs": "5 to 1",
        "ace high": "3 to 2",
    },
)


def _five_card_bonus(name: str, three: int, two_pair: int) -> Paytable[PokerHand]:
    """Return the rows of one of the five bonuses, which differ in two rows only."""
    rows = {
        "royal flush": 50,
        "straight flush": 40,
        "four of a kind": 30,
        "full house": 20,
        "flush": 15,
        "straight": 10,
        "three of a kind": three,
        "two pair": two_pair,
        "pair of eights or better": 1,
    }
    return read_paytable(name, SOURCE, POKER, {row: f"{odds} to 1" for row, odds in rows.items()})


BRH_04: Final = _five_card_bonus("BRH-04", three=8, two_pair=3)
BRH_05: Final = _five_card_bonus("BRH-05", three=7, two_pair=3)
BRH_06: Final = _five_card_bonus("BRH-06", three=6, two_pair=3)
BRH_07: Final = _five_card_bonus("BRH-07", three=7, two_pair=4)
BRH_08: Final = _five_card_bonus("BRH-08", three=9, two_pair=3)
FIVE_CARD_BONUSES: Final = (BRH_04, BRH_05, BRH_06, BRH_07, BRH_08)
