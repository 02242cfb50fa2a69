"""Hands a second, beside treys and phevaluator in the same run: ratios hold from machine to machine, speeds do not.

Each program gets the same hands in its own form, made before the clock starts, through the function that its
documentation tells people to call.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from random import Random
from time import perf_counter

from treys import Card as TreysCard
from treys import Evaluator as TreysEvaluator

from daemon.rules.deuces import wild_hand
from daemon.rules.evaluator import HANDS, strength
from protocols.cards import DECK, Card
from tests.bench.conftest import Figures

SEED = 7
SAMPLE = 200_000
ROUNDS = 5
EVERY_HAND_S_MAX = 2.0


def _hands() -> list[list[Card]]:
    random = Random(SEED)
    return [random.sample(DECK, 5) for _ in range(SAMPLE)]


def _say(lines: Iterable[str]) -> None:
    sys.stdout.writelines(f"{line}\n" for line in ("", *lines))


def _rates(runs: dict[str, Callable[[], None]]) -> dict[str, float]:
    """Hands a second, the best of some rounds; the programs take turns, so that all see the same machine."""
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(ROUNDS):
        for name, run in runs.items():
            started = perf_counter()
            run()
            best[name] = min(best[name], perf_counter() - started)
    return {name: SAMPLE / seconds for name, seconds in best.items()}


def _ours(function: Callable[[Sequence[Card]], object], hands: list[list[Card]]) -> Callable[[], None]:
    def run() -> None:
        for hand in hands:
            function(hand)

    return run


def _treys(hands: list[list[Card]]) -> Callable[[], None]:
    evaluate = TreysEvaluator().evaluate
    theirs = [[TreysCard.new(str(card)) for card in hand] for hand in hands]
    board: list[int] = []

    def run() -> None:
        for hand in theirs:
            evaluate(board, hand)

    return run


def _phevaluator(hands: list[list[Card]]) -> Callable[[], None]:
    from phevaluator import Card as PheCard
    from phevaluator import evaluate_cards

    theirs = [[PheCard(str(card)).id_ for card in hand] for hand in hands]

    def run() -> None:
        for a, b, c, d, e in theirs:
            evaluate_cards(a, b, c, d, e)

    return run


def test_five_card_speed_is_ahead_of_treys_and_phevaluator(figures: Figures) -> None:
    hands = _hands()
    others = {"treys": _treys(hands)}
    if platform.machine() == "x86_64":
        others["phevaluator"] = _phevaluator(hands)
    rates = _rates({"feltd": _ours(strength, hands), "feltd, deuces wild": _ours(wild_hand, hands), **others})
    for name, rate in rates.items():
        figures.keep(f"five cards, {name}, beside treys", rate / 1e6, "M hands/s", rates["treys"] / 1e6)
    assert all(rates["feltd"] > rates[name] for name in others)


def test_every_hand_there_is_in_well_under_two_seconds() -> None:
    started = perf_counter()
    counted = sum(strength(hand) >= 0 for hand in combinations(DECK, 5))
    seconds = perf_counter() - started
    _say([f"{counted:,} hands in {seconds:.2f} s"])
    assert counted == HANDS
    assert seconds < EVERY_HAND_S_MAX
