"""From the rules' results to the table's facts, for the game that is played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from daemon.rules import big_50
from daemon.rules.big_50 import Big50House
from daemon.rules.limits import within_aggregate
from daemon.rules.money import Cents
from daemon.rules.results import Settled, Voided, WagerResult
from daemon.rules.wagers import Wager
from daemon.table.round_facts import HandSettled, SeatStake, SettledWager
from daemon.table.settings import TableSettings
from daemon.table.state import Hand, Round


def house_of(settings: TableSettings) -> Big50House:
    """The rules' house options that the table's settings stand for."""
    return Big50House(money=settings.money, red_black=settings.options.red_black)


def settle_hands(settings: TableSettings, played: Round, hands: Sequence[Hand]) -> tuple[HandSettled, ...]:
    """Every hand whose cards are known, in the order dealt; what one deal may pay is shared over all of them."""
    house = house_of(settings)
    results = [(hand, _settle(hand, played, house)) for hand in hands if hand.faces is not None]
    cut = _within_aggregates([result.wagers for _, result in results], played, house)
    return tuple(_said(hand, result, wagers) for (hand, result), wagers in zip(results, cut, strict=True))


def _settle(hand: Hand, played: Round, house: Big50House) -> Settled[big_50.Big50Findings] | Voided:
    stakes = {stake.wager: stake for stake in played.stakes_of(hand.seat)}
    wagers = [as_wager(stakes[spot]) for spot in big_50.SPOTS if spot in stakes]
    return big_50.settle(hand.faces or (), wagers, house)


def as_wager(stake: SeatStake) -> Wager:
    """A seat's stake as the rules know it."""
    return Wager(stake.wager, Cents(stake.stake_cents), stake.colour)


def _within_aggregates(
    hands: Sequence[tuple[WagerResult, ...]], played: Round, house: Big50House
) -> Sequence[tuple[WagerResult, ...]]:
    for limit in played.limits.aggregates:
        paytable = big_50.paytable_of(limit.wager, house)
        if paytable is not None:
            dealt_in_order = [result for wagers in hands for result in wagers if result.name is limit.wager]
            shared = iter(within_aggregate(limit, dealt_in_order, paytable, house.money.chip))
            hands = [
                tuple(next(shared) if result.name is limit.wager else result for result in wagers) for wagers in hands
            ]
    return hands


def _said(hand: Hand, result: Settled[big_50.Big50Findings] | Voided, wagers: Sequence[WagerResult]) -> HandSettled:
    spots = tuple(_said_wager(wager) for wager in wagers)
    faces = hand.faces or ()
    match result:
        case Settled(findings=found):
            return HandSettled(hand.seat, faces, hand.evidence, found.hand.value, found.total, spots)
        case Voided():
            return HandSettled(hand.seat, faces, hand.evidence, None, None, spots)
        case _:
            assert_never(result)


def _said_wager(result: WagerResult) -> SettledWager:
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
