"""Big 50: from the rules' results to the table's facts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from daemon.rules import big_50
from daemon.rules.big_50 import Big50House
from daemon.rules.results import Settled, Voided, WagerResult
from daemon.table.round_facts import HandSettled
from daemon.table.settings import TableSettings
from daemon.table.stakes import as_wager, said_wager, within_aggregates
from daemon.table.state import Hand, Round, TableState


def house_of(settings: TableSettings) -> Big50House:
    """Return what the rules of Big 50 are asked with."""
    house = settings.house
    assert isinstance(house, Big50House)
    return house


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
