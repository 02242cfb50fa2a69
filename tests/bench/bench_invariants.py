"""What it costs to assert the invariants in every step, as a ratio within one run: rounds of every game, replayed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter

import pytest

from daemon.rules.wagers import GameName
from daemon.table import invariants
from daemon.table.games import PROCEDURES
from daemon.table.inputs import Configured, Input
from daemon.table.reducer import apply, blank
from daemon.table.round_facts import RoundSettled
from daemon.table.vocabulary import Decision
from drivers.events import Button
from tests.bench.conftest import Figures
from tests.table.big_draw_playing import NOTHING, TWO_PAIR, BigDrawTable
from tests.table.blackjack_playing import Blackjack
from tests.table.playing import Table
from tests.table.test_big_raise import PAIR, dealt, decide, table_with

REPLAYS = 200
SHARE_MAX = 0.1  # of a step: issue 9


def _big_50() -> Table:
    table = Table().reconciling(1, 2, 3, 4, 5, 6)
    for _ in range(6):
        table.press(Button.NEXT)
    return table


def _big_raise() -> Table:
    table = dealt(table_with(PAIR), 1, 2, 3, 4, 5, 6)
    for seat in range(1, 7):
        decide(table, seat, Decision.PLAY, 1000)
    while not table.said(RoundSettled):  # the dealer's cards, those in common, then seat by seat
        before = table.state
        table.press(Button.NEXT)
        assert table.state is not before
    return table


def _big_draw() -> Table:
    table = BigDrawTable(TWO_PAIR, NOTHING).hands_out(1, 2, 3, 4).drawing((1, 0), (2, 5), (3, 0), (4, 5))
    table.through_first_5()
    return table.collect().next_all()


def _blackjack() -> Table:
    table = Blackjack().deal("Th 9h 8h 7h Tc 9c 8c 7c", 1, 2, 3)
    for seat in (1, 2, 3):
        table.says(seat, Decision.STAND)
    table.cards("2c 3c")
    return table.finish()


ROUNDS: dict[GameName, Callable[[], Table]] = {
    GameName.BIG_50: _big_50,
    GameName.BIG_RAISE: _big_raise,
    GameName.BIG_DRAW: _big_draw,
    GameName.BLACKJACK: _blackjack,
}


def _replay_s(inputs: Sequence[Input]) -> float:
    """Seconds for the whole round, step by step."""
    first = inputs[0]
    assert isinstance(first, Configured)
    state, begun = blank(first), perf_counter()
    for happened in inputs:
        state = apply(state, happened).state
    return perf_counter() - begun


def test_every_game_is_measured() -> None:
    assert ROUNDS.keys() == set(PROCEDURES)


@pytest.mark.parametrize("game", ROUNDS)
def test_the_invariants_cost_at_most_a_tenth_of_a_step(
    game: GameName, monkeypatch: pytest.MonkeyPatch, figures: Figures
) -> None:
    table = ROUNDS[game]()
    assert table.said(RoundSettled)
    inputs = table.inputs
    asserted, without = [], []
    for _ in range(REPLAYS):  # in turn, so that both meet the same machine
        asserted.append(_replay_s(inputs))
        with monkeypatch.context() as patched:
            patched.setattr(invariants, "check", lambda before, step: None)
            without.append(_replay_s(inputs))
    share, step_us = 1 - min(without) / min(asserted), min(asserted) / len(inputs) * 1e6
    figures.keep(f"a step of {game.value}", step_us, "us")
    figures.hold(f"invariants' share of a step of {game.value}", share * 100, "%", bar=SHARE_MAX * 100)
