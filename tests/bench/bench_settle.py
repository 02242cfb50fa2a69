"""A million random hands a game settle without an exception, and how long that takes.

Half of the hands are sound; the others have a card too many or too few, a card twice, or one that was not read,
because those must settle too.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from random import Random
from time import perf_counter

import pytest

from daemon.rules import big_50, big_draw, big_raise
from daemon.rules.big_draw import Variant
from daemon.rules.big_raise import Action, BigRaiseHouse, Deal
from daemon.rules.big_raise_pays import BRH_04
from daemon.rules.money import Cents
from daemon.rules.results import Settled, Voided
from daemon.rules.wagers import Wager, WagerName
from protocols.cards import DECK, Face, Misread

HANDS = 1_000_000
SEED = 50

_FACES: list[Face] = [*DECK]


def _damaged(random: Random, cards: list[Face]) -> list[Face]:
    match random.randrange(8):
        case 0:
            return cards[:-1]
        case 1:
            return [*cards, random.choice(DECK)]
        case 2:
            return [cards[-1], *cards[1:]]
        case 3:
            return [random.choice(list(Misread)), *cards[1:]]
        case _:
            return cards


def _big_50(random: Random) -> object:
    wagers = [Wager(name, Cents(random.randrange(1, 5000))) for name in big_50.GAME.spots]
    return big_50.RULES.settle(_damaged(random, random.sample(_FACES, 5)), wagers)


_BRH = BigRaiseHouse(five_card_bonus_pays=BRH_04)


def _big_raise(random: Random) -> object:
    cards = random.sample(_FACES, 8)
    action, ante = random.choice([Action.FOLD, Action.PLAY]), random.randrange(1, 5000)
    wagers = [Wager(name, Cents(ante)) for name in big_raise.BEFORE_CARDS]
    if action is Action.PLAY:
        wagers.append(Wager(WagerName.PLAY, Cents(2 * ante)))
    return big_raise.settle(Deal(cards[:2], _damaged(random, cards[2:5]), cards[5:]), action, wagers, _BRH)


def _big_draw(random: Random) -> object:
    cards, drawn = random.sample(_FACES, 10), random.randrange(6)
    wagers = [Wager(name, Cents(random.randrange(100, 5000))) for name in big_draw.SPOTS]
    variant = random.choice([Variant.FIVE_CARD_DRAW, Variant.DEUCES_NEVER_LOSES])
    return big_draw.settle(_damaged(random, cards[:5]), cards[:drawn], cards[5 : 5 + drawn], wagers, variant)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("settle", [_big_50, _big_raise, _big_draw], ids=["big-50", "big-raise-holdem", "big-draw"])
def test_a_million_random_hands_settle(settle: Callable[[Random], object]) -> None:
    random, started = Random(SEED), perf_counter()
    answers = Counter(type(settle(random)) for _ in range(HANDS))
    seconds = perf_counter() - started
    sys.stdout.write(f"\n{settle.__name__[1:]}: {dict(answers)} in {seconds:.1f} s, seed {SEED}\n")
    assert set(answers) == {Settled, Voided}
