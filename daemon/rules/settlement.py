"""One stake against one paytable: the arithmetic that every game shares."""

from __future__ import annotations

from daemon.rules.money import Cents, MoneyRule
from daemon.rules.paytable import Award, CaseT, Odds, Paytable, Prize, net_exact
from daemon.rules.results import DecidedBy, Outcome, WagerResult
from daemon.rules.wagers import Wager
from protocols.cards import Card


def settle_wager(
    wager: Wager, paytable: Paytable[CaseT], case: CaseT, cards: tuple[Card, ...], money: MoneyRule
) -> WagerResult:
    """Return what the case that these cards are is worth to this stake."""
    award = paytable.award_for(case)
    net = money.round(net_exact(award, wager.stake))
    return WagerResult(
        name=wager.name,
        stake=wager.stake,
        outcome=outcome_of(award),
        pays=net.cents,
        returned=Cents(wager.stake + net.cents),
        decided_by=decided_by(paytable, case),
        cards=cards,
        rounding=net.rounding,
        colour=wager.colour,
    )


def decided_by(paytable: Paytable[CaseT], case: CaseT) -> DecidedBy:
    """Return which paytable and row decide a case."""
    row = paytable.row_for(case)
    return DecidedBy(paytable.name, paytable.sha256, row.name if row else None)


def outcome_of(award: Award) -> Outcome:
    """Return what the award is called. The row decides, not the rounded amount: half of one cent lost is a part."""
    match award:
        case Prize():
            return Outcome.WIN
        case Odds(to_one=odds) if odds > 0:
            return Outcome.WIN
        case Odds(to_one=odds) if odds == 0:
            return Outcome.PUSH
        case Odds(to_one=odds):
            return Outcome.LOSE if odds == -1 else Outcome.PARTIAL
