"""The bench's tally: holes and repeats in the sequence, money that does not add up, one word for all results."""

from __future__ import annotations

from typing import Any

import pytest

from daemon.tools.bench.client import EventHeard
from daemon.tools.bench.tally import Tally, summary

MS = 1_000_000


def heard(sequence: int, kind: str = "hand-dealt", latency_ns: int = MS, **data: Any) -> EventHeard:  # noqa: ANN401
    return EventHeard(kind, sequence, "t-1", data, latency_ns)


def settled(sequence: int, stakes: int, returned: int, take: int) -> EventHeard:
    money = {"stakes_cents": stakes, "returned_cents": returned, "take_cents": take}
    return heard(sequence, "round-settled", hands=2, **money)


def voided(sequence: int) -> EventHeard:
    return heard(sequence, "round-voided", reason="wrong count", returned_cents=500)


def tally_of(*events: EventHeard) -> Tally:
    tally = Tally()
    for event in events:
        tally.note(event)
    return tally


def test_a_sequence_may_begin_anywhere_and_then_has_no_hole() -> None:
    assert tally_of(heard(17), heard(18), heard(19)).holes == 0
    assert tally_of(heard(17), heard(19)).holes == 1


def test_what_comes_again_counts_once() -> None:
    tally = Tally()
    assert [tally.note(settled(number, 500, 0, 500)) for number in (1, 2, 2, 1, 3)] == [True, True, False, False, True]
    assert (tally.repeats, tally.holes, tally.rounds, tally.stakes_cents) == (2, 0, 3, 1500)


def test_a_round_is_over_when_it_is_settled_or_void() -> None:
    tally = tally_of(settled(1, 500, 0, 500), voided(2), heard(3))
    assert (tally.rounds, tally.kinds["round-voided"]) == (2, 1)


def test_a_round_whose_money_does_not_add_up_is_told() -> None:
    assert tally_of(settled(1, 500, 700, -200)).unbalanced == 0
    off_by_a_cent = tally_of(settled(1, 500, 700, -200), settled(2, 500, 0, 499))
    assert off_by_a_cent.unbalanced == 1
    assert "1 ROUNDS DO NOT BALANCE" in summary(off_by_a_cent, seed=7, seconds=1.0, rounds_asked=None)


def test_a_run_in_which_no_round_was_settled_does_not_claim_that_they_balance() -> None:
    for tally in (Tally(), tally_of(heard(1)), tally_of(voided(1))):
        told = summary(tally, seed=7, seconds=1.0, rounds_asked=None)
        assert "; no round was settled\n" in told
        assert "every round balances" not in told


def decided(sequence: int, decision: str) -> EventHeard:
    return heard(sequence, "player-decided", seat=1, decision=decision)


def test_decisions_are_told_where_there_are_any_the_commonest_first() -> None:
    tally = tally_of(decided(1, "fold"), decided(2, "play"), decided(3, "play"))
    assert "decisions 2 play, 1 fold" in summary(tally, seed=7, seconds=1.0, rounds_asked=None)
    assert "decisions" not in summary(Tally(), seed=7, seconds=1.0, rounds_asked=None)


@pytest.mark.parametrize(
    "other",
    [
        settled(2, 500, 0, 501),
        settled(2, 501, 0, 500),
        voided(2),
        heard(2, "hand-settled", seat=1, cards=["Ah"]),
        decided(2, "fold"),
    ],
    ids=["a cent", "a stake", "a void", "a hand", "a decision"],
)
def test_the_results_word_tells_any_two_results_apart(other: EventHeard) -> None:
    first = settled(1, 500, 0, 500)
    assert tally_of(first, settled(2, 500, 0, 500)).results_hash != tally_of(first, other).results_hash


def test_the_results_word_does_not_hang_on_time_or_on_what_else_was_said() -> None:
    first, later = heard(2, "round-settled", 9 * MS, **settled(2, 5, 0, 5).data), settled(9, 5, 0, 5)
    assert tally_of(heard(1), first).results_hash == tally_of(later).results_hash != Tally().results_hash


def test_the_results_word_is_the_same_at_another_time_and_from_another_terminal() -> None:
    words = {
        tally_of(heard(1, "round-settled", **settled(1, 5, 0, 5).data, journal_hash=journal_hash, who=who)).results_hash
        for journal_hash, who in (("aa", "app"), ("bb", "app"), ("aa", "dealer"))
    }
    assert len(words) == 1


def test_latency_is_the_quantile_of_what_was_heard() -> None:
    tally = tally_of(*(heard(number, latency_ns=number * MS) for number in range(1, 101)))
    assert (tally.latency_ms(0.5), tally.latency_ms(0.99), Tally().latency_ms(0.5)) == (51.0, 100.0, 0.0)


def test_a_run_that_was_cut_short_says_how_far_it_came() -> None:
    tally = tally_of(settled(1, 500, 0, 500))
    assert "rounds    1 of 20 in" in summary(tally, seed=7, seconds=2.0, rounds_asked=20)
    assert "rounds    1 in 2.0 s (0.5 a second), 0 void" in summary(tally, seed=7, seconds=2.0, rounds_asked=1)
