"""Announcing First 5: one option of the house, the same result whatever the hardware (big-draw.md, step 3)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from daemon.rules.results import Outcome
from daemon.rules.wagers import WagerName
from daemon.table.big_draw.facts import FirstFiveClaimed, FirstFiveSettled
from daemon.table.big_draw.inputs import Claim
from daemon.table.big_draw.options import BigDrawAtTable, Unannounced
from daemon.table.settings import SourceSettings
from daemon.table.state import Phase
from daemon.table.vocabulary import Actor, Evidence, SeatNumber
from drivers.events import Button
from protocols.cards import Card
from tests.support.sentences import Says
from tests.table.big_draw_playing import BOTH, JACKS, NOTHING, TWO_PAIR, BigDrawTable
from tests.table.playing import SEES_ALL
from tests.table.test_view import cards_in

COUNTS = replace(SEES_ALL, reads_faces=False)
LOST = BigDrawAtTable(unannounced_first_5=Unannounced.LOST)
PAID = BigDrawAtTable()
ALONE_WAITS = BigDrawAtTable(unannounced_first_5=Unannounced.LOST, first_5_alone_waits=True)
HANDS: dict[int, tuple[Card, ...]] = {1: TWO_PAIR, 2: NOTHING, 3: JACKS}
by_every_machine = pytest.mark.parametrize("source", [SEES_ALL, COUNTS], ids=["read", "counted"])


def dealt(source: SourceSettings, house: BigDrawAtTable) -> BigDrawTable:
    """Winning hands at seats 1 and 3, a losing one at 2; nobody has said how many cards they draw."""
    return BigDrawTable(*HANDS.values(), source=source, options=house).hands_out(1, 2, 3)


def settled(table: BigDrawTable) -> BigDrawTable:
    """Nobody draws; the dealer enters every hand that the table takes, and goes on."""
    table.drawing((1, 0), (2, 0), (3, 0))
    if table.state.phase is Phase.FIRST_FIVE:
        for seat, hand in HANDS.items():
            if seat != 2 or FirstFiveClaimed(SeatNumber(2), "kim", Actor.PLAYER) in table.facts:
                table.enter(seat, hand)
    return table.through_first_5()


def results(table: BigDrawTable) -> dict[int, tuple[Outcome, int]]:
    return {fact.seat: (fact.wager.outcome, fact.wager.pays_cents) for fact in table.said(FirstFiveSettled)}


@by_every_machine
def test_a_winner_who_is_silent_is_paid_by_default(source: SourceSettings) -> None:
    table = settled(dealt(source, PAID))
    assert results(table) == {1: (Outcome.WIN, 2000), 2: (Outcome.LOSE, -500), 3: (Outcome.WIN, 500)}


@by_every_machine
def test_where_the_house_has_it_so_a_winner_who_is_silent_loses(source: SourceSettings) -> None:
    table = dealt(source, LOST)
    assert table.claim(1).accepted
    settled(table)
    assert results(table) == {1: (Outcome.WIN, 2000), 2: (Outcome.LOSE, -500), 3: (Outcome.LOSE, -500)}
    silent = [fact for fact in table.said(FirstFiveSettled) if fact.seat != 1]
    assert {(fact.evidence, fact.cards, fact.wager.row) for fact in silent} == {(Evidence.NOT_SHOWN, (), None)}
    assert cards_in(tuple(table.said(FirstFiveSettled))) == set(TWO_PAIR)


@by_every_machine
def test_a_hand_that_was_announced_and_does_not_win_loses_and_the_dealer_is_told(
    source: SourceSettings, says: Says
) -> None:
    table = dealt(source, PAID)
    assert table.claim(2).accepted
    assert table.claim(1).accepted
    table.drawing((1, 0), (2, 0), (3, 0))
    if source is COUNTS:
        says(table.state.prompt)
        assert table.command_press(Button.NEXT).code == "cards-missing"
        for seat, hand in HANDS.items():
            assert table.enter(seat, hand).accepted, table.answer
        says(table.state.prompt)
        table.press(Button.NEXT)
    says(table.state.prompt)
    table.press(Button.NEXT)
    says(table.state.prompt)
    assert results(table)[2] == (Outcome.LOSE, -500)


@by_every_machine
def test_the_dealer_asks_before_a_silent_hand_loses(source: SourceSettings, says: Says) -> None:
    table = dealt(source, LOST).drawing((1, 0), (2, 0), (3, 0))
    assert (table.state.phase, table.said(FirstFiveSettled)) == (Phase.FIRST_FIVE, [])
    says(table.state.prompt)
    assert table.claim(3).accepted
    says(table.state.prompt)
    if source is COUNTS:
        refused = table.enter(1, TWO_PAIR)
        assert refused.code == "not-announced"
        says(refused.message)
        assert table.enter(3, JACKS).accepted
        says(table.state.prompt)
    table.press(Button.NEXT)
    assert table.claim(1).code == "too-late"


def test_only_a_first_5_bet_is_announced_once_and_by_its_player_or_the_dealer() -> None:
    table = BigDrawTable(TWO_PAIR, NOTHING, source=SEES_ALL, options=LOST).opened()
    table.bets(1).bets(2, wagers=(WagerName.BIG_DRAW,))
    assert table.claim(1).code == "not-while-betting"
    table.press()
    table.choose(1)
    table.give_all()
    assert table.claim(2).code == "nothing-there"
    assert table.ask(Claim(SeatNumber(1)), Actor.DEALER).accepted
    assert table.claim(1).code == "already-announced"


def test_a_hand_that_nobody_may_look_at_needs_no_word() -> None:
    table = BigDrawTable(TWO_PAIR, NOTHING, options=ALONE_WAITS).opened()
    table.bets(1, wagers=(WagerName.FIRST_5,)).bets(2, wagers=BOTH).press()
    assert table.state.round is not None
    table.choose(table.state.round.players[0])
    table.give_all()
    assert table.claim(1).code == "not-offered"
