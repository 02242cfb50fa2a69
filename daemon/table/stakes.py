"""Stakes as the rules know them, and their results as the table says them: the same for every game."""

from __future__ import annotations

from daemon.rules.money import Cents
from daemon.rules.results import WagerResult
from daemon.rules.wagers import Wager
from daemon.table.round_facts import SeatStake, SettledWager


def as_wager(stake: SeatStake) -> Wager:
    """A seat's stake as the rules know it."""
    return Wager(stake.wager, Cents(stake.stake_cents), stake.colour)


def said_wager(result: WagerResult) -> SettledWager:
    """One wager's end, as it is published."""
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
    )
