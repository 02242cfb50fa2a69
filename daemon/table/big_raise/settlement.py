"""Big Raise Hold'em: from the rules' results to the table's facts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from daemon.rules import big_raise
from daemon.rules.big_raise import Action, BigRaiseFindings, BigRaiseHouse, Deal
from daemon.rules.results import Settled, Voided, WagerResult
from daemon.rules.wagers import Wager
from daemon.table.big_raise.facts import FoldSettled
from daemon.table.round_facts import HandSettled
from daemon.table.settings import TableSettings
from daemon.table.stakes import as_wager, limits_left, said_wager, within_aggregates
from daemon.table.state import Hand, Round, TableState
from daemon.table.vocabulary import COMMUNITY, DEALER, Decision, Evidence, SeatNumber
from protocols.cards import Card, Face


def house_of(settings: TableSettings) -> BigRaiseHouse:
    """Return what the rules of Big Raise are asked with."""
    house = settings.house
    assert isinstance(house, BigRaiseHouse)
    return house


def settle_fold(state: TableState, hand: Hand) -> FoldSettled:
    """Return what is over with this fold. Only two cards that are paid for, or lie open already, are said."""
    house, played = house_of(state.settings), state.round
    assert played is not None
    cards = tuple(face for face in hand.faces or () if isinstance(face, Card))
    results = big_raise.settle_fold(cards or None, _wagers(hand, played), house)
    (results,) = _within([results], played, house)
    is_open = hand.evidence is Evidence.ENTERED_BY_PERSON or any(result.pays > 0 for result in results)
    spots = tuple(map(said_wager, results))
    if not cards or not is_open:
        return FoldSettled(hand.seat, spots, Evidence.NOT_SHOWN)
    return FoldSettled(hand.seat, spots, hand.evidence, cards)


def settle_hands(state: TableState, hands: Sequence[Hand]) -> tuple[HandSettled, ...]:
    """Return what is not over yet of these players' hands against the dealer's, as far as their cards are known.

    What one deal may pay is shared over all of them. Of a hand that folded only a five-card bonus can be left.
    """
    house, played = house_of(state.settings), state.round
    assert played is not None
    known = [hand for hand in hands if hand.seat in left_to_settle(played) and hand.faces is not None]
    results = [(hand, _settle(hand, played, house)) for hand in known]
    left = [tuple(each for each in result.wagers if _is_left(played, hand, each)) for hand, result in results]
    wagers = _within(left, played, house)
    said = [_said(hand, result, spots) for (hand, result), spots in zip(results, wagers, strict=True)]
    return tuple(sorted(said, key=lambda hand: hand.seat))


def left_to_settle(played: Round) -> tuple[SeatNumber, ...]:
    """Return the seats with a stake of which no result was said, from the dealer's right."""
    said = {(result.seat, result.wager.wager) for result in played.said}
    waiting = {stake.seat for stake in played.stakes if (stake.seat, stake.wager) not in said}
    return tuple(seat for seat in reversed(played.players) if seat in waiting)


def _is_left(played: Round, hand: Hand, result: WagerResult) -> bool:
    return all((said.seat, said.wager.wager) != (hand.seat, result.name) for said in played.said)


def _within(
    results: Sequence[tuple[WagerResult, ...]], played: Round, house: BigRaiseHouse
) -> Sequence[tuple[WagerResult, ...]]:
    limits, chip = limits_left(played, lambda wager: big_raise.paytables_of(wager, house)), house.money.chip
    return within_aggregates(results, limits, lambda wager: big_raise.paytable_of(wager, house), chip)


def _settle(hand: Hand, played: Round, house: BigRaiseHouse) -> Settled[BigRaiseFindings] | Voided:
    deal = Deal(hand.faces or (), _faces(played, DEALER), _faces(played, COMMUNITY))
    has_folded = any(each.seat == hand.seat and each.decision is Decision.FOLD for each in played.decided)
    action = Action.FOLD if has_folded else Action.PLAY
    return big_raise.settle(deal, action, _wagers(hand, played), house)


def _wagers(hand: Hand, played: Round) -> list[Wager]:
    return [as_wager(stake) for stake in played.stakes_of(hand.seat)]


def _faces(played: Round, seat: SeatNumber) -> tuple[Face, ...]:
    hand = played.hand_of(seat)
    return () if hand is None else hand.faces or ()


def _said(hand: Hand, result: Settled[BigRaiseFindings] | Voided, wagers: Sequence[WagerResult]) -> HandSettled:
    spots = tuple(said_wager(wager) for wager in wagers)
    faces = hand.faces or ()
    match result:
        case Settled(findings=found):
            return HandSettled(hand.seat, faces, hand.evidence, found.player_hand.value, None, spots)
        case Voided():
            return HandSettled(hand.seat, faces, hand.evidence, None, None, spots)
        case _:
            assert_never(result)
