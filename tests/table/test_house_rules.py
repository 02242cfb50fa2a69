"""The house rules find what they are for."""

from __future__ import annotations

import pytest

from tests.house_rules import any_in, constants_asserted_in, costly_classes_in, games_named_in


@pytest.mark.parametrize(
    "source", ["from typing import Any", "def set(**changes: Any): ...", "import typing\nx: typing.Any = 1"]
)
def test_any_is_found(source: str) -> None:
    assert list(any_in(source))


def test_a_word_that_holds_any_is_not_taken_for_it() -> None:
    assert not list(any_in("anybody = any([])  # Any other word"))


@pytest.mark.parametrize(
    "source",
    [
        "own.blackjack",
        "def set_big_draw(): ...",
        "from daemon.rules.big_50 import HOUSE",
        "# Big Raise shows its up card",
        "GameName.BAD_BEAT_BLACKJACK",
        "x: BigDrawRound",
    ],
)
def test_a_games_name_is_found(source: str) -> None:
    assert list(games_named_in(source))


def test_an_assertion_that_is_a_constant_where_its_condition_does_not_hold_is_found() -> None:
    assert list(constants_asserted_in("assert many >= 10 if busy else 7"))
    assert list(constants_asserted_in("assert True if calm else many >= 10"))
    assert not list(constants_asserted_in("assert many >= (10 if busy else 7)"))
    assert not list(constants_asserted_in("assert many if busy else not many"))


def test_a_frozen_class_of_pythons_own_is_found() -> None:
    frozen, ours = "@dataclass(frozen=True, slots=True)\nclass Chip: ...", "from protocols.frozen import dataclass"
    assert list(costly_classes_in(f"from dataclasses import dataclass, field\n{frozen}")) == [1]
    assert not list(costly_classes_in(f"from dataclasses import field\n{ours}\n{frozen}"))
    assert not list(costly_classes_in("from dataclasses import dataclass\n@dataclass(slots=True)\nclass Open: ..."))
