"""Big 50: one five-card hand against four paytables, each wager on its own.

The table calls `check_wager` when a bet is placed and `settle` when a hand is complete. Spots are listed in
the order in which a position is reconciled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, assert_never

from daemon.rules.dealt import Dealt, irregularity, named
from daemon.rules.evaluator import PokerHand, poker_hand
from daemon.rules.game import GameSpec
from daemon.rules.house import RULING, House
from daemon.rules.limits import NO_LIMITS, Limits, check_stake
from daemon.rules.money import IN_JOURNALS
from daemon.rules.paytable import Paytable, Scale
from daemon.rules.paytable_text import read_paytable
from daemon.rules.results import RefusalCode, Refused, Settled, Voided, WagerResult, voided
from daemon.rules.scales import POKER, TOTALS
from daemon.rules.settlement import settle_wager
from daemon.rules.wagers import Colour, GameName, Wager, WagerName
from protocols.cards import Card, Face, Rank

if TYPE_CHECKING:
    from daemon.rules.audit.auditor import Auditor

HAND_CARDS: Final = 5
POSITIONS_MAX: Final = 10  # ten hands of five leave two of the 52
SPOTS: Final = (WagerName.POKER_HAND, WagerName.RED_BLACK, WagerName.BIG_50, WagerName.RANGE)
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


def paytable_of(wager: WagerName, house: Big50House = HOUSE) -> Paytable[Any] | None:
    """Return the paytable by which the house pays a spot. A spot of another game has none."""
    match wager:
        case WagerName.POKER_HAND:
            return house.poker_hand_pays
        case WagerName.RED_BLACK:
            return house.red_black_pays
        case WagerName.BIG_50:
            return house.big_50_pays
        case WagerName.RANGE:
            return house.range_pays
        case _:
            return None


def paytables_of(wager: WagerName, house: Big50House = HOUSE) -> tuple[Paytable[Any], ...]:
    """The same for the catalogue, in which a spot may have several."""
    paytable = paytable_of(wager, house)
    return () if paytable is None else (paytable,)


def check_wager(
    wager: Wager, placed: Sequence[Wager], house: Big50House = HOUSE, limits: Limits = NO_LIMITS
) -> Refused | None:
    """Why the bet is not accepted beside the hand's other bets, or None."""
    paytable = paytable_of(wager.name, house)
    if paytable is None:
        allowed = ", ".join(spot.value for spot in SPOTS)
        return Refused(RefusalCode.NOT_OFFERED, f"{wager.name.value} is not a wager of Big 50. It has {allowed}")
    return _check_colour(wager, house) or check_stake(wager, placed, (paytable,), house.money, limits)


def replaces(bet: Wager, placed: Wager, house: Big50House) -> bool:
    """Whether the bet takes the place of one that lies there. Named red and named black are two bets."""
    apart = house.colours_are_two_bets and bet.colour is not placed.colour
    return bet.name is placed.name and not apart


def _check_colour(wager: Wager, house: Big50House) -> Refused | None:
    names_one = wager.name is WagerName.RED_BLACK and house.red_black is RedBlack.NAMED
    if names_one and wager.colour is None:
        return Refused(RefusalCode.COLOUR_MISSING, "red_black: this house has the player name red or black")
    if not names_one and wager.colour is not None:
        message = f"{wager.name.value}: no colour is named here; the stake wins or loses without one"
        return Refused(RefusalCode.COLOUR_NOT_NAMED_HERE, message)
    return None


def total_of(cards: Sequence[Card]) -> int:
    """Ace 1, two to ten their face, jack, queen and king 10."""
    return sum(1 if card.rank is Rank.ACE else min(card.rank, 10) for card in cards)


def colours_of(cards: Sequence[Card]) -> FiveColours:
    """Whether all the cards are of one colour."""
    reds = sum(card.suit.is_red for card in cards)
    if reds == len(cards):
        return FiveColours.RED
    return FiveColours.MIXED if reds else FiveColours.BLACK


def settle(
    faces: Sequence[Face], wagers: Sequence[Wager], house: Big50House = HOUSE
) -> Settled[Big50Findings] | Voided:
    """One position's hand. The wagers have passed `check_wager` under the same options."""
    wrong = irregularity(Dealt("hand", faces, HAND_CARDS))
    if wrong is not None:
        return voided(wagers, wrong)
    cards = named(faces)
    findings = Big50Findings(poker_hand(cards), total_of(cards), colours_of(cards))
    return Settled(tuple(_settle_spot(wager, findings, cards, house) for wager in wagers), findings)


def _settle_spot(wager: Wager, findings: Big50Findings, cards: tuple[Card, ...], house: Big50House) -> WagerResult:
    match wager.name:
        case WagerName.POKER_HAND:
            return settle_wager(wager, house.poker_hand_pays, findings.hand, cards, house.money)
        case WagerName.RED_BLACK:
            seen = _as_bet(findings.colours, wager.colour)
            return settle_wager(wager, house.red_black_pays, seen, cards, house.money)
        case WagerName.BIG_50:
            return settle_wager(wager, house.big_50_pays, findings.total, cards, house.money)
        case WagerName.RANGE:
            return settle_wager(wager, house.range_pays, findings.total, cards, house.money)
        case _:
            raise ValueError(f"{wager.name.value} is not a wager of Big 50: check_wager refuses it")


def _as_bet(seen: FiveColours, named_colour: Colour | None) -> FiveColours:
    """A hand of the colour that was not named is, to a bet on the other one, as good as mixed."""
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


GAME: Final = GameSpec(
    name=GameName.BIG_50,
    title="Big 50",
    spots=SPOTS,
    positions_max=POSITIONS_MAX,
    house=HOUSE,
    paytables_of=paytables_of,
    check_wager=check_wager,
    replaces=replaces,
    auditor=_auditor,
)
