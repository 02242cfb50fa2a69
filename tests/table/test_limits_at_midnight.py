"""When the limits of a new day begin to hold."""

from __future__ import annotations

from typing import Final

import pytest

from daemon.rules.limits import Day, Limits, LimitSchedule, StakeRange
from daemon.rules.money import Cents
from daemon.rules.wagers import WagerName
from daemon.table.inputs import ClearBets, DayBegan
from daemon.table.state import Phase
from daemon.table.vocabulary import SeatNumber
from tests.support.sentences import Says
from tests.table.playing import TODAY, Table, settings

TOMORROW: Final = Day(TODAY + 1)
DEAR, CHEAP = (Limits(stakes={WagerName.POKER_HAND: StakeRange(Cents(1), Cents(most))}) for most in (900, 100))


def test_a_round_in_which_a_stake_lies_keeps_its_limits_over_midnight() -> None:
    """All of its stakes are bet by one rule. The next round has the new ones."""
    table = Table(settings(limits=LimitSchedule(((TODAY, CHEAP), (TOMORROW, DEAR))))).ready()
    assert table.bet(2, stake=100).accepted
    assert table.bet(1, stake=500).code == "above-most"
    table.take(DayBegan(table.state.at, TOMORROW))
    assert table.bet(1, stake=500).code == "above-most"
    table.void()
    table.put_back()
    assert table.bet(1, stake=500).accepted


@pytest.mark.parametrize("before", ["nothing", "a bet that was taken back"])
def test_a_round_without_a_stake_has_the_limits_of_the_new_day_from_midnight_on(before: str) -> None:
    """A table that waited for players overnight took yesterday's most, which nobody may take any longer."""
    table = Table(settings(limits=LimitSchedule(((TODAY, DEAR), (TOMORROW, CHEAP))))).ready()
    if before != "nothing":
        assert table.bet(1, stake=500).accepted
        table.ask(ClearBets(SeatNumber(1)))
    table.take(DayBegan(table.state.at, TOMORROW))
    assert table.bet(1, stake=500).code == "above-most"
    assert table.bet(1, stake=100).accepted


def test_a_round_goes_on_with_its_limits_into_a_day_that_has_none() -> None:
    table = Table(settings(limits=LimitSchedule(((TODAY, DEAR),)))).ready()
    table.take(DayBegan(table.state.at, Day(TODAY - 1)))
    assert table.bet(1, stake=500).accepted


def test_no_round_opens_on_a_day_without_limits(says: Says) -> None:
    table = Table(settings(limits=LimitSchedule(((Day(TODAY + 1), Limits()),))))
    table.link_up()
    assert table.phase() is Phase.IDLE
    says(table.state.prompt)
