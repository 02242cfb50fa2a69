"""Big 50: from the rules' results to the table's facts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from daemon.rules import big_50
from daemon.rules.big_50 import Big50House
from daemon.rules.results import Settled, Voided, WagerResult
from daemon.table.round_facts import HandSettled
from daemon.table.settings import Big50Settings, TableSettings
from daemon.table.stakes import as_wager, in_force, said_wager, within_aggregates
from daemon.table.state import Hand, Round, TableState


def house_of(settings: TableSettings) -> Big50House:
    """The rules' house options that the table's settings stand for."""
    assert isinstance(settings.options, Big50Settings)
    options = settings.options
    return Big50House(
        money=settings.money,
        red_black=options.red_black,
        poker_hand_pays=in_force(options.poker_hand_pays, big_50.POKER_HAND),
        red_black_pays=in_force(options.red_black_pays, big_50.RED_BLACK),
        big_50_pays=in_force(options.big_50_pays, big_50.BIG_50),
        range_pays=in_force(options.range_pays, big_50.RANGE),
    )


def settle_hands(state: TableState, hands: Sequence[Hand]) -> tuple[HandSettled, ...]:
    """Every hand whose cards are known, in the order dealt; what one deal may pay is shared over all of them."""
    house, played = house_of(state.settings), state.round
    assert played is not None
    results = [(hand, _settle(hand, played, house)) for hand in hands if hand.faces is not None]
    cut = within_aggregates(
        [result.wagers for _, result in results],
        played.limits,
        lambda wager: big_50.paytable_of(wager, house),
        house.money.chip,
    )
    return tuple(_said(hand, result, wagers) for (hand, result), wagers in zip(results, cut, strict=True))


def _settle(hand: Hand, played: Round, house: Big50House) -> Settled[big_50.Big50Findings] | Voided:
    stakes = {stake.wager: stake for stake in played.stakes_of(hand.seat)}
    wagers = [as_wager(stakes[spot]) for spot in big_50.SPOTS if spot in stakes]
    return big_50.settle(hand.faces or (), wagers, house)


def _said(hand: Hand, result: Settled[big_50.Big50Findings] | Voided, wagers: Sequence[WagerResult]) -> HandSettled:
    spots = tuple(said_wager(wager) for wager in wagers)
    faces = hand.faces or ()
    match result:
        case Settled(findings=found):
            return HandSettled(hand.seat, faces, hand.evidence, found.hand.value, found.total, spots)
        case Voided():
            return HandSettled(hand.seat, faces, hand.evidence, None, None, spots)
        case _:
            assert_never(result)
