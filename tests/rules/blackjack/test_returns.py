"""The audit's odds against witnesses that share nothing with it: recursion without memory, and the game itself.

The witnesses deal real cards one by one through the real game, other hands included, and ask the settlement
what the side bet saw. They know no dealer odds, no endings and no exchangeability.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from random import Random

import pytest

from daemon.rules.blackjack.bad_beat import bad_beat_case
from daemon.rules.blackjack.basic import basic_action
from daemon.rules.blackjack.dealer import found_by_peeking, must_draw
from daemon.rules.blackjack.dealer_odds import DealerEnd, dealer_odds, endings
from daemon.rules.blackjack.house import BadBeatOption, BlackjackHouse, DoubleOn, SplitAces
from daemon.rules.blackjack.paytables import PAYTABLES, BadBeatCase
from daemon.rules.blackjack.play import Action, Play, deal, decide, draw, refusal
from daemon.rules.blackjack.returns import case_odds
from daemon.rules.blackjack.shoe import A_DECK, Shoe
from daemon.rules.blackjack.strategy import ANY_UP, FOR_THE_SIDE_BET, NO_UP, SOFT_19, Strategy, basic
from daemon.rules.blackjack.totals import POINTS, total_of
from daemon.rules.paytable import Odds
from protocols.cards import DECK, Card
from tests.rules.blackjack.witness import Decides, Draws, Witness

OPTION_1, OPTION_2 = BadBeatOption.FIRST_TWO_CARDS, BadBeatOption.FIRST_SPLIT_HAND


def test_a_deck_is_four_of_each_worth_and_sixteen_tens() -> None:
    assert A_DECK == (4, 4, 4, 4, 4, 4, 4, 4, 4, 16)
    assert Shoe.of(8).size == 416


def _naive(cards: tuple[int, ...], counts: list[int], hits_soft_17: bool) -> Iterator[tuple[str, Fraction]]:
    """The dealer card by card, with fractions, remembering nothing."""
    hard = sum(cards)
    best = hard + 10 if 1 in cards and hard <= 11 else hard
    soft_17 = best == 17 and best != hard
    if len(cards) > 1 and best >= 17 and not (soft_17 and hits_soft_17):
        blackjack = len(cards) == 2 and best == 21
        yield ("BLACKJACK" if blackjack else "BUST" if best > 21 else str(best)), Fraction(1)
        return
    size = sum(counts)
    for place, count in enumerate(counts):
        if count:
            counts[place] -= 1
            for end, chance in _naive((*cards, place + 1), counts, hits_soft_17):
                yield end, chance * Fraction(count, size)
            counts[place] += 1


SHOES = {
    "a deck": A_DECK,
    "a deck short of tens": (4, 4, 4, 4, 4, 4, 4, 4, 4, 2),
    "a rest": (2, 1, 0, 3, 1, 0, 2, 1, 1, 4),
}


@pytest.mark.parametrize("hits_soft_17", [True, False])
@pytest.mark.parametrize("counts", SHOES.values(), ids=SHOES)
def test_the_dealers_ends_are_those_of_naive_recursion(counts: tuple[int, ...], hits_soft_17: bool) -> None:
    for up in range(3, 11) if counts is A_DECK else range(1, 11):
        if not counts[up - 1]:
            continue
        shoe = Shoe(counts).without(up)
        naive: dict[str, Fraction] = {}
        for end, chance in _naive((up,), list(shoe.counts), hits_soft_17):
            naive[end] = naive.get(end, Fraction(0)) + chance
        exact = {
            (end.name if end in (DealerEnd.BUST, DealerEnd.BLACKJACK) else str(end.value)): odds
            for end, odds in dealer_odds(up, shoe, hits_soft_17).items()
            if odds
        }
        assert exact == naive, f"up {up}"


@pytest.mark.parametrize("hits_soft_17", [True, False])
@pytest.mark.parametrize("decks", [1, 2, 8])
def test_the_dealers_ends_sum_to_one(decks: int, hits_soft_17: bool) -> None:
    for up in range(1, 11):
        assert sum(dealer_odds(up, Shoe.of(decks).without(up), hits_soft_17).values()) == 1


def _orders(cards: tuple[int, ...], hits_soft_17: bool) -> int:
    """In how many orders of worths the dealer can end, one by one."""
    hard = sum(cards)
    best = hard + 10 if 1 in cards and hard <= 11 else hard
    if len(cards) > 1 and best >= 17 and not (hits_soft_17 and best == 17 and best != hard):
        return 1
    return sum(_orders((*cards, worth), hits_soft_17) for worth in range(1, 11))


@pytest.mark.parametrize("hits_soft_17", [True, False])
@pytest.mark.parametrize("up", range(1, 11))
def test_every_order_in_which_the_dealer_can_end_is_counted_once(up: int, hits_soft_17: bool) -> None:
    assert sum(ending.orders for ending in endings(up, hits_soft_17)) == _orders((up,), hits_soft_17)


# A witness deals whole rounds through the game from a small shoe.


def _stands(cards: tuple[Card, ...]) -> bool:
    return False


def _draws_to_12(cards: tuple[Card, ...]) -> bool:
    return total_of(cards).points < 12


def _decides(house: BlackjackHouse, strategy: Strategy, other: Draws) -> Decides:
    """What the strategy says of the hands that the side bet follows; `other` decides for the rest."""

    def decision(play: Play) -> Action:
        at = play.turn or 0
        cards, up = play.hands[at].cards, POINTS[play.up.rank]
        splits = strategy.splits_pair(POINTS[cards[0].rank], up)
        if splits and refusal(play, Action.SPLIT, house) is None:
            return Action.SPLIT
        if at == 0 and len(cards) == 2 and total_of(cards).points >= 19:
            doubles = total_of(cards) == SOFT_19 and up in strategy.doubles_soft_19
            return Action.DOUBLE if doubles and refusal(play, Action.DOUBLE, house) is None else Action.STAND
        return Action.HIT if other(cards) else Action.STAND

    return decision


def _witnessed(
    house: BlackjackHouse, strategy: Strategy, other: Draws, counts: tuple[int, ...], neighbour: Draws | None = None
) -> dict[BadBeatCase, Fraction]:
    """How likely each row is, by every round that the shoe can deal."""
    seen = dict.fromkeys(BadBeatCase, 0)

    def sees(play: Play, dealer: tuple[Card, ...], orders: int) -> None:
        seen[bad_beat_case(play, dealer, house)] += orders

    orders = Witness(house, _decides(house, strategy, other), sees, neighbour).deal_all(counts)
    return {case: Fraction(number, orders) for case, number in seen.items()}


SMALL_SHOE = (3, 0, 0, 0, 0, 2, 2, 4, 3, 4)
"""Aces, sixes, sevens, eights, nines and tens: every pair that matters, short hands, and never a shoe that runs out."""

WITNESSED = [
    ("option 1", BlackjackHouse(option=OPTION_1), _stands),
    ("option 1, drawing", BlackjackHouse(option=OPTION_1), _draws_to_12),
    ("option 2", BlackjackHouse(option=OPTION_2), _stands),
    ("option 2, the other hand draws", BlackjackHouse(option=OPTION_2, hands_max=3), _draws_to_12),
    ("option 2, two hands", BlackjackHouse(option=OPTION_2, hands_max=2), _stands),
    ("option 2, no peek", BlackjackHouse(option=OPTION_2, hands_max=3, peek=False), _stands),
    ("option 2, soft 17 stands", BlackjackHouse(option=OPTION_2, hands_max=2, dealer_hits_soft_17=False), _stands),
    (
        "option 2, aces like pairs",
        BlackjackHouse(option=OPTION_2, hands_max=3, split_aces=SplitAces.LIKE_PAIRS),
        _stands,
    ),
    ("option 2, aces never", BlackjackHouse(option=OPTION_2, hands_max=2, split_aces=SplitAces.NEVER), _stands),
    ("option 1, no peek", BlackjackHouse(option=OPTION_1, peek=False), _stands),
]


def _doubling_often(house: BlackjackHouse) -> Strategy:
    """So that doubling is seen from a shoe that has no sixes to show."""
    return replace(basic(house), doubles_soft_19=frozenset({7, 8}))


@pytest.mark.parametrize(("house", "other"), [row[1:] for row in WITNESSED], ids=[row[0] for row in WITNESSED])
def test_the_odds_are_those_of_every_round_dealt_through_the_game(house: BlackjackHouse, other: Draws) -> None:
    strategy = _doubling_often(house)
    witnessed = _witnessed(house, strategy, other, SMALL_SHOE)
    assert sum(witnessed.values()) == 1
    assert dict(case_odds(house, strategy, Shoe(SMALL_SHOE))) == witnessed


def test_a_neighbour_who_draws_changes_nothing() -> None:
    house, shoe = BlackjackHouse(option=OPTION_2, hands_max=2), (2, 0, 0, 0, 1, 0, 2, 2, 3, 3)
    strategy = _doubling_often(house)
    witnessed = _witnessed(house, strategy, _draws_to_12, shoe, neighbour=_draws_to_12)
    assert dict(case_odds(house, strategy, Shoe(shoe))) == witnessed


@pytest.mark.parametrize("double_on", [DoubleOn.NINE_TO_ELEVEN, DoubleOn.TEN_OR_ELEVEN])
def test_a_house_that_does_not_double_19_has_it_stood_on(double_on: DoubleOn) -> None:
    for house in (BlackjackHouse(double_on=double_on), BlackjackHouse(double_on=double_on, option=OPTION_2)):
        stands = replace(basic(house), doubles_soft_19=NO_UP)
        doubles = replace(basic(house), doubles_soft_19=ANY_UP)
        assert case_odds(house, basic(house)) == case_odds(house, stands) == case_odds(house, doubles)


def _edge(odds: Mapping[BadBeatCase, Fraction], name: str) -> Fraction:
    awards = {case: PAYTABLES[name].award_for(case) for case in BadBeatCase}
    return -sum((odds[case] * award.to_one for case, award in awards.items() if isinstance(award, Odds)), Fraction(0))


@pytest.mark.parametrize("decks", [1, 8])
@pytest.mark.parametrize("hits_soft_17", [True, False])
def test_nothing_returns_more_on_the_side_bet_than_playing_for_it(decks: int, hits_soft_17: bool) -> None:
    """Only splitting tens could: every other pair loses unsplit, and whatever is not standing loses."""
    for hands_max in (2, 4):
        house = BlackjackHouse(decks=decks, option=OPTION_2, dealer_hits_soft_17=hits_soft_17, hands_max=hands_max)
        best = case_odds(house, FOR_THE_SIDE_BET)
        for up in ANY_UP:
            splits_tens = replace(FOR_THE_SIDE_BET, splits={**FOR_THE_SIDE_BET.splits, 10: frozenset({up})})
            other = case_odds(house, splits_tens)
            assert all(_edge(best, name) < _edge(other, name) for name in PAYTABLES), f"up {up}, {hands_max} hands"


LONG = "FELTD_SOAK" in os.environ
SEED, ROUNDS, SIGMAS = 20260511, 60_000 if LONG else 15_000, 4.5


def _shoe_cards(chance: Random, decks: int) -> Iterator[Card]:
    return iter(chance.sample(DECK * decks, 52))


def _simulated(house: BlackjackHouse, chance: Random) -> BadBeatCase:
    """One round from a shuffled shoe by basic strategy, after a neighbour who draws to 17."""
    shoe = _shoe_cards(chance, house.decks)
    neighbour: tuple[Card, ...] = (next(shoe), next(shoe))
    first, up, second, hole = (next(shoe) for _ in range(4))
    play = deal(first, second, up)
    if found_by_peeking((up, hole), house):
        return bad_beat_case(play, (up, hole), house)
    while total_of(neighbour).points < 17:
        neighbour = (*neighbour, next(shoe))
    while play.turn is not None:
        moved = draw(play, next(shoe), house) if play.card_due else decide(play, basic_action(play, house), house)
        assert isinstance(moved, Play)
        play = moved
    dealer: tuple[Card, ...] = (up, hole)
    while must_draw(total_of(dealer), house.dealer_hits_soft_17):
        dealer = (*dealer, next(shoe))
    return bad_beat_case(play, dealer, house)


@pytest.mark.soak
@pytest.mark.parametrize("option", list(BadBeatOption))
@pytest.mark.parametrize(("decks", "peek"), [(1, True), (6, False)])
def test_rounds_of_basic_strategy_agree_with_the_odds_within_their_bounds(
    option: BadBeatOption, decks: int, peek: bool
) -> None:
    house = BlackjackHouse(decks=decks, option=option, peek=peek)
    chance = Random(SEED)
    counted = Counter(_simulated(house, chance) for _ in range(ROUNDS))
    for case, odds in case_odds(house, basic(house)).items():
        expected, sigma = ROUNDS * odds, sqrt(ROUNDS * odds * (1 - odds))
        assert abs(counted[case] - expected) < SIGMAS * sigma, f"seed {SEED}: {case.value} {counted[case]}"
