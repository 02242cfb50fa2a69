"""The players' habit: bets follow from seed, round and seat, and are bets that a table takes."""

from __future__ import annotations

from collections import Counter

from daemon.bench.habit import SITS_OUT_ONE_IN, UNIT_CENTS, UNITS_MAX, bets
from daemon.rules.wagers import WagerName

ROUNDS = range(1, 401)
SEATS = 6


def test_the_same_seed_makes_the_same_bets_and_another_seed_others() -> None:
    played = [bets(7, number, SEATS) for number in ROUNDS]
    assert played == [bets(7, number, SEATS) for number in ROUNDS]
    assert played != [bets(8, number, SEATS) for number in ROUNDS]


def test_a_seat_bets_the_same_whoever_else_sits_there() -> None:
    for number in ROUNDS:
        of_three = [bet for bet in bets(7, number, 10) if bet.seat <= 3]
        assert of_three == list(bets(7, number, 3))


def test_seat_1_plays_every_round_and_the_others_now_and_then_sit_out() -> None:
    seats = Counter(seat for number in ROUNDS for seat in {bet.seat for bet in bets(7, number, SEATS)})
    assert seats[1] == len(ROUNDS)
    expected = len(ROUNDS) * (1 - 1 / SITS_OUT_ONE_IN)
    assert all(abs(seats[seat] - expected) < 0.1 * len(ROUNDS) for seat in range(2, SEATS + 1)), seats


def test_every_stake_is_some_units_on_a_spot_of_its_own_beside_the_poker_hand() -> None:
    for number in ROUNDS:
        placed = bets(7, number, SEATS)
        assert len({(bet.seat, bet.wager) for bet in placed}) == len(placed)
        assert all(bet.stake_cents in range(UNIT_CENTS, UNIT_CENTS * UNITS_MAX + 1, UNIT_CENTS) for bet in placed)
        on_poker_hand = {bet.seat for bet in placed if bet.wager is WagerName.POKER_HAND}
        assert on_poker_hand == {bet.seat for bet in placed}


def test_every_spot_of_the_layout_is_bet_on() -> None:
    assert {bet.wager for number in ROUNDS for bet in bets(7, number, SEATS)} == {
        WagerName.POKER_HAND,
        WagerName.RED_BLACK,
        WagerName.BIG_50,
        WagerName.RANGE,
    }
