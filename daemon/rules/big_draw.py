"""Big Draw Poker: a bet on the first five cards, and one on the five after the draw.

First 5 is settled before any draw (`settle_first_5`), Big Draw after it (`settle_big_draw`); `settle` does
both for a caller with the whole hand. What may be thrown away is a decision (`check_discards`); cards
that cannot be what was dealt make the hand void.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, assert_never

from daemon.rules.big_draw_pays import DEUCES_BIG_DRAW, DEUCES_FIRST_5, DRAW_BIG_DRAW, DRAW_FIRST_5
from daemon.rules.dealt import Dealt, irregularity, named
from daemon.rules.deuces import WildHand, wild_hand
from daemon.rules.evaluator import PokerHand, poker_hand
from daemon.rules.game import GameSpec
from daemon.rules.house import Amount, House
from daemon.rules.limits import NO_LIMITS, Limits, check_stake
from daemon.rules.money import DOLLAR, dollars
from daemon.rules.paytable import Paytable
from daemon.rules.results import (
    Irregularity,
    RefusalCode,
    Refused,
    Settled,
    Voided,
    VoidReason,
    WagerResult,
    voided,
)
from daemon.rules.settlement import settle_wager
from daemon.rules.wagers import GameName, Wager, WagerName
from protocols.cards import Card, Face
from protocols.frozen import dataclass

if TYPE_CHECKING:
    from daemon.rules.audit.auditor import Auditor

HAND_CARDS: Final = 5
DISCARDS_MAX: Final = 5
POSITIONS_MAX: Final = 5  # big-draw.md; five who all draw five use 50 cards
SPOTS: Final = (WagerName.FIRST_5, WagerName.BIG_DRAW)


class Variant(Enum):
    """The two sides of the button."""

    FIVE_CARD_DRAW = "five-card-draw"
    DEUCES_NEVER_LOSES = "deuces-never-loses"


class DrawStyle(Enum):
    """How draws are dealt, and with it when Big Draw is settled (big-draw.md, options 1 and 2)."""

    FACE_DOWN = "face-down"
    FACE_UP = "face-up"


class DealStyle(Enum):
    """How first hands come out of a shoe (big-draw.md, step 2). A shuffler gives five at once."""

    FIVE_AT_ONCE = "five-at-once"
    ONE_AT_A_TIME = "one-at-a-time"


@dataclass(frozen=True, slots=True, kw_only=True)
class BigDrawHouse(House):
    """The house's options for Big Draw Poker.

    With `first_5_alone_waits` a hand that has only a First 5 bet stays unseen until all draws are complete.
    """

    draw: DrawStyle = DrawStyle.FACE_DOWN
    deal: DealStyle = DealStyle.FIVE_AT_ONCE
    first_5_needs_big_draw: bool = False
    first_5_alone_least_cents: Amount = DOLLAR
    first_5_alone_waits: bool = False
    draw_big_draw_pays: Paytable[PokerHand] = DRAW_BIG_DRAW
    draw_first_5_pays: Paytable[PokerHand] = DRAW_FIRST_5
    deuces_big_draw_pays: Paytable[WildHand] = DEUCES_BIG_DRAW
    deuces_first_5_pays: Paytable[WildHand] = DEUCES_FIRST_5


HOUSE: Final = BigDrawHouse()


@dataclass(frozen=True, slots=True)
class HandFound:
    """Five cards, and what they are in the game that is played."""

    hand: PokerHand | WildHand
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class BigDrawFindings:
    """The hand as dealt, and the hand after the draw."""

    first: HandFound
    final: HandFound


def paytable_of(wager: WagerName, variant: Variant, house: BigDrawHouse = HOUSE) -> Paytable[Any] | None:
    """Return the paytable by which the house pays a spot. A spot of another game has none."""
    match variant, wager:
        case Variant.FIVE_CARD_DRAW, WagerName.BIG_DRAW:
            return house.draw_big_draw_pays
        case Variant.FIVE_CARD_DRAW, WagerName.FIRST_5:
            return house.draw_first_5_pays
        case Variant.DEUCES_NEVER_LOSES, WagerName.BIG_DRAW:
            return house.deuces_big_draw_pays
        case Variant.DEUCES_NEVER_LOSES, WagerName.FIRST_5:
            return house.deuces_first_5_pays
        case _:
            return None


def paytables_of(wager: WagerName, house: BigDrawHouse = HOUSE) -> tuple[Paytable[Any], ...]:
    """Return a spot's paytables on both sides of the button. A spot of another game has none."""
    both = (paytable_of(wager, variant, house) for variant in Variant)
    return tuple(paytable for paytable in both if paytable is not None)


def check_wager(
    wager: Wager, placed: Sequence[Wager], house: BigDrawHouse = HOUSE, limits: Limits = NO_LIMITS
) -> Refused | None:
    """Return why the bet is not accepted beside the hand's other bet, or None.

    The player with the button may pick either game after the bets are down, so a stake has to be payable in both.
    """
    paytables = paytables_of(wager.name, house)
    if not paytables:
        allowed = ", ".join(spot.value for spot in SPOTS)
        message = f"{wager.name.value} is not a wager of Big Draw. It has {allowed}"
        return Refused(RefusalCode.NOT_OFFERED, message, wager.name)
    if wager.colour is not None:
        return Refused(
            RefusalCode.COLOUR_NOT_NAMED_HERE, f"{wager.name.value}: no colour is named in this game", wager.name
        )
    return _check_alone(wager, placed, house) or check_stake(wager, placed, paytables, house.money, limits)


def _check_alone(wager: Wager, placed: Sequence[Wager], house: BigDrawHouse) -> Refused | None:
    if wager.name is not WagerName.FIRST_5 or any(bet.name is WagerName.BIG_DRAW for bet in placed):
        return None
    if house.first_5_needs_big_draw:
        message = "first_5: here it needs a Big Draw bet beside it"
        return Refused(RefusalCode.NEEDS_ANOTHER_WAGER, message, wager.name, needs=WagerName.BIG_DRAW)
    if wager.stake < house.first_5_alone_least_cents:
        least = dollars(house.first_5_alone_least_cents)
        message = f"first_5: {dollars(wager.stake)} is below the least without a Big Draw bet, {least}"
        return Refused(RefusalCode.BELOW_LEAST, message, wager.name, wager.stake, house.first_5_alone_least_cents)
    return None


def check_discards(count: int) -> Refused | None:
    """Return why a player may not throw so many cards away, or None."""
    if 0 <= count <= DISCARDS_MAX:
        return None
    return Refused(RefusalCode.ILLEGAL_ACTION, f"{count} discards: a player discards 0 to {DISCARDS_MAX} cards")


def hand_of(cards: Sequence[Card], variant: Variant) -> PokerHand | WildHand:
    """Return what five different cards are in this game."""
    match variant:
        case Variant.FIVE_CARD_DRAW:
            return poker_hand(cards)
        case Variant.DEUCES_NEVER_LOSES:
            return wild_hand(cards)
        case _:
            assert_never(variant)


def settle_first_5(
    first: Sequence[Face], wagers: Sequence[Wager], variant: Variant, house: BigDrawHouse = HOUSE
) -> Settled[HandFound] | Voided:
    """Settle the First 5 bet among the wagers, before any draw."""
    return _settle_five("first five", first, WagerName.FIRST_5, wagers, variant, house)


def settle_big_draw(
    final: Sequence[Face], wagers: Sequence[Wager], variant: Variant, house: BigDrawHouse = HOUSE
) -> Settled[HandFound] | Voided:
    """Settle the Big Draw bet among the wagers, on the hand after the draw."""
    return _settle_five("after the draw", final, WagerName.BIG_DRAW, wagers, variant, house)


def _settle_five(
    place: str, faces: Sequence[Face], name: WagerName, wagers: Sequence[Wager], variant: Variant, house: BigDrawHouse
) -> Settled[HandFound] | Voided:
    bets = [bet for bet in wagers if bet.name is name]
    wrong = irregularity(Dealt(place, faces, HAND_CARDS))
    if wrong is not None:
        return voided(bets, wrong)
    found = _find(named(faces), variant)
    return Settled(tuple(_settle_spot(bet, found, variant, house) for bet in bets), found)


def settle(
    first: Sequence[Face],
    discards: Sequence[Face],
    drawn: Sequence[Face],
    wagers: Sequence[Wager],
    variant: Variant,
    house: BigDrawHouse = HOUSE,
) -> Settled[BigDrawFindings] | Voided:
    """Settle both bets on one player's whole hand. The wagers and the number of discards have passed their checks."""
    wrong = _wrong(first, discards, drawn)
    if wrong is not None:
        return voided(wagers, wrong)
    dealt, kept = named(first), named(face for face in first if face not in discards)
    findings = BigDrawFindings(_find(dealt, variant), _find((*kept, *named(drawn)), variant))
    spots = [_settle_spot(bet, _decides(bet, findings), variant, house) for bet in wagers]
    return Settled(tuple(sorted(spots, key=lambda result: SPOTS.index(result.name))), findings)


def _wrong(first: Sequence[Face], discards: Sequence[Face], drawn: Sequence[Face]) -> Irregularity | None:
    """Discards are among the first five, so they are compared with those and not with the whole table."""
    wrong = irregularity(Dealt("first five", first, HAND_CARDS), Dealt("drawn", drawn, len(discards)))
    wrong = wrong or irregularity(Dealt("discards", discards, len(discards)))
    if wrong is None and any(card not in first for card in discards):
        return Irregularity(VoidReason.DISCARD_NOT_HELD, "discards: a card that is not among the first five")
    return wrong


def _decides(bet: Wager, findings: BigDrawFindings) -> HandFound:
    return findings.first if bet.name is WagerName.FIRST_5 else findings.final


def _find(cards: tuple[Card, ...], variant: Variant) -> HandFound:
    return HandFound(hand_of(cards, variant), cards)


def _settle_spot(bet: Wager, found: HandFound, variant: Variant, house: BigDrawHouse) -> WagerResult:
    paytable = paytable_of(bet.name, variant, house)
    if paytable is None:
        raise ValueError(f"{bet.name.value} is not a wager of Big Draw: check_wager refuses it")
    return settle_wager(bet, paytable, found.hand, found.cards, house.money)


def _auditor() -> Auditor[BigDrawHouse]:
    from daemon.rules.audit.big_draw import AUDITOR

    return AUDITOR


GAME: Final = GameSpec(
    name=GameName.BIG_DRAW,
    title="Big Draw Poker",
    spots=SPOTS,
    positions_max=POSITIONS_MAX,
    house=HOUSE,
    paytables_of=paytables_of,
    check_wager=check_wager,
    auditor=_auditor,
)
