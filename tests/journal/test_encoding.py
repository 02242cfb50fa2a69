"""Encoding: what is written can be read, and what cannot be read is refused by where and what, never by value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from operator import or_
from typing import Any, cast, get_args

import pytest
from hypothesis import HealthCheck, given, settings

from daemon.journal.encoding import Codec, fields_codec
from daemon.journal.kinds import FACT_KINDS, KINDS
from daemon.journal.record import INPUTS
from daemon.journal.values import EncodingError
from daemon.table.carry_over import CarryOver
from daemon.table.facts import Fact, FactData
from daemon.table.inputs import Action, Configured, Input, Request
from daemon.table.settings import TableSettings
from daemon.table.step import Answer
from daemon.table.vocabulary import SeatNumber
from drivers.commands import CommandDue, DeviceCommand
from drivers.events import DeviceEvent, DeviceReport
from protocols.cards import Card, Face, Misread, parse_cards
from tests.journal.any_value import KINDS_OF_HOUSE, anything
from tests.journal.values import dispensed
from tests.support.sentences import Says

UNIONS: dict[str, Any] = {
    "House": reduce(or_, KINDS_OF_HOUSE),
    "Input": Input,
    "DeviceEvent": DeviceEvent,
    "Action": Action,
    "DeviceCommand": DeviceCommand,
    "FactData": FactData,
}
HOLDERS: tuple[type, ...] = (Fact, Answer, CommandDue, TableSettings, Configured, DeviceReport, Request, CarryOver)


def members(union: object) -> tuple[type, ...]:
    return get_args(union) or (cast(type, union),)


EVERY_CLASS = [*dict.fromkeys(cls for union in UNIONS.values() for cls in members(union)), *HOLDERS]


@pytest.mark.parametrize("union", UNIONS)
def test_every_member_of_every_union_has_a_public_name(union: str) -> None:
    names = [
        KINDS.get(cls, f"none for {cls.__name__}: add it to daemon/journal/kinds.py") for cls in members(UNIONS[union])
    ]
    assert not [name for name in names if name.startswith("none")]
    assert len(set(names)) == len(names)


def test_a_name_stands_for_no_class_that_is_gone() -> None:
    known = {cls for union in UNIONS.values() for cls in members(union)} | {CarryOver}
    assert set(KINDS) == known
    assert set(FACT_KINDS) == set(members(FactData))


@pytest.mark.parametrize("omit_defaults", [False, True], ids=["in full", "without defaults"])
@pytest.mark.parametrize("cls", EVERY_CLASS, ids=lambda cls: cls.__name__)
def test_any_value_comes_back_as_it_was(cls: type, omit_defaults: bool) -> None:
    codec: Codec[Any] = Codec(cls, KINDS, omit_defaults=omit_defaults)

    @settings(max_examples=15, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
    @given(value=anything(cls))
    def comes_back(value: object) -> None:
        written = codec.encode(value)
        assert codec.decode(written) == value
        assert codec.encode(codec.decode(written)) == written

    comes_back()


@dataclass(frozen=True, slots=True)
class Odds:
    pays: Fraction
    row: str = "any"


@dataclass(frozen=True, slots=True)
class Push:
    kind_of_push: str


@dataclass(frozen=True, slots=True)
class Everything:
    """Every form that a state may use."""

    maybe: int | None
    pair: tuple[int, str]
    seats: Mapping[SeatNumber, tuple[Card, ...]]
    names: Mapping[str, Face]
    cards: frozenset[Card]
    outcome: Odds | Push | None
    flags: tuple[bool, ...]


EVERYTHING = Codec[Everything](Everything, {Odds: "odds", Push: "push"})


@settings(max_examples=100, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
@given(value=anything(Everything))
def test_every_form_that_a_state_may_use_comes_back(value: Everything) -> None:
    assert EVERYTHING.decode(EVERYTHING.encode(value)) == value


def test_the_spelling_is_fixed() -> None:
    ace, deuce = parse_cards("Ah 2c")
    value = Everything(
        None,
        (1, "x"),
        {SeatNumber(3): (ace,)},
        {"a": Misread.BOXED},
        frozenset((deuce, ace)),
        Odds(Fraction(3, 2)),
        (True,),
    )
    assert EVERYTHING.encode(value) == (
        b'{"maybe":null,"pair":[1,"x"],"seats":[[3,["Ah"]]],"names":{"a":"[]"},"cards":["2c","Ah"],'
        b'"outcome":{"kind":"odds","pays":"3/2","row":"any"},"flags":[true]}'
    )


def test_a_field_with_a_default_may_be_missing() -> None:
    assert Codec[Odds](Odds, {}).decode('{"pays":"3/2"}') == Odds(Fraction(3, 2))


@dataclass(frozen=True, slots=True)
class Counted:
    """Defaults of every form."""

    cards: int = 0
    is_known: bool = False
    seats: tuple[int, ...] = ()
    inner: Odds = field(default_factory=lambda: Odds(Fraction(1)))


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (Counted(), b"{}"),
        (Counted(5, True, (1,), Odds(Fraction(2))), b'{"cards":5,"is_known":true,"seats":[1],"inner":{"pays":"2"}}'),
        (Counted(inner=Odds(Fraction(1), "flush")), b'{"inner":{"pays":"1","row":"flush"}}'),
    ],
)
def test_a_default_is_left_out_where_it_is_asked_for_and_comes_back(value: Counted, written: bytes) -> None:
    codec = Codec[Counted](Counted, {}, omit_defaults=True)
    assert codec.encode(value) == written
    assert codec.decode(written) == value


@pytest.mark.parametrize("value", [Counted(cards=False), Counted(is_known=0)])  # type: ignore[arg-type]
def test_what_is_only_equal_to_a_default_is_not_taken_for_it(value: Counted) -> None:
    with pytest.raises(EncodingError):
        Codec[Counted](Counted, {}, omit_defaults=True).encode(value)


def test_the_kind_stays_out_where_somebody_else_keeps_it() -> None:
    assert fields_codec(Odds, {Odds: "odds"}).encode(Odds(Fraction(1))) == b'{"pays":"1","row":"any"}'
    assert Codec[Odds](Odds, {Odds: "odds"}).encode(Odds(Fraction(1))) == b'{"kind":"odds","pays":"1","row":"any"}'


REPORT: dict[str, Any] = INPUTS.to_builtins(dispensed(1))  # type: ignore[assignment]


def changed(**changes: object) -> dict[str, Any]:
    """The report with some of its event's fields otherwise."""
    return REPORT | {"event": REPORT["event"] | changes}


@pytest.mark.parametrize(
    "written",
    [
        [],
        REPORT | {"kind": "tea"},
        {key: REPORT[key] for key in REPORT if key != "kind"},
        REPORT | {"tea": 1},
        {key: REPORT[key] for key in REPORT if key != "at"},
        REPORT | {"at": {"utc_ns": 1.0, "mono_ns": 1}},
        changed(position=True),
        changed(position="1"),
        changed(position=None),
        changed(faces="Ah"),
        changed(faces=["Ah", "AH"]),
        changed(faces=["Ah", 7]),
        changed(kind="tea"),
        changed(kind="jam"),
    ],
)
def test_what_cannot_be_read_is_refused_by_where_and_what(written: object, says: Says) -> None:
    with pytest.raises(EncodingError) as refused:
        INPUTS.from_builtins(written)
    says(str(refused.value))


@pytest.mark.parametrize("faces", [["Ah", "Kx"], ["Ah", "Kd", []], "Ah Kd"])
def test_no_refusal_spells_a_card(faces: object) -> None:
    with pytest.raises(EncodingError) as refused:
        INPUTS.from_builtins(changed(faces=faces))
    assert "Kd" not in str(refused.value)
    assert "Kx" not in str(refused.value)
    assert "found" in str(refused.value) or "as Ah or 2c" in str(refused.value)


@pytest.mark.parametrize("text", ["", "{", "[1,]", b"\xff", '"\\ud800"', "1 2"])
def test_what_is_not_json_is_refused(text: str | bytes, says: Says) -> None:
    with pytest.raises(EncodingError) as raised:
        INPUTS.decode(text)
    says(raised.value)


@pytest.mark.parametrize(
    "value",
    [
        Odds("3/2"),  # type: ignore[arg-type]
        Odds(Fraction(3, 2), 7),  # type: ignore[arg-type]
        Push("x"),
    ],
)
def test_what_could_not_be_read_again_is_not_written(value: Odds, says: Says) -> None:
    with pytest.raises(EncodingError) as refused:
        Codec[Odds](Odds, {}).encode(value)
    says(str(refused.value))


@pytest.mark.parametrize("text", ["", "1/0", "a/b", "1/2/3", "0.5"])
def test_a_fraction_is_a_whole_number_over_another(text: str, says: Says) -> None:
    with pytest.raises(EncodingError) as raised:
        Codec[Odds](Odds, {}).from_builtins({"pays": text})
    says(raised.value)


def test_a_misread_is_no_card(says: Says) -> None:
    with pytest.raises(EncodingError) as raised:
        Codec[Card](Card, {}).from_builtins("??")
    says(raised.value)
    with pytest.raises(EncodingError) as raised:
        Codec[Any](Card, {}).to_builtins(Misread.UNREADABLE)
    says(raised.value)


@dataclass(frozen=True, slots=True)
class WithKind:
    kind: str


@pytest.mark.parametrize(
    ("type_", "kinds"),
    [
        (float, {}),
        (object, {}),
        (list[int], {}),
        (int | str, {}),
        (Odds | Push, {Odds: "odds"}),
        (Odds | Push, {Odds: "same", Push: "same"}),
        (WithKind, {WithKind: "with-kind"}),
    ],
    # Python 3.14 calls the type of a union by another name.
    ids=[
        "a float",
        "anything",
        "a list",
        "a union",
        "no name for a member",
        "one name for two",
        "a field called kind",
    ],
)
def test_a_type_without_a_stable_spelling_is_refused_before_anything_is_written(
    type_: object, kinds: dict[type, str], says: Says
) -> None:
    with pytest.raises(TypeError) as raised:
        Codec[Any](type_, kinds)
    says(raised.value)
