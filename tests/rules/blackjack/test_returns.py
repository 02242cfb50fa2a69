"""The audit's odds against witnesses that share nothing with it: recursion without memory, and the game itself.

The witnesses deal real cards one by one through the real game, other hands included, and ask the settlement
what the side bet saw. They know no dealer odds, no endings and no exchangeability.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from random import Random

import pytest

from daemon.rules.blackjack.bad_beat import bad_beat_case
from daemon.rules.blackjack.dealer import found_by_peeking, must_draw
from daemon.rules.blackjack.dealer_odds import DealerEnd, dealer_odds, endings
from daemon.rules.blackjack.house import BadBeatOption, BlackjackHouse, DoubleOn, SplitAces
from daemon.rules.blackjack.paytables import PAYTABLES, BadBeatCase
from daemon.rules.blackjack.play import Action, Play, deal, decide, draw, refusal
from daemon.rules.blackjack.returns import case_odds, soft_19s_doubled
from daemon.rules.blackjack.shoe import A_DECK, Shoe
from daemon.rules.blackjack.strategy import ANY_UP, BASIC, FOR_THE_SIDE_BET, Strategy
from daemon.rules.blackjack.totals import POINTS, total_of
from daemon.rules.paytable import Odds
from protocols.cards import DECK, Card
from tests.rules.blackjack.rounds import BY_POINTS

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


# A witness that deals a whole round through the game, from a small shoe, every order of cards there is.

OtherHands = Callable[[tuple[Card, ...]], bool]
"""Whether a hand that the side bet does not follow takes another card."""


def _stands(cards: tuple[Card, ...]) -> bool:
    return False


def _draws_to_12(cards: tuple[Card, ...]) -> bool:
    return total_of(cards).points < 12


class _Witness:
    """Every round of a house from a small shoe, by recursion over its cards, and what the side bet saw."""

    def __init__(
        self, house: BlackjackHouse, strategy: Strategy, other: OtherHands, *, neighbour: bool = False
    ) -> None:
        self.house, self.strategy, self.other, self.neighbour = house, strategy, other, neighbour
        self.odds = dict.fromkeys(BadBeatCase, Fraction(0))

    def run(self, counts: tuple[int, ...]) -> dict[BadBeatCase, Fraction]:
        self._deal((), list(counts), Fraction(1))
        return self.odds

    def _draws(self, counts: list[int], chance: Fraction) -> Iterator[tuple[Card, Fraction]]:
        size = sum(counts)
        for place, count in enumerate(counts):
            if count:
                counts[place] -= 1
                yield BY_POINTS[place + 1][count % 4], chance * Fraction(count, size)
                counts[place] += 1

    def _deal(self, dealt: tuple[Card, ...], counts: list[int], chance: Fraction) -> None:
        """Player, dealer's up, player, dealer's hole, and then the decisions."""
        if len(dealt) < 4:
            for card, here in self._draws(counts, chance):
                self._deal((*dealt, card), counts, here)
            return
        first, up, second, hole = dealt
        play = deal(first, second, up)
        if found_by_peeking((up, hole), self.house):
            self.odds[bad_beat_case(play, (up, hole), self.house)] += chance
        elif self.neighbour:
            self._neighbour((), play, hole, counts, chance)
        else:
            self._play(play, hole, counts, chance)

    def _neighbour(self, cards: tuple[Card, ...], play: Play, hole: Card, counts: list[int], chance: Fraction) -> None:
        """Somebody who plays before the player, and whose cards the player does not heed."""
        if len(cards) < 2 or self.other(cards):
            for card, here in self._draws(counts, chance):
                self._neighbour((*cards, card), play, hole, counts, here)
        else:
            self._play(play, hole, counts, chance)

    def _play(self, play: Play, hole: Card, counts: list[int], chance: Fraction) -> None:
        if play.card_due:
            for card, here in self._draws(counts, chance):
                drawn = draw(play, card, self.house)
                assert isinstance(drawn, Play)
                self._play(drawn, hole, counts, here)
        elif play.turn is not None:
            decided = decide(play, self.decision(play), self.house)
            assert isinstance(decided, Play)
            self._play(decided, hole, counts, chance)
        else:
            self._dealer(play, (play.up, hole), counts, chance)

    def decision(self, play: Play) -> Action:
        at = play.turn or 0
        cards = play.hands[at].cards
        splits = self.strategy.splits_pair(POINTS[cards[0].rank], POINTS[play.up.rank])
        if splits and refusal(play, Action.SPLIT, self.house) is None:
            return Action.SPLIT
        followed = at == 0 and (len(play.hands) > 1 or total_of(cards).points >= 19)
        if not (followed and total_of(cards).points >= 19) and self.other(cards):
            return Action.HIT
        return Action.STAND

    def _dealer(self, play: Play, dealer: tuple[Card, ...], counts: list[int], chance: Fraction) -> None:
        if must_draw(total_of(dealer), self.house.dealer_hits_soft_17):
            for card, here in self._draws(counts, chance):
                self._dealer(play, (*dealer, card), counts, here)
        else:
            self.odds[bad_beat_case(play, dealer, self.house)] += chance


SMALL_SHOE = (3, 0, 0, 0, 0, 2, 2, 4, 3, 4)
"""Aces, sixes, sevens, eights, nines and tens: every pair that matters, short hands, and never a shoe that runs out."""

NO_DOUBLES = replace(BASIC, doubles_soft_19=False)
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


@pytest.mark.parametrize(("house", "other"), [row[1:] for row in WITNESSED], ids=[row[0] for row in WITNESSED])
def test_the_odds_are_those_of_every_round_dealt_through_the_game(house: BlackjackHouse, other: OtherHands) -> None:
    witnessed = _Witness(house, NO_DOUBLES, other).run(SMALL_SHOE)
    assert sum(witnessed.values()) == 1
    assert dict(case_odds(house, NO_DOUBLES, Shoe(SMALL_SHOE))) == witnessed


def test_a_neighbour_who_draws_changes_nothing() -> None:
    house, shoe = BlackjackHouse(option=OPTION_2, hands_max=2), (2, 0, 0, 0, 1, 0, 2, 2, 3, 3)
    witnessed = _Witness(house, NO_DOUBLES, _draws_to_12, neighbour=True).run(shoe)
    assert dict(case_odds(house, NO_DOUBLES, Shoe(shoe))) == witnessed


STRENGTH = {"BUST": 0, "BLACKJACK": 22}


def _main_value(cards: tuple[int, ...], up: int, counts: list[int], hits_soft_17: bool) -> Fraction:
    """What a hand that stands returns on the main bet, found naively."""
    hard = sum(cards)
    best = hard + 10 if 1 in cards and hard <= 11 else hard
    value = Fraction(0)
    for end, chance in _naive((up,), counts, hits_soft_17):
        dealer = STRENGTH[end] if end in STRENGTH else int(end)
        value += chance * (-1 if best > 21 else (best > dealer) - (best < dealer))
    return value


@pytest.mark.parametrize("hits_soft_17", [True, False])
def test_a_soft_19_is_doubled_where_that_returns_more(hits_soft_17: bool) -> None:
    house = BlackjackHouse(decks=1, dealer_hits_soft_17=hits_soft_17)
    better = []
    for up in range(4, 10):
        shoe = Shoe.of(1).without(1, 8, up)
        stands = _main_value((1, 8), up, list(shoe.counts), hits_soft_17)
        doubles = Fraction(0)
        for third, chance, left in shoe.draws():
            doubles += 2 * chance * _main_value((1, 8, third), up, list(left.counts), hits_soft_17)
        if doubles > stands:
            better.append(up)
    assert [up for up in soft_19s_doubled(house, BASIC) if 4 <= up <= 9] == better
    assert soft_19s_doubled(house, FOR_THE_SIDE_BET) == ()


def test_a_house_that_does_not_double_19_has_it_stood_on() -> None:
    for house in (BlackjackHouse(double_on=DoubleOn.NINE_TO_ELEVEN), BlackjackHouse(double_on=DoubleOn.TEN_OR_ELEVEN)):
        assert soft_19s_doubled(house, BASIC) == ()
        assert case_odds(house, BASIC) == case_odds(house, NO_DOUBLES)


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


SEED, ROUNDS, SIGMAS = 20260511, 60_000, 4.5


def _shoe_cards(chance: Random, decks: int) -> Iterator[Card]:
    return iter(chance.sample(DECK * decks, 52))


def _simulated(house: BlackjackHouse, strategy: Strategy, chance: Random) -> BadBeatCase:
    """One round from a shuffled shoe; a neighbour draws to 17 first, and so does the hand that lost the side bet."""
    shoe = _shoe_cards(chance, house.decks)
    neighbour: tuple[Card, ...] = (next(shoe), next(shoe))
    first, up, second, hole = (next(shoe) for _ in range(4))
    play = deal(first, second, up)
    if found_by_peeking((up, hole), house):
        return bad_beat_case(play, (up, hole), house)
    while total_of(neighbour).points < 17:
        neighbour = (*neighbour, next(shoe))
    witness = _Witness(house, strategy, lambda cards: total_of(cards).points < 17)
    while play.turn is not None:
        moved = draw(play, next(shoe), house) if play.card_due else decide(play, witness.decision(play), house)
        assert isinstance(moved, Play)
        play = moved
    dealer: tuple[Card, ...] = (up, hole)
    while must_draw(total_of(dealer), house.dealer_hits_soft_17):
        dealer = (*dealer, next(shoe))
    return bad_beat_case(play, dealer, house)


@pytest.mark.parametrize("option", list(BadBeatOption))
@pytest.mark.parametrize(("decks", "peek"), [(1, True), (6, False)])
def test_dealt_rounds_agree_with_the_odds_within_their_bounds(option: BadBeatOption, decks: int, peek: bool) -> None:
    house = BlackjackHouse(decks=decks, option=option, peek=peek)
    chance = Random(SEED)
    counted = Counter(_simulated(house, NO_DOUBLES, chance) for _ in range(ROUNDS))
    for case, odds in case_odds(house, NO_DOUBLES).items():
        expected, sigma = ROUNDS * odds, sqrt(ROUNDS * odds * (1 - odds))
        assert abs(counted[case] - expected) < SIGMAS * sigma, f"seed {SEED}: {case.value} {counted[case]}"
