"""What the audit counts with, against brute force: orbits of suits, completions of cards, values of holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from math import comb, perm
from random import Random
from typing import Any, TypeAlias

import pytest

from daemon.rules.audit.completions import Completions, poker_completions, wild_completions
from daemon.rules.audit.draw import DrawGame, split
from daemon.rules.audit.orbits import orbits, renamings
from daemon.rules.big_draw_pays import DEUCES_BIG_DRAW, DRAW_BIG_DRAW
from daemon.rules.deuces import wild_hand
from daemon.rules.evaluator import HANDS, poker_hand
from daemon.rules.money import Cents
from daemon.rules.paytable import Paytable, net_exact
from protocols.cards import DECK, Card, parse_cards

SEED = 20261119


@pytest.mark.parametrize(
    ("sizes", "number", "deals"),
    [
        ((1,), 13, 52),
        ((2,), 169, comb(52, 2)),
        ((3,), 1755, comb(52, 3)),
        ((5,), 134_459, HANDS),
        ((2, 1), 5083, comb(52, 2) * 50),
        ((1, 1), 13 * 12 + 13 * 12 + 13, perm(52, 2)),
    ],
)
def test_orbits_stand_for_every_deal(sizes: tuple[int, ...], number: int, deals: int) -> None:
    counted = [ways for _, ways in orbits(sizes)]
    assert (len(counted), sum(counted)) == (number, deals)


def test_every_deal_is_a_renaming_of_one_orbit_and_of_one_only() -> None:
    seen: Counter[tuple[frozenset[Card], frozenset[Card]]] = Counter()
    for dealt, ways in orbits((2, 1)):
        alike = {(frozenset(two), frozenset(one)) for two, one in renamings(dealt)}
        assert len(alike) == ways
        seen.update(alike)
    assert len(seen) == comb(52, 2) * 50
    assert set(seen.values()) == {1}


Game: TypeAlias = tuple[Completions[Any], Callable[[Sequence[Card]], object]]
GAMES: list[Game] = [(poker_completions(), poker_hand), (wild_completions(), wild_hand)]


@pytest.mark.parametrize("game", GAMES, ids=["poker", "wild"])
def test_completions_of_nothing_are_every_hand_there_is(game: Game) -> None:
    completions, evaluate = game
    counted = Counter(map(evaluate, combinations(DECK, 5)))
    assert completions.containing(()) == counted


@pytest.mark.parametrize("game", GAMES, ids=["poker", "wild"])
@pytest.mark.parametrize("cards", ["2c", "2c 2d", "2c Ac", "Ac Kc", "Ac Kd", "2c 2d 2h", "2c 5d 6d", "Tc Jc Qc"])
def test_completions_are_what_counting_every_hand_gives(game: Game, cards: str) -> None:
    completions, evaluate = game
    held = parse_cards(cards)
    rest = [card for card in DECK if card not in held]
    counted = Counter(evaluate((*held, *others)) for others in combinations(rest, 5 - len(held)))
    assert {kind: count for kind, count in completions.containing(held).items() if count} == counted


@pytest.mark.parametrize("game", GAMES, ids=["poker", "wild"])
@pytest.mark.parametrize("throws", [0, 1, 2, 3])
def test_draws_are_what_counting_every_draw_gives(game: Game, throws: int) -> None:
    completions, evaluate = game
    random = Random(SEED + throws)
    for _ in range(8 if throws < 3 else 3):
        hand = random.sample(DECK, 5)
        keeps, thrown = hand[throws:], hand[:throws]
        rest = [card for card in DECK if card not in hand]
        counted = Counter(evaluate((*keeps, *drawn)) for drawn in combinations(rest, throws))
        assert {kind: count for kind, count in completions.drawing(keeps, thrown).items() if count} == counted


@pytest.mark.parametrize(
    ("hand", "keeps", "game"),
    [
        ("Ac Kc Qc Jc 9c", "Ac Kc Qc Jc 9c", "draw"),  # at 200 to 1 four to a royal is worth less than the flush
        ("Kc Qc Jc Tc 2h", "Kc Qc Jc Tc", "draw"),
        ("Ac Kc Qc Jc Tc", "Ac Kc Qc Jc Tc", "draw"),
        ("9c 8d 7h 6s 2c", "9c 8d 7h 6s", "draw"),
        ("Jc Jd 7h 6s 2c", "Jc Jd", "draw"),
        ("2c 2d 2h 2s 7c", "2c 2d 2h 2s 7c", "deuces"),
        ("2c 2d 7h 9s Kc", "2c 2d", "deuces"),
        ("3c 5d 8h Ts Kc", "", "deuces"),
    ],
)
def test_the_best_hold(hand: str, keeps: str, game: str) -> None:
    best = _game(game).holds(parse_cards(hand))[0]
    assert best.keeps == parse_cards(keeps)


def _game(name: str) -> DrawGame[Any]:
    if name == "draw":
        return DrawGame(poker_completions(), DRAW_BIG_DRAW, Cents(100))
    return DrawGame(wild_completions(), DEUCES_BIG_DRAW, Cents(100))


@pytest.mark.parametrize(("name", "evaluate"), [("draw", poker_hand), ("deuces", wild_hand)])
def test_a_hold_is_worth_the_mean_of_the_paytable_over_every_draw(
    name: str, evaluate: Callable[[Sequence[Card]], object]
) -> None:
    game, random = _game(name), Random(SEED)
    paytable: Paytable[Any] = DRAW_BIG_DRAW if name == "draw" else DEUCES_BIG_DRAW
    hand = random.sample(DECK, 5)
    rest = [card for card in DECK if card not in hand]
    for hold in game.holds(hand):
        if len(hold.throws) > 3:
            continue
        nets = [
            net_exact(paytable.award_for(evaluate((*hold.keeps, *drawn))), Cents(100))
            for drawn in combinations(rest, len(hold.throws))
        ]
        assert hold.expectation == Fraction(sum(nets), len(nets)) / 100
        assert hold.draws == len(nets) == sum(hold.kinds.values())


def test_holds_come_best_first_all_32_of_them_and_where_equal_the_one_that_keeps_more() -> None:
    holds = _game("draw").holds(parse_cards("Ac Kc Qc Jc Tc"))
    assert len({hold.keeps for hold in holds}) == 32
    assert all(
        (first.expectation, len(first.keeps)) >= (second.expectation, len(second.keeps))
        for first, second in pairwise(holds)
    )


def test_a_hold_is_named_by_the_bits_of_the_places_kept() -> None:
    cards = parse_cards("Ac Kd Qh Js Tc")
    assert split(cards, 0b00101) == (parse_cards("Ac Qh"), parse_cards("Kd Js Tc"))


def test_every_hand_held_best_is_at_least_as_good_as_standing_pat_with_it() -> None:
    game = _game("deuces")
    for (cards,), _ in list(orbits((5,)))[::997]:
        values = game.values(cards)
        assert values[game.best(cards)] == max(values) >= values[0b11111]
