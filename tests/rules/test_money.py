"""Money: exact until the smallest chip, and the rounding is never silent (games/README.md, Money)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.rules.money import Breakage, Cents, MoneyRule, dollars
from tests.support.sentences import Says


@pytest.mark.parametrize(
    ("breakage", "net", "cents"),
    [
        (Breakage.PLAYER, Fraction(15, 2), 8),
        (Breakage.HOUSE, Fraction(15, 2), 7),
        (Breakage.PLAYER, Fraction(-5, 2), -2),
        (Breakage.HOUSE, Fraction(-5, 2), -3),
        (Breakage.EXACT, Fraction(7), 7),
    ],
)
def test_breakage_rounds_the_net_to_whoever_the_house_filed(breakage: Breakage, net: Fraction, cents: int) -> None:
    rounded = MoneyRule(breakage=breakage).round(net)
    assert rounded.cents == cents
    assert rounded.rounding == cents - net


@pytest.mark.parametrize(("breakage", "cents"), [(Breakage.PLAYER, 800), (Breakage.HOUSE, 700)])
def test_breakage_is_by_the_smallest_chip(breakage: Breakage, cents: int) -> None:
    rounded = MoneyRule(Cents(100), breakage).round(Fraction(750))
    assert rounded.cents == cents
    assert rounded.rounding == cents - 750


def test_exact_never_rounds(says: Says) -> None:
    rule = MoneyRule(Cents(50), Breakage.EXACT)
    assert rule.payable(Fraction(150))
    assert not rule.payable(Fraction(125))
    with pytest.raises(ValueError) as raised:
        rule.round(Fraction(125))
    says(raised.value)


@given(st.fractions(), st.integers(1, 500), st.sampled_from([Breakage.PLAYER, Breakage.HOUSE]))
def test_rounding_is_less_than_a_chip_and_to_the_right_side(net: Fraction, chip: int, breakage: Breakage) -> None:
    rounded = MoneyRule(Cents(chip), breakage).round(net)
    assert rounded.cents % chip == 0
    in_favour = rounded.rounding if breakage is Breakage.PLAYER else -rounded.rounding
    assert 0 <= in_favour < chip


def test_a_chip_is_at_least_a_cent() -> None:
    assert MoneyRule(Cents(1)).chip == 1
    with pytest.raises(ValueError, match="at least 1"):
        MoneyRule(Cents(0))


@pytest.mark.parametrize(("cents", "text"), [(4500, "45.00"), (-50, "-0.50"), (5, "0.05"), (-105, "-1.05")])
def test_dollars_as_players_read_them(cents: int, text: str) -> None:
    assert dollars(cents) == text
