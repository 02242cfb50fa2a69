"""The wagers that no decision touches: what is dealt is what is paid, so every hand is counted as it comes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from typing import Final

from daemon.rules.audit.auditor import UNWATCHED, Auditor, Watch
from daemon.rules.audit.completions import poker_completions, wild_completions
from daemon.rules.audit.report import GameAudit, WagerAudit, audit_paytable
from daemon.rules.big_50 import Big50House, FiveColours, RedBlack, total_of
from daemon.rules.big_raise_pays import TwoCards, two_cards
from daemon.rules.deuces import WildHand
from daemon.rules.evaluator import HANDS, PokerHand
from daemon.rules.money import Cents
from daemon.rules.wagers import GameName, WagerName
from protocols.cards import DECK, Card, Rank, Suit

HAND_CARDS: Final = 5

BIG_50_ASSUMPTIONS: Final = (
    "Every one of the 2,598,960 hands is as likely as any other.",
    "The stake is a whole number of chips in every row, so nothing is rounded.",
)


@cache
def poker_counts() -> dict[PokerHand, int]:
    """Return how many of all hands are each poker hand."""
    return poker_completions().containing(())


@cache
def wild_counts() -> dict[WildHand, int]:
    """Return how many of all hands are each hand with deuces wild."""
    return wild_completions().containing(())


@cache
def total_counts() -> dict[int, int]:
    """Return how many of all hands have each total: every choice of ranks, as often as its suits allow."""
    counts: Counter[int] = Counter()
    for ranks in combinations_with_replacement(Rank, HAND_CARDS):
        ways = prod(comb(len(Suit), times) for times in Counter(ranks).values())
        counts[total_of(tuple(Card(rank, Suit.CLUBS) for rank in ranks))] += ways
    return dict(+counts)  # five aces have no ways


def colour_counts(*, named: bool) -> dict[FiveColours, int]:
    """Return how many of all hands are of each colour; to a named bet the other colour is as good as mixed."""
    one = comb(len(DECK) // 2, HAND_CARDS)
    black = 0 if named else one
    return {FiveColours.RED: one, FiveColours.BLACK: black, FiveColours.MIXED: HANDS - one - black}


@cache
def two_card_counts() -> dict[TwoCards, int]:
    """Return how many of all starting pairs are each."""
    return dict(Counter(map(two_cards, combinations(DECK, 2))))


def audit_big_50(house: Big50House, stake: Cents, _watch: Watch = UNWATCHED) -> GameAudit:
    """Return all four wagers of Big 50."""
    return GameAudit(GameName.BIG_50, "Big 50", BIG_50_ASSUMPTIONS, tuple(_big_50_wagers(house, stake)))


def _big_50_wagers(house: Big50House, stake: Cents) -> Iterator[WagerAudit]:
    named = house.red_black is RedBlack.NAMED
    note = "on the colour that the player names" if named else "on either colour"
    colours = colour_counts(named=named)
    yield audit_paytable(WagerName.POKER_HAND.value, house.poker_hand_pays, poker_counts(), stake)
    yield audit_paytable(WagerName.RED_BLACK.value, house.red_black_pays, colours, stake, note)
    yield audit_paytable(WagerName.BIG_50.value, house.big_50_pays, total_counts(), stake)
    yield audit_paytable(WagerName.RANGE.value, house.range_pays, total_counts(), stake)


BIG_50_AUDITOR: Final = Auditor(audit_big_50)
