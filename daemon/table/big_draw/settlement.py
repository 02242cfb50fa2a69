"""Big Draw: from the rules' results to the table's facts.

First 5 is asked of the rules once, for all hands together, before any draw; Big Draw when the hands after the draw
are known. What one deal may pay is shared over all of them each time. A First 5 that waits until then shares what the
earlier ones left.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import assert_never

from daemon.frozen import replace
from daemon.rules import big_draw
from daemon.rules.big_draw import BigDrawHouse, HandFound, Variant
from daemon.rules.money import Cents
from daemon.rules.results import DecidedBy, Outcome, Settled, Voided, WagerResult
from daemon.rules.wagers import Wager, WagerName
from daemon.table.big_draw.facts import FirstFiveSettled
from daemon.table.big_draw.hands import final_of
from daemon.table.big_draw.options import BigDrawAtTable
from daemon.table.big_draw.state import FinalHand, deal_of
from daemon.table.round_facts import HandSettled, SettledWager
from daemon.table.settings import TableSettings
from daemon.table.stakes import as_wager, limits_left, said_wager, within_aggregates
from daemon.table.state import Hand, Round, SaidResult, TableState
from daemon.table.vocabulary import Evidence, SeatNumber


def house_of(settings: TableSettings) -> BigDrawAtTable:
    """Return what the rules of Big Draw are asked with."""
    house = settings.house
    assert isinstance(house, BigDrawAtTable)
    return house


def wager_of(played: Round, seat: SeatNumber, name: WagerName) -> Wager | None:
    """Return a seat's bet of this name."""
    return next((as_wager(stake) for stake in played.stakes_of(seat) if stake.wager is name), None)


def settle_first_5(
    state: TableState, hands: Sequence[Hand], unannounced: Collection[SeatNumber] = ()
) -> tuple[FirstFiveSettled, ...]:
    """Return what First 5 comes to for each of these hands that has such a bet, in the order given.

    A hand that was neither read nor entered lost: its player would have told the dealer, who would have entered it. So
    did a hand of `unannounced`, whatever it is.
    """
    hands = [
        replace(hand, faces=None, evidence=Evidence.NOT_SHOWN) if hand.seat in unannounced else hand for hand in hands
    ]
    house, played, variant = house_of(state.settings), _round(state), deal_of(_round(state)).variant
    bets = [(hand, bet) for hand in hands if (bet := wager_of(played, hand.seat, WagerName.FIRST_5)) is not None]
    results = [_first_5(hand, bet, variant, house) for hand, bet in bets]
    cut = _within(state, [(result,) for result, _ in results], variant, house)
    said = zip(bets, results, cut, strict=True)
    return tuple(_said_first_5(hand, spots[0], found) for (hand, _), (_, found), spots in said)


def _first_5(hand: Hand, bet: Wager, variant: Variant, house: BigDrawHouse) -> tuple[WagerResult, HandFound | None]:
    if hand.faces is None:
        return _lost_unseen(bet, variant, house), None
    settled = big_draw.settle_first_5(hand.faces, [bet], variant, house)
    match settled:
        case Settled(wagers=(result,), findings=found):
            return result, found
        case Settled() | Voided():
            raise AssertionError(f"{hand.seat}: the proof sees to it that a hand is five cards with names")
        case _:
            assert_never(settled)


def _lost_unseen(bet: Wager, variant: Variant, house: BigDrawHouse) -> WagerResult:
    paytable = big_draw.paytable_of(bet.name, variant, house)
    assert paytable is not None
    lost = DecidedBy(paytable.name, paytable.sha256, row=None)
    return WagerResult(bet.name, bet.stake, Outcome.LOSE, Cents(-bet.stake), Cents(0), lost, cards=())


def _said_first_5(hand: Hand, result: WagerResult, found: HandFound | None) -> FirstFiveSettled:
    looked_at = hand.faces is not None or hand.evidence is Evidence.NOT_SHOWN
    evidence = hand.evidence if looked_at else Evidence.ENTERED_BY_PERSON
    if result.outcome is Outcome.LOSE or found is None:
        return FirstFiveSettled(hand.seat, said_wager(result), evidence)
    return FirstFiveSettled(hand.seat, said_wager(result), evidence, hand.faces or (), found.hand.value)


def settle_hands(state: TableState, hands: Sequence[Hand]) -> tuple[HandSettled, ...]:
    """Return what is left to settle of each hand whose cards after the draw are known."""
    house, played, variant = house_of(state.settings), _round(state), deal_of(_round(state)).variant
    finals = [final for hand in hands if (final := final_of(played, hand.seat)) is not None]
    finals = [final for final in finals if unsettled(played, final.seat)]
    results = [_big_draw(final, played, variant, house) for final in finals]
    cut, waited = _within(state, results, variant, house), _first_5_that_waited(state, finals)
    return tuple(
        _said(final, (*waited.get(final.seat, ()), *map(said_wager, wagers)), variant)
        for final, wagers in zip(finals, cut, strict=True)
    )


def unsettled(played: Round, seat: SeatNumber) -> bool:
    """Return whether a seat has a bet whose result has not been said."""
    said = {result.wager.wager for result in played.said if result.seat == seat}
    return any(stake.wager not in said for stake in played.stakes_of(seat))


def _big_draw(final: FinalHand, played: Round, variant: Variant, house: BigDrawHouse) -> tuple[WagerResult, ...]:
    bet = wager_of(played, final.seat, WagerName.BIG_DRAW)
    bets = [] if bet is None else [bet]
    return big_draw.settle_big_draw(final.cards, bets, variant, house).wagers


def _said(final: FinalHand, spots: tuple[SettledWager, ...], variant: Variant) -> HandSettled:
    found = big_draw.hand_of(final.cards, variant)
    return HandSettled(final.seat, final.cards, final.evidence, found.value, None, spots)


def _first_5_that_waited(
    state: TableState, finals: Sequence[FinalHand]
) -> Mapping[SeatNumber, tuple[SettledWager, ...]]:
    """Return the First 5 of hands that nobody might look at: settled by then, unless no device read them."""
    played = _round(state)
    waits = [final for final in finals if _has_first_5_left(played, final.seat)]
    known = {result.seat: result.wager for result in _waiting(played)}
    unread = [Hand(each.seat, 0, None, each.cards, each.evidence) for each in waits if each.seat not in known]
    results = known | {result.seat: result.wager for result in settle_first_5(state, unread)}
    return {each.seat: (results[each.seat],) for each in waits}


def _has_first_5_left(played: Round, seat: SeatNumber) -> bool:
    """Return whether a seat has a First 5 bet whose result has not been said."""
    said = (result.wager.wager for result in played.said if result.seat == seat)
    return wager_of(played, seat, WagerName.FIRST_5) is not None and WagerName.FIRST_5 not in said


def _waiting(played: Round) -> tuple[FirstFiveSettled, ...]:
    """Return the results of First 5 that were worked out with the others and are not said yet."""
    return tuple(each for each in deal_of(played).first_5_waiting if _has_first_5_left(played, each.seat))


def _within(
    state: TableState, results: Sequence[tuple[WagerResult, ...]], variant: Variant, house: BigDrawHouse
) -> Sequence[tuple[WagerResult, ...]]:
    paytable_of = partial(big_draw.paytable_of, variant=variant, house=house)
    played, chip = _round(state), house.money.chip
    paid = (*played.said, *(SaidResult(each.seat, each.wager) for each in _waiting(played)))
    limits = limits_left(replace(played, said=paid), lambda wager: tuple(filter(None, (paytable_of(wager),))))
    return within_aggregates(results, limits, paytable_of, chip)


def _round(state: TableState) -> Round:
    assert state.round is not None
    return state.round
