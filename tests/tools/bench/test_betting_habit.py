"""The players' habits: bets follow from seed, round and seat, and are bets that a table takes."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from daemon.rules.audit.big_raise import choose
from daemon.rules.audit.showdowns import wins_of
from daemon.rules.big_raise import HOUSE
from daemon.rules.money import DOLLAR
from daemon.rules.wagers import GameName
from daemon.tools.bench.betting_habit import SITS_OUT_ONE_IN, UNIT_CENTS, UNITS_MAX, PlacedBet
from daemon.tools.bench.games import GAMES
from daemon.tools.bench.games.big_raise import FOLDS, times_played
from protocols.cards import Card

LONG = "FELTD_SOAK" in os.environ
ROUNDS = range(1, 401)
SEATS = 5

every_game = pytest.mark.parametrize("game", GAMES)


def bets(game: GameName, seed: int, number: int, seats: int = SEATS) -> tuple[PlacedBet, ...]:
    return GAMES[game].bets(seed, number, seats)


@every_game
def test_the_same_seed_makes_the_same_bets_and_another_seed_others(game: GameName) -> None:
    played = [bets(game, 7, number) for number in ROUNDS]
    assert played == [bets(game, 7, number) for number in ROUNDS]
    assert played != [bets(game, 8, number) for number in ROUNDS]


@every_game
def test_a_seat_bets_the_same_whoever_else_sits_there(game: GameName) -> None:
    for number in ROUNDS:
        of_three = [bet for bet in bets(game, 7, number) if bet.seat <= 3]
        assert of_three == list(bets(game, 7, number, 3))


@every_game
def test_seat_1_plays_every_round_and_the_others_now_and_then_sit_out(game: GameName) -> None:
    seats = Counter(seat for number in ROUNDS for seat in {bet.seat for bet in bets(game, 7, number)})
    assert seats[1] == len(ROUNDS)
    expected = len(ROUNDS) * (1 - 1 / SITS_OUT_ONE_IN)
    assert all(abs(seats[seat] - expected) < 0.1 * len(ROUNDS) for seat in range(2, SEATS + 1)), seats


@every_game
def test_every_stake_is_some_units_on_a_spot_of_its_own(game: GameName) -> None:
    for number in ROUNDS:
        placed = bets(game, 7, number)
        assert len({(bet.seat, bet.wager) for bet in placed}) == len(placed)
        assert all(bet.stake_cents in range(UNIT_CENTS, UNIT_CENTS * UNITS_MAX + 1, UNIT_CENTS) for bet in placed)


# Hand, up card, and how often the Ante is played; 0 is a fold.
BIG_RAISE = [
    ("2c 2d", "Ah", 4),
    ("Kc 2d", "Qh", 3),
    ("Jc Td", "9h", 3),
    ("Tc 3d", "9h", 2),
    ("Qc 7d", "Qh", FOLDS),
    ("7c 3d", "6h", FOLDS),
]


@pytest.mark.soak
@pytest.mark.parametrize(("hand", "up", "times"), BIG_RAISE if LONG else BIG_RAISE[1:6:3])
def test_a_big_raise_player_does_what_the_auditor_finds_best(hand: str, up: str, times: int) -> None:
    first, second = (Card.parse(word) for word in hand.split())
    dealer = Card.parse(up)
    assert times_played((first, second), dealer) == times == times_played((second, first), dealer)
    assert choose(wins_of(((first, second), dealer)), HOUSE, DOLLAR).times == times
