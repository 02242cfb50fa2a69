"""Backoff: twice as long each time, bounded, jittered, and forgotten when it worked."""

from __future__ import annotations

from drivers.backoff import Backoff


def test_each_wait_is_twice_the_one_before_up_to_the_bound() -> None:
    backoff = Backoff(0.5, 3.0, jitter=lambda: 1.0)
    assert [backoff.next_s() for _ in range(5)] == [0.5, 1.0, 2.0, 3.0, 3.0]


def test_a_wait_with_jitter_lies_in_its_upper_half() -> None:
    assert Backoff(1.0, 1.0, jitter=lambda: 0.0).next_s() == 0.5
    assert Backoff(1.0, 1.0, jitter=lambda: 0.5).next_s() == 0.75


def test_after_a_success_it_begins_again() -> None:
    backoff = Backoff(0.5, 3.0, jitter=lambda: 1.0)
    for _ in range(3):
        backoff.next_s()
    backoff.reset()
    assert backoff.next_s() == 0.5
