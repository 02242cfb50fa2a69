"""What may be staked on blackjack, its insurance and its side bet, and which paytable pays each."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from daemon.rules.blackjack.house import HOUSE, BlackjackHouse, Insurance
from daemon.rules.blackjack.paytables import INSURANCE
from daemon.rules.game import GameSpec
from daemon.rules.limits import NO_LIMITS, Limits, check_stake
from daemon.rules.money import Breakage, Cents, dollars
from daemon.rules.paytable import Paytable
from daemon.rules.results import Objection, RefusalCode, Refused
from daemon.rules.wagers import GameName, Wager, WagerName
from protocols.cards import Card, Rank

if TYPE_CHECKING:
    from daemon.rules.audit.auditor import Auditor

SPOTS: Final = (WagerName.BLACKJACK, WagerName.INSURANCE, WagerName.BAD_BEAT)
"""In the order in which the dealer settles them."""


POSITIONS_MAX: Final = 7  # betting spots of the usual blackjack layout; the side bet's rules name no number


def paytables_of(wager: WagerName, house: BlackjackHouse = HOUSE) -> tuple[Paytable[Any], ...]:
    """Return every paytable by which the house may pay a spot. A spot of another game has none."""
    match wager:
        case WagerName.BLACKJACK:
            return (house.main_pays,)
        case WagerName.INSURANCE:
            return (INSURANCE,)
        case WagerName.BAD_BEAT:
            return (house.bad_beat_paytable,)
        case _:
            return ()


def check_wager(
    wager: Wager, placed: Sequence[Wager], house: BlackjackHouse = HOUSE, limits: Limits = NO_LIMITS
) -> Refused | None:
    """Return why the bet is not accepted beside the player's other bets, or None.

    Insurance is bought after the deal; whether the cards call for it is `insurance_refusal`'s to say.
    """
    paytables = paytables_of(wager.name, house)
    if not paytables:
        allowed = ", ".join(spot.value for spot in SPOTS)
        message = f"{wager.name.value} is not a wager of blackjack. It has {allowed}"
        return Refused(RefusalCode.NOT_OFFERED, message, wager.name)
    main = next((other for other in placed if other.name is WagerName.BLACKJACK), None)
    return _check_beside(wager, main, house) or check_stake(wager, placed, paytables, house.money, limits)


def _check_beside(wager: Wager, main: Wager | None, house: BlackjackHouse) -> Refused | None:
    if wager.colour is not None:
        return Refused(RefusalCode.COLOUR_NOT_NAMED_HERE, f"{wager.name.value}: no colour is named here", wager.name)
    alone = wager.name is WagerName.BAD_BEAT and house.bad_beat_alone
    if wager.name is WagerName.BLACKJACK or alone:
        return None
    if main is None:
        message = f"{wager.name.value}: needs a blackjack wager of the same player"
        return Refused(RefusalCode.NEEDS_ANOTHER_WAGER, message, wager.name, needs=WagerName.BLACKJACK)
    return _check_insured(wager, main, house) if wager.name is WagerName.INSURANCE else None


def _check_insured(wager: Wager, main: Wager, house: BlackjackHouse) -> Refused | None:
    """Half the stake in whole chips is the most. A house that rounds nothing insures no stake that has no half."""
    half = Fraction(main.stake, 2)
    if house.money.breakage is Breakage.EXACT and not house.money.payable(half):
        message = f"insurance: half of {dollars(main.stake)} is not a number of chips"
        return Refused(
            RefusalCode.CANNOT_BE_PAID_EXACTLY,
            message,
            wager.name,
            bound=main.stake,
            objection=Objection.HALF_NOT_IN_CHIPS,
        )
    due = half_insured(main.stake, house)
    if wager.stake > due:
        message = f"insurance: {dollars(wager.stake)} is above half the stake, {dollars(due)}"
        return Refused(RefusalCode.ABOVE_MOST, message, wager.name, wager.stake, due)
    if house.insurance is Insurance.HALF and wager.stake < due:
        message = f"insurance: {dollars(wager.stake)} is below {dollars(due)}, the half stake that is sold here"
        return Refused(RefusalCode.BELOW_LEAST, message, wager.name, wager.stake, due)
    return None


def half_insured(stake: Cents, house: BlackjackHouse = HOUSE) -> Cents:
    """Return the half of a stake that is the most that may insure it, in whole chips."""
    half = Fraction(stake, 2)
    return house.money.whole_chips(half) if house.insurance_within_half else house.money.round(half).cents


def insurance_refusal(up: Card, house: BlackjackHouse = HOUSE) -> Refused | None:
    """Return why no insurance can be bought in this round; None when it can."""
    if house.insurance is Insurance.NONE:
        return Refused(RefusalCode.NOT_OFFERED, "insurance: this house has none", WagerName.INSURANCE)
    if up.rank is not Rank.ACE:
        return Refused(
            RefusalCode.NOT_OFFERED, "insurance: is offered against a dealer's ace only", WagerName.INSURANCE
        )
    return None


def _auditor() -> Auditor[BlackjackHouse]:
    from daemon.rules.blackjack.audit import AUDITOR

    return AUDITOR


GAME: Final = GameSpec(
    name=GameName.BLACKJACK,
    title="Bad Beat Blackjack",
    spots=SPOTS,
    positions_max=POSITIONS_MAX,
    house=HOUSE,
    paytables_of=paytables_of,
    check_wager=check_wager,
    auditor=_auditor,
    sold_later=MappingProxyType(
        {WagerName.INSURANCE: "insurance: is bought after the deal, when the dealer shows an ace"}
    ),
)
