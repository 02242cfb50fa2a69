"""The evaluators against combinatorics, against a naive witness, and against other people's programs."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from math import comb
from random import Random

import pytest
from treys import Card as TreysCard
from treys import Evaluator as TreysEvaluator

from daemon.rules.deuces import WildHand, wild_hand
from daemon.rules.evaluator import CLASS_OF, HANDS, PAIRS, STRENGTHS, PokerHand, poker_hand, strength
from protocols.cards import DECK, Card, Rank, parse_cards
from tests.rules.naive import naive_order, naive_strength, naive_wild

SEED = 20261118

COUNTS = {
    PokerHand.ROYAL_FLUSH: 4,
    PokerHand.STRAIGHT_FLUSH: 9 * 4,
    PokerHand.FOUR_OF_A_KIND: 13 * 48,
    PokerHand.FULL_HOUSE: 13 * comb(4, 3) * 12 * comb(4, 2),
    PokerHand.FLUSH: (comb(13, 5) - 10) * 4,
    PokerHand.STRAIGHT: 10 * (4**5 - 4),
    PokerHand.THREE_OF_A_KIND: 13 * comb(4, 3) * comb(12, 2) * 4**2,
    PokerHand.TWO_PAIR: comb(13, 2) * comb(4, 2) ** 2 * 44,
    **dict.fromkeys(PAIRS, comb(4, 2) * comb(12, 3) * 4**3),
    PokerHand.HIGH_CARD: (comb(13, 5) - 10) * (4**5 - 4),
}


def test_every_hand_is_counted_in_the_class_that_combinatorics_gives() -> None:
    by_strength = [0] * STRENGTHS
    for cards in combinations(DECK, 5):
        by_strength[strength(cards)] += 1
    counted: Counter[PokerHand] = Counter()
    for hand, count in zip(CLASS_OF, by_strength, strict=True):
        counted[hand] += count
    assert counted == COUNTS
    assert sum(by_strength) == HANDS == comb(52, 5)
    assert min(by_strength) >= 4


def test_strength_orders_hands_as_the_naive_witness_does() -> None:
    random = Random(SEED)
    hands = sorted((random.sample(DECK, 5) for _ in range(30_000)), key=naive_strength)
    for weaker, stronger in pairwise(hands):
        if naive_strength(weaker) == naive_strength(stronger):
            assert strength(weaker) == strength(stronger)
        else:
            assert strength(weaker) < strength(stronger)


def test_strength_is_the_rank_that_treys_gives_counted_from_the_other_end() -> None:
    random, treys = Random(SEED), TreysEvaluator()
    for _ in range(20_000):
        hand = random.sample(DECK, 5)
        assert strength(hand) == STRENGTHS - treys.evaluate([], [TreysCard.new(str(card)) for card in hand])


@pytest.mark.parametrize("suited", [False, True])
def test_straights_at_every_edge(suited: bool) -> None:
    ranks = [Rank.ACE, *Rank]  # the ace at both ends
    made, wrapped = PokerHand.STRAIGHT, PokerHand.HIGH_CARD
    if suited:
        made, wrapped = PokerHand.STRAIGHT_FLUSH, PokerHand.FLUSH
    for low in range(10):
        hand = _of(ranks[low : low + 5], suited=suited)
        assert poker_hand(hand) is (PokerHand.ROYAL_FLUSH if suited and low == 9 else made)
    for high in range(1, 4):
        hand = _of([*list(Rank)[-high:], *list(Rank)[: 5 - high]], suited=suited)
        assert poker_hand(hand) is (made if high == 1 else wrapped)
    gapped = _of([*ranks[1:5], ranks[6]], suited=suited)
    assert poker_hand(gapped) is wrapped


def _of(ranks: list[Rank], *, suited: bool) -> list[Card]:
    return [Card(rank, Card.parse("2s").suit if suited or place else Card.parse("2c").suit)
            for place, rank in enumerate(ranks)]  # fmt: skip


def test_four_of_a_suit_is_no_flush_and_five_are() -> None:
    assert poker_hand(parse_cards("2s 4s 6s 8s Ts")) is PokerHand.FLUSH
    assert poker_hand(parse_cards("2s 4s 6s 8s Tc")) is PokerHand.HIGH_CARD


WILD_COUNTS = {
    WildHand.FOUR_DEUCES: 48,
    WildHand.NATURAL_ROYAL: 4,
    # four suits, and any five places of the royal of which one to three are deuces
    WildHand.WILD_ROYAL: 4 * sum(comb(4, wild) * comb(5, 5 - wild) for wild in (1, 2, 3)),
    WildHand.FIVE_OF_A_KIND: 12 * sum(comb(4, wild) * comb(4, 5 - wild) for wild in (1, 2, 3)),
}


def test_every_wild_hand_is_counted_in_the_class_that_combinatorics_gives() -> None:
    counted = Counter(map(wild_hand, combinations(DECK, 5)))
    assert counted.total() == HANDS
    assert {hand: counted[hand] for hand in WILD_COUNTS} == WILD_COUNTS


@pytest.mark.parametrize(("deuces", "hands"), [(0, 2000), (1, 800), (2, 80), (3, 8), (4, 48)])
def test_wild_hands_are_what_the_best_substitution_makes_them(deuces: int, hands: int) -> None:
    random = Random(SEED)
    twos = [card for card in DECK if card.rank is Rank.TWO]
    others = [card for card in DECK if card.rank is not Rank.TWO]
    for _ in range(hands):
        hand = [*random.sample(twos, deuces), *random.sample(others, 5 - deuces)]
        assert wild_hand(hand).value == naive_wild(hand)


@pytest.mark.parametrize(
    ("cards", "hand"),
    [
        ("2c 2d 2h 2s Ac", "four deuces"),
        ("2c 2d 2h 3s Ac", "four of a kind"),
        ("Ac Kc Qc Jc Tc", "royal flush, no deuces"),
        ("Ac Kc Qc Jc 2d", "wild royal"),
        ("Ac Kc 2s Jc 2d", "wild royal"),
        ("Ac 9c 2s Jc 2d", "flush"),
        ("Kc 9c 2s Jc 2d", "straight flush"),
        ("Ac 2h 2s 2c Td", "four of a kind"),
        ("Ac 2h 2s 2c Tc", "wild royal"),
        ("9c 2h 2s 9d 9h", "five of a kind"),
        ("9c 2h 3s 9d 9h", "four of a kind"),
        ("9c 2h 3s 9d 3h", "full house"),
        ("9c 2h 3s 9d 4h", "three of a kind"),
        ("9c 9h 3s 9d 3h", "full house"),
        ("Ac 3c 4c 5c 2c", "straight flush"),
        ("Ac 3c 4c 6c 2c", "flush"),
        ("Ac 3d 4c 5c 2c", "straight"),
        ("Ac 3d 4c 6c 2c", "less than three of a kind"),
        ("Ac 2d 3h 3s 8c", "three of a kind"),
        ("Ac Kd Qh 2s 9c", "less than three of a kind"),
        ("Ac Kd Qh 2s Tc", "straight"),
        ("Kc Kd Qh Qs 9c", "less than three of a kind"),
    ],
)
def test_wild_hands_just_made_and_just_missed(cards: str, hand: str) -> None:
    assert wild_hand(parse_cards(cards)).value == hand


def test_the_witness_knows_a_hand_when_it_sees_one() -> None:
    assert naive_order(parse_cards("5c 4d 3c 2c Ac"))[0] == "straight"
    assert naive_order(parse_cards("Kc Kd Kh Ks Kc"))[0] == "five of a kind"
