"""Our frozen dataclasses are what Python's own would have made of the same classes."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError, field
from inspect import signature
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from protocols.frozen import SLOTS_MOST, dataclass

ItemT = TypeVar("ItemT")
WIDE: tuple[str, ...] = tuple(f"cents_{n}" for n in range(SLOTS_MOST + 1))


def _simple(declare: Any) -> tuple[type, ...]:  # noqa: ANN401

    @declare(frozen=True, slots=True)
    class Nothing:
        """One without a field."""

    @declare(frozen=True, slots=True)
    class Chip:
        """A value with and without defaults."""

        KINDS: ClassVar[int] = 4

        cents: int
        seat: int = 1
        names: tuple[str, ...] = ()

    @declare(frozen=True, slots=True)
    class Plaque(Chip):
        """One with the fields of another."""

        number: int = 0

    @declare(frozen=True, slots=True, kw_only=True)
    class Named:
        """One that takes its fields by name alone, in any order."""

        cents: int = 0
        seat: int

    @declare(frozen=True, slots=True)
    class Box(Generic[ItemT]):
        """One of any kind, and of a single field."""

        item: ItemT

    return Nothing, Chip, Plaque, Named, Box


def _more_than_fields(declare: Any) -> tuple[type, ...]:  # noqa: ANN401
    @declare(frozen=True, slots=True)
    class Listed:
        """One that is given, or makes, a list, and one more that it alone makes."""

        names: list[str] = field(default_factory=list)
        heard: list[str] = field(init=False, default_factory=list)

    @declare(frozen=True, slots=True)
    class Counted:
        """One that is more than what is compared, or shown."""

        cents: int
        sum_cents: int = field(init=False)
        least: int = field(init=False, default=5)
        heard: str = field(default="", compare=False, repr=False)
        number: int = field(default=0, hash=False)

        def __post_init__(self) -> None:
            if self.cents < 0:
                raise ValueError("less than nothing")
            object.__setattr__(self, "sum_cents", 2 * self.cents)

    return Listed, Counted


def _with_methods(declare: Any) -> tuple[type, ...]:  # noqa: ANN401
    @declare(frozen=True, slots=True)
    class Own:
        """One that does all of it in a way of its own."""

        cents: int

        def __init__(self, cents: int) -> None:
            object.__setattr__(self, "cents", cents + 1)

        def __repr__(self) -> str:
            return "mine"

        def __eq__(self, other: object) -> bool:
            return other == self.cents

        def __hash__(self) -> int:
            return 7

    @declare(frozen=True, slots=True)
    class AlmostEqual:  # noqa: PLW1641  # Python's own gives it one
        """One that compares in a way of its own, and is hashed by its fields."""

        cents: int

        def __eq__(self, other: object) -> bool:
            return isinstance(other, AlmostEqual)

    return Own, AlmostEqual


def _other(declare: Any) -> tuple[type, ...]:  # noqa: ANN401
    @declare(frozen=True, slots=True, eq=False)
    class Single:
        """One that equals itself alone."""

        cents: int

    @declare(slots=True)
    class Open:
        """One that is not frozen."""

        cents: int

    @declare(frozen=True, slots=True)
    class Undescribed:
        cents: int

    body = {"__annotations__": dict.fromkeys(WIDE, int), "__doc__": "One of many.", WIDE[-1]: 7}
    wide = declare(frozen=True, slots=True)(type("Wide", (), body | {"__module__": __name__}))
    return Single, Open, Undescribed, wide


def declared(declare: Any) -> dict[str, Any]:  # noqa: ANN401
    """Declare the same classes by this decorator."""
    groups = (_simple, _more_than_fields, _with_methods, _other)
    return {cls.__name__: cls for group in groups for cls in group(declare)}


OURS, PYTHONS = declared(dataclass), declared(dataclasses.dataclass)
VALUES: tuple[tuple[str, tuple[Any, ...], dict[str, Any]], ...] = (
    ("Nothing", (), {}),
    ("Chip", (500,), {}),
    ("Chip", (500, 2), {"names": ("a",)}),
    ("Plaque", (500, 2), {"number": 7}),
    ("Named", (), {"seat": 2, "cents": 5}),
    ("Named", (), {"seat": 2}),
    ("Box", (7,), {}),
    ("Box", (), {"item": "seven"}),
    ("Counted", (5,), {}),
    ("Counted", (5, "heard"), {"number": 6}),
    ("Own", (5,), {}),
    ("AlmostEqual", (5,), {}),
    ("Undescribed", (5,), {}),
    ("Wide", tuple(range(len(WIDE) - 1)), {}),
    ("Wide", (), {name: number for number, name in enumerate(WIDE)}),
)
WRONG: tuple[tuple[str, tuple[Any, ...], dict[str, Any]], ...] = (
    ("Chip", (), {}),
    ("Chip", (1, 2, (), 4), {}),
    ("Chip", (1,), {"colour": 2}),
    ("Chip", (1,), {"cents": 2}),
    ("Named", (1,), {}),
    ("Counted", (-1,), {}),
    ("Counted", (1,), {"sum_cents": 2}),
    ("Wide", (), {}),
)


def both(name: str, words: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, Any]:
    return OURS[name](*words, **named), PYTHONS[name](*words, **named)


def parameters(cls: Any) -> list[tuple[object, ...]]:  # noqa: ANN401
    """Return a call's parameters. What stands for "make a new one" has no value that is seen."""
    made = {each.name for each in dataclasses.fields(cls) if each.default_factory is not dataclasses.MISSING}
    taken = signature(cls).parameters.values()
    return [(each.name, each.kind, each.annotation, each.name in made or each.default) for each in taken]


def failure(cls: Any, words: tuple[Any, ...], named: dict[str, Any]) -> Exception:  # noqa: ANN401
    with pytest.raises((TypeError, ValueError)) as raised:
        cls(*words, **named)
    return raised.value


@pytest.mark.parametrize("name", OURS)
def test_a_class_is_described_as_pythons_own(name: str) -> None:
    ours, pythons = OURS[name], PYTHONS[name]
    assert parameters(ours) == parameters(pythons)
    assert ours.__match_args__ == pythons.__match_args__
    assert ours.__slots__ == pythons.__slots__
    assert [str(each) for each in dataclasses.fields(ours)] == [str(each) for each in dataclasses.fields(pythons)]
    assert name == "Undescribed" or ours.__doc__ == pythons.__doc__  # Python describes one by its signature


@pytest.mark.parametrize(("name", "words", "named"), VALUES)
def test_a_value_is_made_shown_and_compared_as_pythons_own(
    name: str, words: tuple[Any, ...], named: dict[str, Any]
) -> None:
    ours, pythons = both(name, words, named)
    again, _ = both(name, words, named)
    assert type(ours) is OURS[name]
    assert [getattr(ours, each) for each in ours.__slots__] == [getattr(pythons, each) for each in ours.__slots__]
    assert repr(ours) == repr(pythons)
    assert hash(ours) == hash(pythons) == hash(again)
    assert (ours == again) is (pythons == both(name, words, named)[1])
    assert dataclasses.asdict(ours) == dataclasses.asdict(pythons)


@pytest.mark.parametrize(("name", "words", "named"), VALUES)
def test_a_value_cannot_be_changed(name: str, words: tuple[Any, ...], named: dict[str, Any]) -> None:
    ours, _ = both(name, words, named)
    for each in (*ours.__slots__, "colour"):
        with pytest.raises(FrozenInstanceError, match=f"cannot assign to field '{each}'"):
            setattr(ours, each, 1)
        with pytest.raises(FrozenInstanceError, match=f"cannot delete field '{each}'"):
            delattr(ours, each)
    assert repr(ours) == repr(both(name, words, named)[0])


@pytest.mark.parametrize(("name", "words", "named"), VALUES)
def test_a_value_is_copied_as_pythons_own(name: str, words: tuple[Any, ...], named: dict[str, Any]) -> None:
    ours, pythons = both(name, words, named)
    for copied in (copy.copy(ours), copy.deepcopy(ours)):
        assert repr(copied) == repr(ours)
        assert hash(copied) == hash(pythons)


@pytest.mark.parametrize(("name", "words", "named"), WRONG)
def test_a_wrong_call_fails_as_pythons_own(name: str, words: tuple[Any, ...], named: dict[str, Any]) -> None:
    ours, pythons = (failure(cls, words, named) for cls in (OURS[name], PYTHONS[name]))
    assert type(ours) is type(pythons)
    assert str(ours) == str(pythons)


def test_what_has_other_values_differs() -> None:
    counted, chip = OURS["Counted"], OURS["Chip"]
    assert counted(1) == counted(1, "other")  # what is not compared
    assert counted(1, number=1) != counted(1, number=2)
    assert hash(counted(1, number=1)) == hash(counted(1, number=2))
    assert chip(1) != OURS["Plaque"](1)
    assert chip(1) != 1


def test_each_value_makes_its_own_list() -> None:
    listed = OURS["Listed"]
    one, other = listed(), listed()
    one.names.append("a")
    one.heard.append("b")
    assert (one.names, one.heard) == (["a"], ["b"])
    assert (other.names, other.heard) == ([], [])
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


def test_one_that_equals_itself_alone() -> None:
    single = OURS["Single"]
    one = single(1)
    assert one == one
    assert one != single(1)
    assert len({one, single(1)}) == 2


def test_one_that_is_not_frozen_is_pythons_own() -> None:
    value = OURS["Open"](1)
    value.cents = 2
    assert value == OURS["Open"](2)


def test_a_value_that_shows_itself_ends() -> None:
    listed = OURS["Listed"]()
    listed.names.append(listed)
    assert repr(listed).endswith("Listed(names=[...], heard=[])")


@dataclass(frozen=True, slots=True)
class Card:
    """One that pickle finds."""

    rank: int
    suits: tuple[str, ...] = ()


def test_a_value_goes_through_pickle() -> None:
    card = Card(2, ("hearts",))
    assert pickle.loads(pickle.dumps(card)) == card  # noqa: S301  # our own


def test_a_value_matches_by_place() -> None:
    match Card(2, ("hearts",)):
        case Card(rank, suits):
            assert (rank, suits) == (2, ("hearts",))


def test_only_a_class_that_makes_a_value_compiles_its_init() -> None:
    cls = declared(dataclass)["Box"]  # no base of another: Python 3.14 asks for those
    stands_in = vars(cls)["__init__"]
    assert not callable(stands_in)
    cls(1)
    assert callable(vars(cls)["__init__"])
