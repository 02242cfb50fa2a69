"""Limits: what may be staked, how many wagers, what one deal may pay (games/README.md, Limits)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.rules import big_50
from daemon.rules.limits import (
    AggregateLimit,
    Day,
    Limits,
    LimitSchedule,
    StakeRange,
    aggregate_problem,
    check_stake,
    share,
    within_aggregate,
)
from daemon.rules.money import Cents, MoneyRule
from daemon.rules.paytable_text import read_paytable
from daemon.rules.results import Outcome, RefusalCode, WagerResult
from daemon.rules.scales import POKER
from daemon.rules.settlement import decided_by, settle_wager
from daemon.rules.wagers import Wager, WagerName
from tests.support.sentences import Says

TABLE = Limits(
    stakes={WagerName.POKER_HAND: StakeRange(Cents(100), Cents(2500), Cents(50))}, authorised_most=Cents(2000)
)
PRIZES = read_paytable("prizes", "s", POKER, {"royal flush": "prize 5000.00", "flush": "60", "straight": "push"})


def _refusal(
    stake: int, limits: Limits = TABLE, placed: tuple[Wager, ...] = (), chip: int = 1, prizes: bool = False
) -> RefusalCode | None:
    paytable = PRIZES if prizes else big_50.POKER_HAND
    wager = Wager(WagerName.POKER_HAND, Cents(stake))
    refused = check_stake(wager, placed, (paytable,), MoneyRule(Cents(chip)), limits)
    return refused.code if refused else None


@pytest.mark.parametrize(
    ("stake", "code"),
    [
        (-1, RefusalCode.STAKE_NOT_POSITIVE),
        (0, RefusalCode.STAKE_NOT_POSITIVE),
        (99, RefusalCode.BELOW_LEAST),
        (100, None),
        (2000, None),
        (2050, RefusalCode.ABOVE_AUTHORISED),
        (2550, RefusalCode.ABOVE_MOST),
        (125, RefusalCode.OFF_STEP),
        (150, None),
    ],
)
def test_a_stake_keeps_least_most_step_and_the_authorised_limit(stake: int, code: RefusalCode | None) -> None:
    assert _refusal(stake) is code


def test_without_limits_any_positive_stake_of_whole_chips_goes() -> None:
    assert _refusal(1, Limits()) is None
    assert _refusal(10**9, Limits()) is None
    assert _refusal(150, Limits(), chip=100) is RefusalCode.NOT_WHOLE_CHIPS
    assert _refusal(200, Limits(), chip=100) is None


def test_fixed_prizes_need_a_stake_of_a_dollar() -> None:
    assert _refusal(99, Limits(), prizes=True) is RefusalCode.BELOW_LEAST
    assert _refusal(100, Limits(), prizes=True) is None


def _bets(*stakes: int) -> tuple[Wager, ...]:
    names = [name for name in WagerName if name is not WagerName.POKER_HAND]
    return tuple(Wager(name, Cents(stake)) for name, stake in zip(names, stakes, strict=False))


def test_at_most_six_wagers_with_one_hand() -> None:
    assert _refusal(100, placed=_bets(1, 1, 1, 1, 1)) is None
    assert _refusal(100, placed=_bets(1, 1, 1, 1, 1, 1)) is RefusalCode.TOO_MANY_WAGERS


def test_at_most_three_of_them_over_five_dollars_where_the_switch_is_on() -> None:
    switched_on = Limits(large_wagers_max=3)
    assert _refusal(501, switched_on, _bets(501, 501, 500)) is None
    assert _refusal(501, switched_on, _bets(501, 501, 501)) is RefusalCode.TOO_MANY_LARGE_WAGERS
    assert _refusal(500, switched_on, _bets(501, 501, 501)) is None
    assert _refusal(501, Limits(), _bets(501, 501, 501)) is None
    assert _refusal(500, Limits(large_wagers_max=2), _bets(501, 501, 501)) is None


def test_a_hand_has_each_wager_once() -> None:
    assert _refusal(100, placed=(Wager(WagerName.POKER_HAND, Cents(100)),)) is RefusalCode.ALREADY_PLACED


def test_limits_are_those_of_the_day() -> None:
    old, new = Limits(authorised_most=Cents(30_000)), Limits(authorised_most=Cents(40_000))
    schedule = LimitSchedule(((Day(100), old), (Day(200), new)))
    assert [schedule.on(Day(day)) for day in (99, 100, 199, 200, 9999)] == [None, old, old, new, new]


@pytest.mark.parametrize("days", [(), (2, 1), (1, 1)])
def test_a_schedule_has_each_first_day_once_in_order(days: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="earliest first"):
        LimitSchedule(tuple((Day(day), Limits()) for day in days))


def test_a_range_may_be_one_stake_only() -> None:
    only = Limits(stakes={WagerName.POKER_HAND: StakeRange(Cents(500), Cents(500), Cents(500))})
    assert [_refusal(stake, only) for stake in (499, 500, 501)] == [
        RefusalCode.BELOW_LEAST,
        None,
        RefusalCode.ABOVE_MOST,
    ]


@pytest.mark.parametrize(("least", "most", "step"), [(0, None, 1), (1, None, 0), (200, 100, 1)])
def test_a_range_that_no_stake_can_keep_is_refused(least: int, most: int | None, step: int) -> None:
    with pytest.raises(ValueError, match="no stake"):
        StakeRange(Cents(least), None if most is None else Cents(most), Cents(step))


def _poker(stake: int, cards_are: str) -> WagerResult:
    hand = next(hand for hand in POKER.cases if hand.value == cards_are)
    return settle_wager(Wager(WagerName.POKER_HAND, Cents(stake)), PRIZES, hand, (), MoneyRule())


SPOTS = big_50.GAME.spots


def test_the_legal_floor_of_an_aggregate_limit(says: Says) -> None:
    limits = Limits(stakes={WagerName.POKER_HAND: StakeRange(most=Cents(2500))}, authorised_most=Cents(2000))

    def problem(most: int, rows: dict[str, str]) -> str | None:
        paytable = read_paytable("h", "s", POKER, rows)
        return aggregate_problem(AggregateLimit(WagerName.POKER_HAND, Cents(most)), paytable, limits, SPOTS)

    says(problem(10**9, {"flush": "49 to 1"}) or "")
    assert problem(2000 * 50, {"flush": "50 to 1"}) is None
    assert "1000.00" in (problem(2000 * 50 - 1, {"flush": "50 to 1"}) or "")
    assert problem(2000 * 50, {"flush": "1000 to 1"}) is None
    limit = AggregateLimit(WagerName.POKER_HAND, Cents(10**9))
    assert "needs a most" in (aggregate_problem(limit, PRIZES, Limits(), SPOTS) or "")


def test_the_floor_is_reckoned_with_the_highest_wager_of_the_game() -> None:
    """games/README.md, limits: not with that of the wager alone, here 5 dollars beside 20 for the other three."""
    lower = Limits(stakes={WagerName.POKER_HAND: StakeRange(most=Cents(500))}, authorised_most=Cents(2000))
    for most, is_lawful in ((500 * 50, False), (2000 * 50 - 1, False), (2000 * 50, True)):
        limit = AggregateLimit(WagerName.POKER_HAND, Cents(most))
        assert (aggregate_problem(limit, big_50.POKER_HAND, lower, SPOTS) is None) is is_lawful


def test_a_row_that_pays_less_than_50_to_1_is_paid_in_full_and_not_counted() -> None:
    """games/README.md, limits. A house may have all rows share."""
    paytable = read_paytable("h", "s", POKER, {"flush": "50 to 1", "straight": "49 to 1"})

    def won(name: str) -> WagerResult:
        hand = next(hand for hand in POKER.cases if hand.value == name)
        return settle_wager(Wager(WagerName.POKER_HAND, Cents(100)), paytable, hand, (), MoneyRule())

    dealt = [won("flush"), won("straight"), won("flush")]
    limit = AggregateLimit(WagerName.POKER_HAND, Cents(6000))
    assert [result.pays for result in within_aggregate(limit, dealt, paytable)] == [3000, 4900, 3000]
    shared = within_aggregate(replace(limit, shares_all=True), dealt, paytable)
    assert [result.pays for result in shared] == [2014, 1973, 2013]


@pytest.mark.parametrize(
    ("most", "prizes", "chip", "shares"),
    [
        (100, (60, 40), 1, (60, 40)),
        (100, (60, 60), 1, (50, 50)),
        (101, (60, 60), 1, (51, 50)),
        (100, (50, 50, 50), 1, (34, 33, 33)),
        (100, (10, 100, 90), 1, (5, 50, 45)),
        (1, (1, 2), 1, (0, 1)),
        (2, (3, 1, 3), 1, (1, 0, 1)),
        (10, (1, 1, 10), 1, (1, 1, 8)),
        (1000, (5000, 5000, 5000), 500, (500, 500, 0)),
        (1100, (5000, 5000), 500, (500, 500)),
    ],
)
def test_sharing_by_largest_remainder_ties_to_the_seat_dealt_first(
    most: int, prizes: tuple[int, ...], chip: int, shares: tuple[int, ...]
) -> None:
    assert share(Cents(most), [Cents(prize) for prize in prizes], Cents(chip)) == shares


@given(st.integers(0, 10**6), st.lists(st.integers(1, 10**6), min_size=1, max_size=10))
def test_shares_sum_to_the_limit_and_nobody_is_more_than_a_cent_from_his_portion(most: int, prizes: list[int]) -> None:
    shares = share(Cents(most), [Cents(prize) for prize in prizes])
    total = sum(prizes)
    assert sum(shares) == min(most, total)
    for part, prize in zip(shares, prizes, strict=True):
        assert part <= prize
        portion = Fraction(min(most, total) * prize, total)
        assert abs(part - portion) < 1


def test_an_aggregate_limit_cuts_wins_at_odds_and_leaves_fixed_prizes_losses_and_pushes() -> None:
    dealt = [_poker(100, what) for what in ("flush", "royal flush", "high card", "flush", "straight")]
    cut = within_aggregate(AggregateLimit(WagerName.POKER_HAND, Cents(9_001)), dealt, PRIZES)
    assert [result.pays for result in cut] == [4_501, 500_000, -100, 4_500, 0]
    assert [result.aggregate_cut for result in cut] == [1_499, 0, 0, 1_500, 0]
    assert all(result.returned == result.stake + result.pays for result in cut)
    assert cut[0].outcome is Outcome.WIN
    assert cut[0].decided_by == decided_by(PRIZES, POKER.cases[4])


def test_an_aggregate_limit_is_shared_in_whole_chips() -> None:
    dealt = [_poker(100, "flush"), _poker(100, "flush")]
    cut = within_aggregate(AggregateLimit(WagerName.POKER_HAND, Cents(9_000)), dealt, PRIZES, Cents(1000))
    assert [result.pays for result in cut] == [5_000, 4_000]


def _range(stake: int, total: int) -> WagerResult:
    return settle_wager(Wager(WagerName.RANGE, Cents(stake)), big_50.RANGE, total, (), MoneyRule())


def test_a_row_that_loses_is_outside_an_aggregate_limit_and_a_win_of_a_cent_is_in_it() -> None:
    limit = AggregateLimit(WagerName.RANGE, Cents(1), shares_all=True)
    cut = within_aggregate(limit, [_range(100, 35), _range(100, 25), _range(1, 40)], big_50.RANGE)
    assert [result.pays for result in cut] == [-100, -50, 1]
    lost = replace(_range(100, 50), pays=Cents(1))
    assert [result.pays for result in within_aggregate(limit, [lost, lost], big_50.RANGE)] == [1, 0]
