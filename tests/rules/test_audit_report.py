"""Audits as sums: what the numbers of a report are, on paytables small enough to add up by hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from daemon.rules.audit.big_draw import audit_draw, audit_first_5, draw_game
from daemon.rules.audit.dealt_hands import audit_big_50, colour_counts, total_counts, two_card_counts
from daemon.rules.audit.draw import DRAWS_LCM
from daemon.rules.audit.orbits import orbits
from daemon.rules.audit.report import NO_ROW, RowAudit, audit_paytable, audit_rows
from daemon.rules.big_50 import Big50House, FiveColours, RedBlack, total_of
from daemon.rules.big_draw import HOUSE as DRAW_HOUSE
from daemon.rules.big_draw import Variant, hand_of, paytable_of
from daemon.rules.big_raise_pays import TWO_CARD_BONUS
from daemon.rules.money import Cents
from daemon.rules.paytable_text import read_paytable
from daemon.rules.scales import TOTALS
from daemon.rules.wagers import WagerName
from protocols.cards import DECK

HUNDRED = Cents(100)


def test_an_audit_adds_up_its_rows() -> None:
    paytable = read_paytable("h", "s", TOTALS, {"50": "4 to 1", "30-49": "push", "20-29": "lose 1/2", "6-19": "lose"})
    counts = dict.fromkeys(range(6, 51), 1)
    audit = audit_paytable("w", paytable, counts, HUNDRED)
    assert [(row.name, row.ways) for row in audit.rows] == [("50", 1), ("30-49", 20), ("20-29", 10), ("6-19", 14)]
    assert audit.expectation == Fraction(4 - 5 - 14, 45) == -audit.house_edge
    assert audit.square == Fraction(16 + Fraction(10, 4) + 14, 45)
    assert audit.variance == audit.square - audit.expectation**2
    assert audit.standard_deviation == pytest.approx(float(audit.variance) ** 0.5)
    assert audit.hits == Fraction(1, 45)
    assert sum(row.returns for row in audit.rows) == audit.expectation
    assert audit.element_of_risk == audit.house_edge


def test_hands_without_a_row_lose_and_are_shown() -> None:
    audit = audit_paytable("w", TWO_CARD_BONUS, two_card_counts(), HUNDRED)
    assert audit.rows[-1] == RowAudit(NO_ROW, "lose", 1326 - 13 * 6 - 4 * 48, 1326, Fraction(-1))
    assert audit.expectation == Fraction(6 * (30 + 20 + 15 + 10 + 9 * 5) + 192 * Fraction(3, 2) - 1056, 1326)


def test_a_raise_shares_the_edge_over_all_that_is_staked() -> None:
    rows = (RowAudit("won", "", 1, 2, Fraction(2)), RowAudit("lost", "", 1, 2, Fraction(-3)))
    audit = audit_rows("w", rows, "p", None, staked=Fraction(5, 2))
    assert (audit.house_edge, audit.element_of_risk) == (Fraction(1, 2), Fraction(1, 5))


def test_totals_and_colours_are_those_of_every_hand() -> None:
    worth = [total_of((card,)) + 100 * card.suit.is_red for card in DECK]
    counted = Counter(a + b + c + d + e for a, b, c, d, e in combinations(worth, 5))
    totals, reds = Counter[int](), Counter[int]()
    for worths, ways in counted.items():
        totals[worths % 100] += ways
        reds[worths // 100] += ways
    assert total_counts() == totals
    mixed = reds.total() - reds[5] - reds[0]
    assert colour_counts(named=False) == {
        FiveColours.RED: reds[5],
        FiveColours.BLACK: reds[0],
        FiveColours.MIXED: mixed,
    }
    assert colour_counts(named=True) == {
        FiveColours.RED: reds[5],
        FiveColours.BLACK: 0,
        FiveColours.MIXED: mixed + reds[0],
    }


def test_red_black_in_both_readings() -> None:
    edges = {
        reading: audit_big_50(Big50House(red_black=reading), HUNDRED).wagers[1].expectation for reading in RedBlack
    }
    one = Fraction(comb(26, 5), comb(52, 5))
    assert edges[RedBlack.EITHER] == 18 * 2 * one - 1
    assert edges[RedBlack.NAMED] == 18 * one - 1


def test_a_fixed_prize_returns_less_of_a_larger_stake() -> None:
    small, large = (audit_first_5(Variant.FIVE_CARD_DRAW, DRAW_HOUSE, Cents(stake)) for stake in (100, 500))
    royals, straight_flushes = Fraction(4, comb(52, 5)), Fraction(36, comb(52, 5))
    lost = royals * (5000 - 1000) + straight_flushes * (1000 - 200)
    assert small.expectation - large.expectation == lost
    assert "1.00" in small.note


def test_a_first_5_stake_below_its_prizes_least_is_audited_at_that_least() -> None:
    one, ten = (audit_first_5(Variant.DEUCES_NEVER_LOSES, DRAW_HOUSE, Cents(stake)) for stake in (100, 10))
    assert one.expectation == ten.expectation


@pytest.mark.parametrize("variant", Variant)
def test_the_best_draws_of_hands_count_every_draw_and_are_worth_more_than_standing_pat(variant: Variant) -> None:
    some = list(orbits((5,)))[::100]
    audit = audit_draw(variant, DRAW_HOUSE, HUNDRED, draw_game(variant, DRAW_HOUSE, HUNDRED).count(some))
    assert audit.total == sum(row.ways for row in audit.rows) == sum(ways for _, ways in some) * DRAWS_LCM
    paytable = paytable_of(WagerName.BIG_DRAW, variant)
    assert paytable is not None
    pat = Counter[object]()
    for (cards,), ways in some:
        pat[hand_of(cards, variant)] += ways
    assert audit.expectation > audit_paytable("pat", paytable, pat, HUNDRED).expectation
