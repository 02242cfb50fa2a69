"""Big Raise's showdowns, counted three ways: for all starts at once, for one start, and card by card."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from daemon.rules.audit.big_raise import (
    DEALS,
    FOLD,
    STARTS,
    Choice,
    bonus_nets,
    choose,
    hands_from,
    times_allowed,
)
from daemon.rules.audit.showdowns import KINDS, Start, WinCounter, Wins, community_orbits, wins_of
from daemon.rules.big_raise import Action, BigRaiseHouse, Deal, settle
from daemon.rules.big_raise_pays import ANTE_BONUS
from daemon.rules.evaluator import PokerHand, poker_hand
from daemon.rules.money import Cents
from daemon.rules.results import Outcome, Settled
from daemon.rules.wagers import Wager, WagerName
from protocols.cards import DECK, Card, Rank, parse_cards

FIVE_RANKS = (Rank.TWO, Rank.THREE, Rank.FOUR, Rank.FIVE, Rank.SIX)
"""A deck of twenty cards has straights, flushes and everything else, and can be dealt out in full."""


@pytest.fixture(scope="module")
def counter() -> WinCounter:
    return WinCounter(FIVE_RANKS)


@pytest.fixture(scope="module")
def wins(counter: WinCounter) -> tuple[Wins, ...]:
    return counter.wins(counter.count(community_orbits(FIVE_RANKS)))


def test_all_starts_at_once_count_what_one_start_at_a_time_counts(counter: WinCounter, wins: tuple[Wins, ...]) -> None:
    assert sum(each.starts for each in wins) == comb(20, 2) * 18
    for each in wins[::5]:
        alone = wins_of(each.start, counter.deck)
        assert (alone.by_kind, alone.ties) == (each.by_kind, each.ties)


def test_parts_of_the_communities_add_up(counter: WinCounter, wins: tuple[Wins, ...]) -> None:
    orbits = community_orbits(FIVE_RANKS)
    parts = [counter.count(orbits[:100]), counter.count(orbits[100:])]
    assert counter.wins([first + second for first, second in zip(*parts, strict=True)]) == wins


@pytest.mark.parametrize(("cards", "ranks"), [("2c 2d 6h", 5), ("2c 3c 2d", 4), ("5s 4d 4h", 4)])
def test_a_start_counts_what_settling_every_deal_gives(cards: str, ranks: int) -> None:
    first, second, up = parse_cards(cards)
    deck = [card for card in DECK if card.rank in FIVE_RANKS[:ranks]]
    found = wins_of(((first, second), up), deck)
    won = [0] * len(KINDS)
    for hand, is_won in _deals((first, second), up, deck):
        won[KINDS.index(hand)] += is_won
    assert found.by_kind == tuple(won)


def _deals(pair: tuple[Card, Card], up: Card, deck: list[Card]) -> Iterator[tuple[PokerHand, bool]]:
    """The player's hand in every deal from a start, and whether the rules say that it wins."""
    ante = Wager(WagerName.ANTE, Cents(100))
    unseen = [card for card in deck if card not in (*pair, up)]
    for community in combinations(unseen, 3):
        for hidden in combinations([card for card in unseen if card not in community], 2):
            settled = settle(Deal(pair, (up, *hidden), community), Action.PLAY, [ante])
            assert isinstance(settled, Settled)
            yield settled.findings.player_hand, settled.wagers[0].outcome is Outcome.WIN


ACES: Start = (parse_cards("Ac Ad")[0], parse_cards("Ac Ad")[1]), parse_cards("7h")[0]
RAGS: Start = (parse_cards("2c 7d")[0], parse_cards("2c 7d")[1]), parse_cards("Ah")[0]


def test_the_players_hands_are_those_of_every_community_without_the_up_card() -> None:
    pair, up = RAGS
    unseen = [card for card in DECK if card not in (*pair, up)]
    counted = dict.fromkeys(PokerHand, 0)
    for community in combinations(unseen, 3):
        counted[poker_hand((*pair, *community))] += 1
    assert hands_from(RAGS) == counted


def _choice(start: Start, won: int) -> Choice:
    by_kind = [0] * len(KINDS)
    by_kind[-1] = won
    return choose(Wins(start, 1, tuple(by_kind), 0), BigRaiseHouse(), Cents(100))


def test_a_pair_may_play_four_times_and_nothing_else_may() -> None:
    assert list(times_allowed(ACES)) == [2, 3, 4]
    assert list(times_allowed(RAGS)) == [2, 3]


def test_the_best_decision_is_the_one_that_is_worth_most() -> None:
    bonus = sum(
        (bonus_nets(ANTE_BONUS, Cents(100))[kind] * count for kind, count in hands_from(RAGS).items()), Fraction(0)
    ) / comb(49, 3)
    choice = _choice(RAGS, DEALS // 3)
    even = Fraction(2 * (DEALS // 3) - DEALS, DEALS)
    assert choice.worth == {FOLD: -1, 2: 3 * even + bonus, 3: 4 * even + bonus}
    # the chance at which 2 times the Ante is worth the fold: 3(2q - 1) + bonus = -1
    breaks_even = (1 - (1 + bonus) / 3) / 2
    assert _choice(RAGS, int(breaks_even * DEALS) - 1).times == FOLD
    assert _choice(RAGS, int(breaks_even * DEALS) + 2).times == 2
    assert _choice(RAGS, DEALS // 2 - 1).times == 2
    assert _choice(RAGS, DEALS // 2 + 1).times == 3
    assert _choice(ACES, DEALS // 2 + 1).times == 4


def test_starts_and_deals_are_all_there_are() -> None:
    assert comb(52, 2) * 50 == STARTS
    assert DEALS == comb(49, 3) * comb(46, 2) == comb(49, 2) * comb(47, 3)
