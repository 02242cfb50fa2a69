"""Values that are replaced quickly are what `dataclasses.replace` would have made."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from daemon.frozen import replace
from protocols.frozen import SLOTS_MOST, dataclass


@dataclass(frozen=True, slots=True)
class Chip:
    """A value with and without defaults."""

    cents: int
    seat: int = 1
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plaque(Chip):
    """One with the fields of another."""

    number: int = 0


@dataclass(frozen=True, slots=True)
class Single:
    """One of a single field."""

    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """One that takes its fields by name alone."""

    seat: int
    cents: int


@dataclasses.dataclass(frozen=True)
class Pythons:
    """One of Python's own dataclasses, with room for more than its fields."""

    cents: int
    seat: int = 1


@dataclass(frozen=True, slots=True)
class Checked:
    """One that looks at its fields when it is made."""

    least: int
    most: int

    def __post_init__(self) -> None:
        if self.least > self.most:
            raise ValueError("the least is more than the most")


NAMES = ("cents", *(f"cents_{n}" for n in range(SLOTS_MOST)))
Wide: Any = dataclass(frozen=True, slots=True)(
    type("Wide", (), {"__annotations__": dict.fromkeys(NAMES, int), "__module__": __name__})
)
VALUES = (
    Chip(500, names=("a",)), Plaque(500, 2, number=7), Single(500), Named(seat=2, cents=500), Pythons(500),
    Wide(*range(len(NAMES))),
)  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_replaced_value_is_the_one_that_dataclasses_make(value: Any) -> None:  # noqa: ANN401
    expected = dataclasses.replace(value, cents=1)
    made = replace(value, cents=1)
    assert type(made) is type(value)
    assert made == expected
    assert made != value
    assert repr(made) == repr(expected)
    assert hash(made) == hash(expected)
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.cents = 2


def test_a_field_that_the_class_does_not_have_is_not_replaced() -> None:
    with pytest.raises(KeyError):
        replace(Chip(1), colour=2)  # type: ignore[call-arg]


def test_a_value_that_is_checked_when_it_is_made_is_checked_when_it_is_replaced() -> None:
    with pytest.raises(ValueError, match="more than"):
        replace(Checked(1, 2), least=3)
