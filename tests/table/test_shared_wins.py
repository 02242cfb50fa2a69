"""What one deal may pay is shared by all its winners, also where the device could not read each of their hands."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from daemon.rules.big_raise import BigRaiseHouse
from daemon.rules.big_raise_pays import FiveCardBonus
from daemon.rules.limits import AggregateLimit, Day, Limits, LimitSchedule
from daemon.rules.money import Cents
from daemon.rules.wagers import WagerName
from daemon.table.round_facts import CardsAsked, HandSettled, RoundSettled
from daemon.table.settings import LargeWins
from daemon.table.state import Phase
from daemon.table.vocabulary import Decision, Ruling, SeatNumber
from drivers.events import Button, PacketDispensed
from protocols.cards import DECK, parse_cards
from tests.table.playing import Table, settings
from tests.table.test_big_raise import DEALERS, decide, fold, open_house, ready, table_with

ROYAL = parse_cards("9c Tc Jc Qc Kc")  # a straight flush
SECOND = parse_cards("8d 9d Td Jd Qd")
THIRD = parse_cards("2h 3h 4h 5h 6h")


def at_most(wager: WagerName, cents: int) -> LimitSchedule:
    limit = AggregateLimit(wager, Cents(cents), shares_all=True)
    return LimitSchedule(((Day(0), Limits(aggregates=(limit,))),))


def won(table: Table) -> dict[int, list[int]]:
    return {hand.seat: [wager.pays_cents for wager in hand.wagers] for hand in table.said(HandSettled)}


def deal(table: Table, cards: int, *, unread: Iterable[int], read: Iterable[int]) -> None:
    """Deal packets and eject the rest. Of the first ones the shuffler counts the cards and reads none."""
    for position in unread:
        table.draw(cards)
        table.answer_orders()
        table.device(PacketDispensed(position, cards, None))
        table.deliver(position)
    for position in read:
        table.dispense(position)
        table.deliver(position)
    table.press()
    table.eject()


def unread_at_1_and_2() -> Table:
    """Three straight flushes at 500 to 1 would win 2,500 dollars each. The deal may pay 3,000, and paid 7,500."""
    first = (*ROYAL, *SECOND, *THIRD)
    deck = (*first, *(card for card in DECK if card not in first))
    limits = at_most(WagerName.POKER_HAND, 300_000)
    table = Table(settings(limits=limits, large_wins=LargeWins.TELL), deck).ready().staked(1, 2, 3)
    table.press()
    deal(table, 5, unread=(1, 2), read=(3,))
    return table


@pytest.mark.parametrize("held", [False, True])
def test_hands_that_could_not_be_read_are_entered_before_the_others_are_paid(*, held: bool) -> None:
    table = unread_at_1_and_2()
    for seat, cards in ((2, SECOND), (1, ROYAL)):
        assert (table.said(HandSettled), table.last(CardsAsked).seat) == ([], seat)
        if held:
            table.press(Button.VOID)
            assert table.rule(Ruling.CONTINUE).accepted
        assert table.enter(seat, cards).accepted
    while not table.said(RoundSettled):
        table.press(Button.NEXT)
    assert won(table) == {1: [100_000], 2: [100_000], 3: [100_000]}


def test_a_bonus_that_stays_after_a_fold_is_entered_before_the_others_are_paid() -> None:
    """A flush and a straight flush of the two cards and the three in common, at 15 and 40 to 1."""
    hearts, house = parse_cards("2h 3h 4h"), BigRaiseHouse(five_card_bonus=FiveCardBonus.BRH_04)
    limits = at_most(WagerName.FIVE_CARD_BONUS, 11_000)
    table = ready(table_with(parse_cards("5h 6h"), parse_cards("9h Kh"), DEALERS, hearts, options=house, limits=limits))
    for seat in (1, 2):
        assert table.bet(seat, WagerName.ANTE).accepted
        assert table.bet(seat, WagerName.FIVE_CARD_BONUS).accepted
    table.press()
    deal(table, 2, unread=(1,), read=(2, 3, 4))
    fold(table, 1)
    assert decide(table, 2, Decision.PLAY, 1000).accepted
    open_house(table)
    assert (table.said(HandSettled), table.last(CardsAsked).seat) == ([], SeatNumber(1))
    assert table.enter(1, parse_cards("5h 6h")).accepted
    while table.phase() is Phase.RECONCILING:
        table.press(Button.NEXT)
    pays = {seat: wagers[-1] for seat, wagers in won(table).items()}
    assert pays == {1: 8_000, 2: 3_000}
