"""Stakes as the rules know them, and their results as the table says them: the same for every game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from daemon.frozen import replace
from daemon.rules.games import GAMES
from daemon.rules.limits import AggregateLimit, Limits, row_counts, within_aggregate
from daemon.rules.money import Cents
from daemon.rules.paytable import CaseT, Paytable
from daemon.rules.results import RefusalCode, Refused, WagerResult
from daemon.rules.wagers import Wager, WagerName
from daemon.table.round_facts import SeatStake, SettledWager
from daemon.table.settings import TableSettings
from daemon.table.state import Round


def as_wager(stake: SeatStake) -> Wager:
    """Return a seat's stake as the rules know it."""
    return Wager(stake.wager, Cents(stake.stake_cents), stake.colour)


def by_seat_and_spot(stake: SeatStake) -> tuple[int, str, str]:
    """Return where a round keeps the stake: its stakes are in this order."""
    return stake.seat, stake.wager.value, "" if stake.colour is None else stake.colour.value


def refused_beside(settings: TableSettings, limits: Limits, wager: Wager, lying: Iterable[Wager]) -> Refused | None:
    """Return why a wager before the cards is refused beside what lies at its seat, but for what it would replace."""
    game, house = GAMES[settings.game], settings.house
    later = game.sold_later.get(wager.name)
    if later is not None:
        return Refused(RefusalCode.NOT_OFFERED, later, wager.name)
    beside = [other for other in lying if not game.replaces(wager, other, house)]
    return game.check_wager(wager, beside, house, limits)


def said_wager(result: WagerResult) -> SettledWager:
    """Return one wager's end, as it is published."""
    decided = result.decided_by
    return SettledWager(
        wager=result.name,
        stake_cents=result.stake,
        outcome=result.outcome,
        pays_cents=result.pays,
        returned_cents=result.returned,
        row=decided.row if decided else None,
        paytable=decided.paytable if decided else None,
        paytable_hash=decided.sha256 if decided else None,
        rounding=str(result.rounding) if result.rounding else None,
        aggregate_cut_cents=result.aggregate_cut,
        colour=result.colour,
    )


def within_aggregates(
    hands: Sequence[tuple[WagerResult, ...]],
    limits: Limits,
    paytable_of: Callable[[WagerName], Paytable[CaseT] | None],
    chip: Cents,
) -> Sequence[tuple[WagerResult, ...]]:
    """Return one deal's results, each wager cut to what the deal may pay on it; the hands in the order dealt."""
    for limit in limits.aggregates:
        paytable = paytable_of(limit.wager)
        if paytable is not None:
            dealt_in_order = [result for wagers in hands for result in wagers if result.name is limit.wager]
            shared = iter(within_aggregate(limit, dealt_in_order, paytable, chip))
            hands = [
                tuple(next(shared) if result.name is limit.wager else result for result in wagers) for wagers in hands
            ]
    return hands


def limits_left(played: Round, paytables_of: Callable[[WagerName], Sequence[Paytable[CaseT]]]) -> Limits:
    """Return what this deal may still pay on each kind of prize, after the results that were said already."""

    def paid(limit: AggregateLimit) -> int:
        paytables = paytables_of(limit.wager)
        said = (said.wager for said in played.said if said.wager.wager is limit.wager and said.wager.pays_cents > 0)
        return sum(won.pays_cents for won in said if any(row_counts(limit, each, won.row) for each in paytables))

    left = (replace(limit, most=Cents(max(limit.most - paid(limit), 0))) for limit in played.limits.aggregates)
    return replace(played.limits, aggregates=tuple(left))
