"""Paytables are data that is proven when it is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from daemon.rules import big_50
from daemon.rules.evaluator import PokerHand
from daemon.rules.money import Cents
from daemon.rules.paytable import Award, Odds, Paytable, PaytableInvalidError, Prize, Row, problems_of, to_one
from daemon.rules.paytable_text import read_award, read_paytable
from daemon.rules.scales import POKER, TOTALS
from tests.support.sentences import Says

SHORT = {"flush": "5 to 1", "jacks or better": "push"}
RANGE = {"30-50": "2 to 1", "6-29": "lose"}


def _problems(rows: Mapping[str, str], *, totals: bool = False) -> tuple[str, ...]:
    with pytest.raises(PaytableInvalidError) as raised:
        read_paytable("house", "letter of 1 May", TOTALS if totals else POKER, rows)  # type: ignore[misc]
    return raised.value.problems


def test_a_house_writes_its_own_paytable_in_the_documents_words() -> None:
    paytable = read_paytable("house", "letter of 1 May", POKER, SHORT)
    assert paytable.award_for(PokerHand.FLUSH) == to_one(5)
    assert paytable.award_for(PokerHand.PAIR_OF_QUEENS) == to_one(0)
    assert paytable.award_for(PokerHand.PAIR_OF_TENS) == to_one(-1)
    assert paytable.row_for(PokerHand.FULL_HOUSE) is None


def test_a_row_takes_what_no_row_above_it_took() -> None:
    paytable = read_paytable("h", "s", POKER, {"jacks or better": "2", "pair of eights or better": "1 to 1"})
    eights = paytable.rows[1]
    assert paytable.cases_of(eights) == (PokerHand.PAIR_OF_TENS, PokerHand.PAIR_OF_NINES, PokerHand.PAIR_OF_EIGHTS)
    assert paytable.award_for(PokerHand.PAIR_OF_ACES) == to_one(2)


def test_an_unreachable_row_is_refused(says: Says) -> None:
    says("\n".join(_problems({"eights or better": "1", "jacks or better": "2"})))


def test_rows_out_of_order_are_refused(says: Says) -> None:
    says("\n".join(_problems({"flush": "5", "full house": "9"})))


def test_a_gap_in_a_range_is_refused_and_named(says: Says) -> None:
    says("\n".join(_problems({"30-50": "2", "6-27": "lose"}, totals=True)))
    assert read_paytable("h", "s", TOTALS, RANGE).award_for(29) == to_one(-1)


def test_names_that_mean_nothing_and_awards_that_are_none_are_all_reported_at_once(says: Says) -> None:
    first, second = _problems({"flusj": "5", "straight": "five"})
    assert "'flusj' means nothing" in first
    assert "'flush'" in first
    says(second)


def test_a_paytable_needs_a_row(says: Says) -> None:
    says("\n".join(_problems({})))


def test_rows_made_by_a_programmer_are_proven_too(says: Says) -> None:
    rows = [
        Row("twice", (50,), to_one(1)),
        Row("twice", (49,), Odds(Fraction(-2))),
        Row("gift", (48,), Prize(Cents(0))),
        Row("beyond", (51,), to_one(1)),
    ]
    says("\n".join(problems_of(replace(TOTALS, complete=False), rows)))


def test_what_is_wrong_below_an_unreachable_row_is_told_too(says: Says) -> None:
    says("\n".join(_problems({"twos or better": "1", "jacks or better": "2", "pair of aces": "3"})))


def test_a_prize_of_one_cent_is_a_prize() -> None:
    assert problems_of(replace(TOTALS, complete=False), [Row("cent", (50,), Prize(Cents(1)))]) == ()


AWARDS: st.SearchStrategy[Award] = st.one_of(
    st.builds(Odds, st.fractions(0, 1000, max_denominator=999)),
    st.builds(Odds, st.fractions(-1, 0, max_denominator=999)),
    st.builds(Prize, st.builds(Cents, st.integers(0, 10**9)), st.builds(Cents, st.integers(0, 10**6))),
)


@given(AWARDS)
@example(to_one(-1))
@example(to_one(0))
@example(Odds(Fraction(-1, 2)))
def test_an_award_reads_back_from_its_own_text(award: Award) -> None:
    assert read_award(str(award)) == award


@pytest.mark.parametrize(
    ("text", "award"),
    [
        ("lose", to_one(-1)),
        ("push", to_one(0)),
        ("7", to_one(7)),
        ("3 to 2", Odds(Fraction(3, 2))),
        ("lose 1/2", Odds(Fraction(-1, 2))),
        ("prize 5000.00", Prize(Cents(500_000), Cents(100))),
        ("prize 5", Prize(Cents(500), Cents(100))),
        ("prize 5.25 from 7", Prize(Cents(525), Cents(700))),
        ("prize 0.01 from 0.50", Prize(Cents(1), Cents(50))),
    ],
)
def test_awards_are_read_as_documents_print_them(text: str, award: Award) -> None:
    assert read_award(text) == award


@pytest.mark.parametrize("text", ["", "0 to 0", "5 to 0", "-1", "five", "lose 1", "prize", "prize 5.5", "5 for 1"])
def test_whatever_is_no_award_is_refused_with_what_would_be(text: str) -> None:
    with pytest.raises(ValueError, match="'3 to 2'"):
        read_award(text)


def test_the_hash_changes_with_every_thing_that_pays_and_with_nothing_else() -> None:
    paytable = read_paytable("h", "s", POKER, SHORT)
    assert read_paytable("h", "s", POKER, SHORT).sha256 == paytable.sha256
    others: list[Paytable[PokerHand]] = [
        read_paytable("h2", "s", POKER, SHORT),
        read_paytable("h", "s2", POKER, SHORT),
        read_paytable("h", "s", POKER, SHORT | {"flush": "6 to 1"}),
        read_paytable("h", "s", POKER, {"flush": "5 to 1", "tens or better": "push"}),
        read_paytable("h", "s", POKER, {"flush": "5 to 1"}),
    ]
    assert len({paytable.sha256, *(other.sha256 for other in others)}) == len(others) + 1


def test_the_hash_is_of_a_text_that_a_person_can_check() -> None:
    assert big_50.RED_BLACK.text() == (
        "paytable Big 50 Red/Black\n"
        "source Big 50 rules as approved by the Washington State Gambling Commission\n"
        "scale colours of five cards\n"
        "all red | all red | 17 to 1\n"
        "all black | all black | 17 to 1\n"
    )


def test_top_odds_and_the_stake_that_fixed_prizes_need() -> None:
    paytable = read_paytable("h", "s", POKER, {"royal flush": "prize 5000.00 from 5.00", "flush": "25"})
    assert paytable.top_odds == 25
    assert paytable.prize_stake_min == 500
    assert big_50.POKER_HAND.prize_stake_min == 0
