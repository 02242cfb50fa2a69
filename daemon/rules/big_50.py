"""Big 50: one five-card hand against four paytables, each wager on its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, assert_never

from daemon.frozen import replace
from daemon.rules.evaluator import PokerHand, poker_hand
from daemon.rules.house import RULING, House
from daemon.rules.money import IN_JOURNALS
from daemon.rules.own_hand import OwnHandRules, Spot, names_no_colour
from daemon.rules.paytable import Paytable, Scale
from daemon.rules.paytable_text import read_paytable
from daemon.rules.results import RefusalCode, Refused
from daemon.rules.scales import POKER, TOTALS
from daemon.rules.wagers import Colour, GameName, Wager, WagerName
from protocols.cards import Card, Rank
from protocols.frozen import dataclass

if TYPE_CHECKING:
    from daemon.rules.audit.auditor import Auditor

SOURCE: Final = "Big 50 rules as approved by the Washington State Gambling Commission"


class RedBlack(Enum):
    """What one Red/Black stake is on: either colour, or the one that the player names."""

    EITHER = "either"
    NAMED = "named"


class FiveColours(Enum):
    """What a Red/Black wager can see in five cards."""

    RED = "all red"
    BLACK = "all black"
    MIXED = "both colours"


POKER_HAND: Final = read_paytable(
    "Big 50 Royal Flush",
    SOURCE,
    POKER,
    {
        "royal flush": "1000 to 1",
        "straight flush": "500 to 1",
        "four of a kind": "100 to 1",
        "full house": "20 to 1",
        "flush": "10 to 1",
        "straight": "6 to 1",
        "three of a kind": "4 to 1",
        "two pair": "3 to 1",
        "pair of eights or better": "1 to 1",
    },
)

COLOURS: Final[Scale[FiveColours]] = Scale("colours of five cards", tuple(FiveColours), spell=lambda seen: seen.value)
RED_BLACK: Final = read_paytable("Big 50 Red/Black", SOURCE, COLOURS, {"all red": "17 to 1", "all black": "17 to 1"})

BIG_50: Final = read_paytable("Big 50", SOURCE, replace(TOTALS, complete=False), {"50": "500 to 1"})

RANGE: Final = read_paytable(
    "Big 50 Range",
    SOURCE,
    TOTALS,
    {
        "50": "100 to 1",
        "40-49": "3 to 2",
        "30-39": "lose",
        "20-29": "lose 1/2",
        "10-19": "3 to 1",
        "6-9": "500 to 1",
    },
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Big50House(House):
    """The house's options for Big 50.

    Under an earlier ruling a seat had one stake on Red/Black, red or black: `colours_are_two_bets` is not set then.
    """

    red_black: RedBlack = RedBlack.EITHER
    colours_are_two_bets: bool = field(default=True, metadata={IN_JOURNALS: False, RULING: True})
    poker_hand_pays: Paytable[PokerHand] = POKER_HAND
    red_black_pays: Paytable[FiveColours] = RED_BLACK
    big_50_pays: Paytable[int] = BIG_50
    range_pays: Paytable[int] = RANGE


HOUSE: Final = Big50House()


@dataclass(frozen=True, slots=True)
class Big50Findings:
    """What a hand is, as far as any of the wagers cares."""

    hand: PokerHand
    total: int
    colours: FiveColours


def replaces(bet: Wager, placed: Wager, house: Big50House) -> bool:
    """Return whether the bet takes the place of one that lies there. Named red and named black are two bets."""
    apart = house.colours_are_two_bets and bet.colour is not placed.colour
    return bet.name is placed.name and not apart


def _check_colour(wager: Wager, house: Big50House) -> Refused | None:
    if wager.name is not WagerName.RED_BLACK or house.red_black is not RedBlack.NAMED:
        return names_no_colour(wager, house)
    if wager.colour is not None:
        return None
    return Refused(RefusalCode.COLOUR_MISSING, "red_black: this house has the player name red or black", wager.name)


def total_of(cards: Sequence[Card]) -> int:
    """Ace 1, two to ten their face, jack, queen and king 10."""
    return sum(1 if card.rank is Rank.ACE else min(card.rank, 10) for card in cards)


def colours_of(cards: Sequence[Card]) -> FiveColours:
    """Return whether all the cards are of one colour."""
    reds = sum(card.suit.is_red for card in cards)
    if reds == len(cards):
        return FiveColours.RED
    return FiveColours.MIXED if reds else FiveColours.BLACK


def find(cards: Sequence[Card]) -> Big50Findings:
    """Return what a hand of named cards is."""
    return Big50Findings(poker_hand(cards), total_of(cards), colours_of(cards))


def _as_bet(seen: FiveColours, named_colour: Colour | None) -> FiveColours:
    """Return what a bet on this colour sees: to it, a hand all of the other colour is as good as mixed."""
    match named_colour:
        case None:
            return seen
        case Colour.RED:
            return seen if seen is FiveColours.RED else FiveColours.MIXED
        case Colour.BLACK:
            return seen if seen is FiveColours.BLACK else FiveColours.MIXED
        case _:
            assert_never(named_colour)


def _auditor() -> Auditor[Big50House]:
    from daemon.rules.audit.dealt_hands import BIG_50_AUDITOR

    return BIG_50_AUDITOR


_SPOTS: Final[Mapping[WagerName, Spot[Big50House, Big50Findings, Any]]] = MappingProxyType(
    {
        WagerName.POKER_HAND: Spot(lambda house: house.poker_hand_pays, lambda found, _: found.hand),
        WagerName.RED_BLACK: Spot(
            lambda house: house.red_black_pays, lambda found, bet: _as_bet(found.colours, bet.colour)
        ),
        WagerName.BIG_50: Spot(lambda house: house.big_50_pays, lambda found, _: found.total),
        WagerName.RANGE: Spot(lambda house: house.range_pays, lambda found, _: found.total),
    }
)

RULES: Final = OwnHandRules(
    name=GameName.BIG_50,
    title="Big 50",
    hand_cards=5,
    positions_max=10,  # ten hands of five leave two of the 52
    house=HOUSE,
    spots=_SPOTS,
    find=find,
    auditor=_auditor,
    check_colour=_check_colour,
    replaces=replaces,
)
GAME: Final = RULES.spec()
