"""Big Raise under limits: an Ante that cannot be followed is refused, and what is offered is what is taken."""

from __future__ import annotations

import pytest

from daemon.rules.big_raise import BigRaiseHouse
from daemon.rules.limits import Day, Limits, LimitSchedule, StakeRange
from daemon.rules.money import Cents
from daemon.rules.wagers import WagerName
from daemon.table.may import offers
from daemon.table.offers import Bounds
from daemon.table.vocabulary import Decision
from tests.support.sentences import Says
from tests.table.playing import Table
from tests.table.test_big_raise import COMMON, DEALERS, NO_PAIR, PAIR, decide, ready, table_with

OFFERED: dict[str, tuple[int, BigRaiseHouse, Limits]] = {
    "all that the rules allow": (5_000, BigRaiseHouse(), Limits(authorised_most=Cents(20_000))),
    "less with a pair": (5_000, BigRaiseHouse(), Limits(authorised_most=Cents(17_500))),
    "no more with a pair": (5_000, BigRaiseHouse(), Limits(authorised_most=Cents(12_500))),
    "two antes only": (20_000, BigRaiseHouse(), Limits(authorised_most=Cents(40_000))),
    "a step": (750, BigRaiseHouse(), Limits(stakes={WagerName.PLAY: StakeRange(step=Cents(500))})),
    "whole antes": (500, BigRaiseHouse(play_in_whole_antes=True), Limits()),
    "the last large wager is the Ante": (300, BigRaiseHouse(), Limits(large_wagers_max=1)),
}


def asked(ante: int, house: BigRaiseHouse, limits: Limits) -> Table:
    """Seat 1 has a pair and seat 2 has none; seat 1 is asked first."""
    schedule = LimitSchedule(((Day(0), limits),))
    table = ready(table_with(PAIR, NO_PAIR, DEALERS, COMMON, options=house, limits=schedule))
    for seat in (1, 2):
        assert table.bet(seat, WagerName.ANTE, ante).accepted, table.answer
    table.press()
    for position in range(1, 5):
        table.dispense(position)
        table.deliver(position)
    table.press()
    table.eject()
    return table


@pytest.mark.parametrize(("ante", "house", "limits"), OFFERED.values(), ids=OFFERED)
def test_the_prompt_offers_what_the_limits_take(ante: int, house: BigRaiseHouse, limits: Limits, says: Says) -> None:
    table = asked(ante, house, limits)
    says(table.state.prompt)
    amounts = [int(word.strip("(),.").replace(".", "")) for word in table.state.prompt.split() if "." in word[:-2]]
    most = max(amount for amount in amounts if amount >= 2 * ante)
    assert not decide(table, 1, Decision.PLAY, most + 500).accepted
    assert decide(table, 1, Decision.PLAY, most).accepted, table.answer
    assert decide(table, 2, Decision.PLAY, 2 * ante).accepted, table.answer


def test_an_ante_that_cannot_be_followed_is_refused_when_it_is_bet(says: Says) -> None:
    limits = LimitSchedule(((Day(0), Limits(authorised_most=Cents(40_000), wagers_max=2)),))
    table = ready(table_with(PAIR, DEALERS, COMMON, limits=limits))
    refused = table.bet(1, WagerName.ANTE, 30_000)
    assert refused.code == "cannot-be-followed"
    says(refused.message)
    assert table.bet(1, WagerName.ANTE, 20_000).accepted
    refused = table.bet(1, WagerName.TWO_CARD_BONUS, 100)
    assert refused.code == "cannot-be-followed"
    says(refused.message)


def test_antes_are_offered_in_the_step_that_play_leaves_them() -> None:
    """Every second cent was refused, so that a single stake out of the middle was offered."""
    play = StakeRange(Cents(100), Cents(1_000), Cents(100))
    limits = LimitSchedule(((Day(0), Limits({WagerName.PLAY: play}, authorised_most=Cents(1_000))),))
    table = ready(table_with(PAIR, DEALERS, COMMON, limits=limits))
    antes = [each.amount for each in offers(table.state) if each.choices == (WagerName.ANTE.value,)]
    assert antes == [Bounds(50, 500, 50)]
