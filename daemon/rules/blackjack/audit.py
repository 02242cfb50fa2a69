"""The audit of Bad Beat Blackjack in the shape of every other game's: rows, combinations, edges, assumptions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import lcm
from typing import Final, TypeAlias

from daemon.rules.audit.auditor import UNWATCHED, Auditor, Edge, Watch
from daemon.rules.audit.report import GameAudit, WagerAudit, audit_paytable
from daemon.rules.blackjack.assumptions import AS_PRINTED, MATTERS_NOT, PRINTED_HANDS_MAX, expected, variations
from daemon.rules.blackjack.basic import ACE, TEN
from daemon.rules.blackjack.house import DECKS_MAX, DECKS_MIN, HOUSE, BadBeatOption, BlackjackHouse, Insurance
from daemon.rules.blackjack.main_return import main_return
from daemon.rules.blackjack.paytables import INSURANCE, PAYTABLES, BadBeatCase, InsuranceCase
from daemon.rules.blackjack.returns import CaseOdds, case_odds
from daemon.rules.blackjack.shoe import Shoe
from daemon.rules.blackjack.strategy import FOR_THE_SIDE_BET, Strategy, basic
from daemon.rules.limits import Limits
from daemon.rules.money import DOLLAR, Cents
from daemon.rules.paytable import Paytable
from daemon.rules.wagers import GameName, WagerName

TITLE: Final = "Bad Beat Blackjack"
ALWAYS_ASSUMED: Final = (
    "Every order of the shoe is as likely as any other, the whole shoe is there when the round begins, and cards "
    "that are drawn do not come back. The player does not count and does not see the hole card.",
    "The stake is a whole number of chips in every row, so nothing is rounded.",
)


def every_house(house: BlackjackHouse) -> Iterator[BlackjackHouse]:
    """Yield the house with each option of the side bet, each number of decks and each rule for soft 17."""
    for option in BadBeatOption:
        for decks in range(DECKS_MIN, DECKS_MAX + 1):
            for hits in (True, False):
                yield replace(house, option=option, decks=decks, dealer_hits_soft_17=hits)


Part: TypeAlias = Callable[[], Sequence[WagerAudit]]


def audit_house(house: BlackjackHouse, stake: Cents, watch: Watch = UNWATCHED) -> GameAudit:
    """Return one house's wagers, its own side bet by both stated strategies."""
    paytables = (house.bad_beat_paytable,)
    strategies = (FOR_THE_SIDE_BET, basic(house))
    parts: list[Part] = [partial(audit_insurance, house, stake)]
    parts += [partial(audit_bad_beat, house, strategy, paytables, stake) for strategy in strategies]
    return _audit(house, parts, watch, (house,))


def audit_every_house(house: BlackjackHouse, stake: Cents, watch: Watch = UNWATCHED) -> GameAudit:
    """Audit every configuration of the side bet under every published paytable, and the house's own main wager.

    Each is audited first under the assumptions that reproduce the document's figures, then by basic strategy.
    """
    paytables = tuple(PAYTABLES.values())
    shoes = (replace(house, decks=decks) for decks in range(DECKS_MIN, DECKS_MAX + 1))
    parts: list[Part] = [partial(audit_insurance, each, stake) for each in shoes]
    for each in every_house(house):
        printed = replace(each, hands_max=PRINTED_HANDS_MAX)
        parts.append(partial(audit_bad_beat, printed, FOR_THE_SIDE_BET, paytables, stake))
        parts.append(partial(audit_bad_beat, each, basic(each), paytables, stake))
    return _audit(house, parts, watch, tuple(replace(house, option=option) for option in BadBeatOption))


def _audit(
    house: BlackjackHouse, parts: Sequence[Part], watch: Watch, measured: tuple[BlackjackHouse, ...]
) -> GameAudit:
    wagers = [*audit_main(house, watch)]
    for part in watch.each(parts, "the side bet and insurance"):
        wagers += part()
    return GameAudit(GameName.BLACKJACK, TITLE, tuple(assumptions(measured)), tuple(wagers))


def assumptions(houses: tuple[BlackjackHouse, ...]) -> Iterator[str]:
    """Yield what is assumed, what cannot matter, and for these houses how much the rest does."""
    yield from ALWAYS_ASSUMED
    yield AS_PRINTED
    for house in houses:
        yield f"Basic strategy in {_in_words(house)}: {basic(house).statement}"
    yield from (f"Matters not: {reason}" for reason in MATTERS_NOT)
    for house in houses:
        yield from _measured(house)


def _measured(house: BlackjackHouse) -> Iterator[str]:
    """Yield how much each assumption matters, those together that move nothing."""
    paytable, varied = house.bad_beat_paytable, tuple(variations(house, basic(house)))
    stated = expected(case_odds(house, basic(house)), paytable)
    moves = {variation.name: stated - expected(variation.odds(), paytable) for variation in varied}
    where = f"{_in_words(house)}, {paytable.name}"
    moving = "; ".join(f"{name} {100 * float(move):+.4f} %" for name, move in moves.items() if move)
    yield f"Matters, {where}, by so much of the house edge: {moving}."
    still = "; ".join(name for name, move in moves.items() if not move)
    if still:
        yield f"Matters not, {where}: {still}."


def audit_bad_beat(
    house: BlackjackHouse, strategy: Strategy, paytables: Iterable[Paytable[BadBeatCase]], stake: Cents
) -> list[WagerAudit]:
    """Return the side bet in one house by one strategy, under each of these paytables."""
    counts = combinations(case_odds(house, strategy))
    hands = f", {house.hands_max} hands at most" if house.hands_max == PRINTED_HANDS_MAX else ""
    note = f"{_in_words(house)}, {strategy.name} strategy{hands}"
    return [audit_paytable(WagerName.BAD_BEAT.value, paytable, counts, stake, note) for paytable in paytables]


def combinations(odds: CaseOdds) -> dict[BadBeatCase, int]:
    """Odds as whole numbers out of the least total that all of them have."""
    total = lcm(*(chance.denominator for chance in odds.values()))
    return {case: int(chance * total) for case, chance in odds.items()}


def audit_insurance(house: BlackjackHouse, stake: Cents) -> list[WagerAudit]:
    """Insurance of a player who looks at nothing but the ace."""
    if house.insurance is Insurance.NONE:
        return []
    hole = Shoe.of(house.decks).without(ACE)
    tens = hole.holds(TEN)
    counts = {InsuranceCase.BLACKJACK: tens, InsuranceCase.NO_BLACKJACK: hole.size - tens}
    note = f"{_decks(house)}, only the ace seen"
    return [audit_paytable(WagerName.INSURANCE.value, INSURANCE, counts, stake, note)]


def audit_main(house: BlackjackHouse, watch: Watch = UNWATCHED) -> Iterator[WagerAudit]:
    """Yield the main wager's mean, where it is known; how it is spread is not, because split hands share a dealer."""
    if house.spares:
        return
    worth = main_return(house, watch=watch)
    yield WagerAudit(
        name=WagerName.BLACKJACK.value,
        paytable=house.main_pays.name,
        sha256=house.main_pays.sha256,
        total=0,
        rows=(),
        expectation=worth.net,
        square=None,
        hits=None,
        staked=worth.staked,
        note=f"{_decks(house)}, {_soft_17(house)}; its mean",
    )


def _in_words(house: BlackjackHouse) -> str:
    return f"option {house.option.value}, {_decks(house)}, {_soft_17(house)}"


def _decks(house: BlackjackHouse) -> str:
    return "1 deck" if house.decks == 1 else f"{house.decks} decks"


def _soft_17(house: BlackjackHouse) -> str:
    return "hits soft 17" if house.dealer_hits_soft_17 else "stands on soft 17"


def _audit_for(house: BlackjackHouse, stake: Cents, watch: Watch) -> GameAudit:
    """Audit a house. One with options of its own is counted by itself, the published one in every configuration."""
    audit = audit_every_house if house == HOUSE else audit_house
    return audit(house, stake, watch)


def _edges(house: BlackjackHouse, _limits: Limits) -> Iterator[Edge]:
    (side,) = audit_bad_beat(house, FOR_THE_SIDE_BET, (house.bad_beat_paytable,), DOLLAR)
    yield Edge(side.name, side.paytable, side.house_edge, note=side.note)


AUDITOR: Final = Auditor(_audit_for, _edges)
