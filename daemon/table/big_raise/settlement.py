"""Big Raise Hold'em: from the rules' results to the table's facts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from daemon.rules import big_raise
from daemon.rules.big_raise import Action, BigRaiseFindings, BigRaiseHouse, Deal
from daemon.rules.results import Settled, Voided, WagerResult
from daemon.rules.wagers import Wager
from daemon.table.round_facts import HandSettled
from daemon.table.settings import TableSettings
from daemon.table.stakes import as_wager, said_wager, within_aggregates
from daemon.table.state import Hand, Round, TableState
from daemon.table.vocabulary import COMMUNITY, DEALER, Decision, Evidence, SeatNumber
from protocols.cards import Face


def house_of(settings: TableSettings) -> BigRaiseHouse:
    """Return what the rules of Big Raise are asked with."""
    house = settings.house
    assert isinstance(house, BigRaiseHouse)
    return house


def settle_hands(state: TableState, hands: Sequence[Hand]) -> tuple[HandSettled, ...]:
    """Every player's hand against the dealer's; what one deal may pay is shared over all of them.

    A hand that was mucked with nothing riding on it stays its player's secret, though a device may have read it.
    """
    house, played = house_of(state.settings), state.round
    assert played is not None
    players = [hand for hand in hands if hand.seat > DEALER]
    unseen = [hand for hand in players if _needs_no_cards(hand, played, house)]
    shown = [hand for hand in players if hand not in unseen and hand.faces is not None]
    results = [(hand, _settle(hand, played, house)) for hand in shown]
    wagers = within_aggregates(
        [result.wagers for _, result in results],
        played.limits,
        lambda wager: big_raise.paytable_of(wager, house),
        house.money.chip,
    )
    said = [_said(hand, result, spots) for (hand, result), spots in zip(results, wagers, strict=True)]
    said += [_said_unseen(hand, played, house) for hand in unseen]
    return tuple(sorted(said, key=lambda hand: hand.seat))


def _settle(hand: Hand, played: Round, house: BigRaiseHouse) -> Settled[BigRaiseFindings] | Voided:
    deal = Deal(hand.faces or (), _faces(played, DEALER), _faces(played, COMMUNITY))
    return big_raise.settle(deal, _action(hand, played), _wagers(hand, played), house)


def _action(hand: Hand, played: Round) -> Action:
    folded = any(each.seat == hand.seat and each.decision is Decision.FOLD for each in played.decided)
    return Action.FOLD if folded else Action.PLAY


def _wagers(hand: Hand, played: Round) -> list[Wager]:
    return [as_wager(stake) for stake in played.stakes_of(hand.seat)]


def _needs_no_cards(hand: Hand, played: Round, house: BigRaiseHouse) -> bool:
    return not big_raise.rides_on_cards(_action(hand, played), _wagers(hand, played), house)


def _said_unseen(hand: Hand, played: Round, house: BigRaiseHouse) -> HandSettled:
    spots = tuple(map(said_wager, big_raise.settle_unseen_fold(_wagers(hand, played), house)))
    return HandSettled(hand.seat, (), Evidence.NOT_SHOWN, None, None, spots)


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
