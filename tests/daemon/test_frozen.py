"""Values that are made and replaced quickly are what dataclasses would have made."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import dataclass, field
from inspect import signature
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from daemon.frozen import SLOTS_MOST, quick, replace


@quick
@dataclass(frozen=True, slots=True)
class Chip:
    """A value with and without defaults."""

    KINDS: ClassVar[int] = 4

    cents: int
    seat: int = 1
    names: tuple[str, ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class Plaque(Chip):
    """One with the fields of another."""

    number: int = 0


ItemT = TypeVar("ItemT")


@quick
@dataclass(frozen=True, slots=True)
class Box(Generic[ItemT]):
    """One of any kind, and of a single field."""

    item: ItemT


Wide: type[Any] = quick(
    dataclasses.make_dataclass(
        "Wide", [(f"cents_{n}", int, field(default=n)) for n in range(SLOTS_MOST + 1)], frozen=True, slots=True
    )
)


@dataclass(frozen=True, slots=True)
class Plain:
    """What `quick` has not seen."""

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


@pytest.mark.parametrize("value", [Chip(500, names=("a",)), Plaque(500, 2, number=7), Plain(500)])
def test_a_replaced_value_is_the_one_that_dataclasses_make(value: Chip | Plain) -> None:
    expected = dataclasses.replace(value, cents=1)
    made = replace(value, cents=1)
    assert type(made) is type(value)
    assert made == expected
    assert made != value
    assert repr(made) == repr(expected)
    assert hash(made) == hash(expected)


@pytest.mark.parametrize("made", [Chip(500), replace(Chip(1), cents=500), Plaque(500), replace(Plain(1), cents=500)])
def test_what_was_made_is_frozen(made: Chip | Plain) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.cents = 1  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del made.cents
    assert made.cents == 500


@pytest.mark.parametrize("made", [Chip(500, names=("a",)), Plaque(500, 2, number=7)])
def test_a_value_goes_through_pickle_and_copy(made: Chip | Plain) -> None:
    assert pickle.loads(pickle.dumps(made)) == made  # noqa: S301  # our own
    assert copy.deepcopy(made) == copy.copy(made) == made


@pytest.mark.parametrize("cls", [Chip, Plaque, Box, Wide])
def test_a_value_is_made_with_the_parameters_of_its_class(cls: type[Any]) -> None:
    fields = dataclasses.fields(cls)
    plain = dataclasses.make_dataclass(
        "Plain", [(each.name, int, field(default=each.default)) for each in fields], frozen=True, slots=True
    )
    assert [*signature(cls).parameters] == [*signature(plain).parameters] == [each.name for each in fields]
    values = list(range(7, 7 + len(fields)))
    for made in (cls(*values), cls(**{each.name: value for each, value in zip(fields, values, strict=True)})):
        assert [getattr(made, each.name) for each in fields] == values
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(made, fields[0].name, 1)


def test_a_class_that_takes_its_fields_by_name_alone_is_not_made_quickly() -> None:
    @dataclass(frozen=True, slots=True, kw_only=True)
    class Named:
        cents: int
        seat: int

    with pytest.raises(TypeError):
        quick(Named)


def test_a_value_matches_and_is_read_as_before() -> None:
    match Plaque(500, 3, number=7):
        case Plaque(cents, seat, names, number):
            assert (cents, seat, names, number) == (500, 3, (), 7)
    assert Chip.__match_args__ == ("cents", "seat", "names")
    assert isinstance(Plaque(1), Chip)


@pytest.mark.parametrize("named", [{}, {"cents": 1, "colour": 2}])
def test_a_wrong_call_makes_nothing(named: dict[str, int]) -> None:
    with pytest.raises(TypeError):
        Chip(**named)  # type: ignore[arg-type]


def test_a_field_that_the_class_does_not_have_is_not_replaced() -> None:
    with pytest.raises(KeyError):
        replace(Chip(1), colour=2)  # type: ignore[call-arg]


def test_a_value_that_is_checked_when_it_is_made_is_checked_when_it_is_replaced() -> None:
    with pytest.raises(ValueError, match="more than"):
        replace(Checked(1, 2), least=3)


def test_a_class_whose_values_are_more_than_their_fields_is_not_made_quickly() -> None:
    @dataclass(frozen=True, slots=True)
    class Listed:
        names: list[str] = field(default_factory=list)
        count: int = 0

    for special in (Checked, Listed):
        with pytest.raises(TypeError):
            quick(special)
