"""Turns what tomllib read into frozen dataclasses, and collects every problem on the way.

The dataclasses in `sections` declare what a configuration is: their fields are the keys, the annotations the
types and bounds. This module walks them beside the file's tables. msgspec converts and bounds each single value. The
walk is ours, because msgspec stops at the first error.

`UNREAD` takes the place of a value that could not be read, so that the rest of its table is still read and
checked against other keys. Everything inside an `UNREAD` is `UNREAD` too, and iterating over it yields nothing. So a
check asks `known` of the values that it compares. No other code meets an `UNREAD`, because a configuration with a
problem is never returned.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import date
from types import MappingProxyType
from typing import Annotated, Any, Final, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, inspect

from daemon.config.hints import info_of, key_of, without_none
from daemon.config.meant import meant_section, meant_value
from daemon.config.problems import KeyPath, Problem, ProblemCode, nearest, shown
from daemon.rules.house import House, keys_of, scale_of
from daemon.rules.paytable import Paytable, PaytableInvalidError, Scale
from daemon.rules.paytable_text import read_paytable
from protocols.frozen import dataclass

SectionT = TypeVar("SectionT")

NOTHING_BY_NAME: Final[Mapping[type[Any], Mapping[Any, type[Any]]]] = MappingProxyType({})


Text: TypeAlias = Annotated[
    str, Meta(pattern=r"\A[^\x00-\x1f]{1,255}\Z", description="1 to 255 characters on one line")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class PaytableSection:
    """A paytable of the house's own, top row first, in the words of its document."""

    name: Text
    source: Text
    rows: dict[Text, Text]


class _Unread:
    """Stands for a value that could not be read."""

    def __getattr__(self, name: str) -> _Unread:
        return self

    def __call__(self) -> _Unread:
        return self

    def __iter__(self) -> Iterator[object]:
        return iter(())


UNREAD: Final[Any] = _Unread()


def known(*values: object) -> bool:
    """Return whether all values exist and could be read, so that they can be compared."""
    return all(value is not None and value is not UNREAD for value in values)


def complete(value: object) -> bool:
    """Return whether all of a section could be read, so that settings can be made of it."""
    match value:
        case Paytable():
            return True  # a paytable is made whole or not at all, and has thousands of values
        case dict():
            return all(complete(inner) for inner in value.values())
        case tuple():
            return all(complete(inner) for inner in value)
        case _ if is_dataclass(value):
            return all(complete(getattr(value, field.name)) for field in fields(value))
        case _:
            return value is not UNREAD


def read(
    kind: type[SectionT],
    document: Mapping[str, object],
    problems: list[Problem],
    by_name: Mapping[type[Any], Mapping[Any, type[Any]]] = NOTHING_BY_NAME,
) -> SectionT:
    """Read the document as `kind`, and add what is wrong with it to `problems`.

    A class in `by_name` stands for others: which of them a table is depends on the table's name.
    """
    section: SectionT = _Reader(kind, problems, by_name).table(kind, document, ())
    return section


class _Reader:
    """One walk over a document, and the problems found on it."""

    def __init__(
        self, root: type[Any], problems: list[Problem], by_name: Mapping[type[Any], Mapping[Any, type[Any]]]
    ) -> None:
        self._root = root
        self._problems = problems
        self._by_name = by_name

    def table(self, kind: type[Any], raw: object, path: KeyPath) -> Any:  # noqa: ANN401  the kind says it
        if not isinstance(raw, dict):
            return self._wrong_type(raw, kind, path)
        hints = get_type_hints(kind, include_extras=True)
        by_key = {key_of(field): field for field in (keys_of(kind) if issubclass(kind, House) else fields(kind))}
        self._refuse_unknown(raw, by_key, path)
        values = {field.name: self._field(field, hints[field.name], raw, (*path, key)) for key, field in by_key.items()}
        return kind(**values)

    def _field(self, field: Field[Any], hint: object, raw: dict[str, object], where: KeyPath) -> object:
        key = where[-1]
        scale = scale_of(field)
        if key in raw and scale is not None:
            return self._paytable(scale, raw[key], where)
        if key in raw:
            return self._value(hint, raw[key], where)
        if field.default is not MISSING:
            return field.default
        if field.default_factory is not MISSING:
            return field.default_factory()
        return self._problem(ProblemCode.MISSING_KEY, where, "nothing", describe(hint))

    def _paytable(self, scale: Scale[Any], raw: object, where: KeyPath) -> object:
        """Read a paytable of the house's own. Each row must have a meaning and be reachable."""
        own = self.table(PaytableSection, raw, where)
        if not complete(own):
            return UNREAD
        try:
            return read_paytable(own.name, own.source, scale, own.rows)
        except PaytableInvalidError as error:
            allowed = "rows of the published scale, best first, none twice"
            for problem in error.problems:
                self._problem(ProblemCode.PAYTABLE, where, problem, allowed)
            return UNREAD

    def _value(self, hint: object, raw: object, path: KeyPath) -> object:
        bare = without_none(hint)
        if isinstance(bare, type) and is_dataclass(bare):  # msgspec would look at all of it, and refuses a paytable
            return self.table(bare, raw, path)
        match info_of(bare):
            case inspect.DictType():
                return self._named(bare, raw, path)
            case inspect.VarTupleType() as several:
                return self._several(bare, several, raw, path)
            case info:
                return self._single(bare, info, raw, path)

    def _named(self, hint: object, raw: object, path: KeyPath) -> object:
        """Read a table whose keys the operator chooses, within the type of its keys."""
        if not isinstance(raw, dict):
            return self._wrong_type(raw, hint, path)
        key_hint, value_hint = get_args(hint)
        named = {}
        for key, value in raw.items():
            name, where = self._name(key_hint, key, (*path, key)), (*path, key)
            if name is not UNREAD:
                named[name] = self._value(self._by_name.get(value_hint, {}).get(name, value_hint), value, where)
        return named

    def _name(self, hint: object, key: str, path: KeyPath) -> object:
        try:
            return msgspec.convert(key, hint)
        except msgspec.ValidationError:
            meant = nearest(key, _choices(info_of(hint)))
            return self._problem(ProblemCode.UNKNOWN_KEY, path, "an unknown key", describe(hint), meant)

    def _several(self, hint: object, info: inspect.VarTupleType, raw: object, path: KeyPath) -> object:
        if not isinstance(raw, list):
            return self._wrong_type(raw, hint, path)
        if len(raw) < (info.min_length or 0):
            return self._problem(ProblemCode.NOT_ALLOWED, path, "an empty list", describe(hint))
        item_hint = get_args(_without_metadata(hint))[0]
        return tuple(self._value(item_hint, item, (*path, place)) for place, item in enumerate(raw))

    def _single(self, hint: object, info: inspect.Type, raw: object, path: KeyPath) -> object:
        if type(raw) is not _toml_type(info):
            return self._wrong_type(raw, hint, path)
        try:
            return msgspec.convert(raw, hint)
        except msgspec.ValidationError:
            meant = nearest(raw, _choices(info)) if isinstance(raw, str) else None
            return self._problem(ProblemCode.NOT_ALLOWED, path, shown(raw), describe(hint), meant)

    def _refuse_unknown(self, raw: dict[str, object], by_key: Mapping[str, object], path: KeyPath) -> None:
        for key in raw:
            if key not in by_key:
                allowed = "one of " + ", ".join(by_key)
                meant = meant_section(self._root, key) or nearest(key, by_key) or self._of_another(key, path)
                self._problem(ProblemCode.UNKNOWN_KEY, (*path, key), "an unknown key", allowed, meant)

    def _of_another(self, key: str, path: KeyPath) -> str | None:
        """Return where a key belongs that is the option of another name, as of another game."""
        kinds = next((by_name for by_name in self._by_name.values() if len(path) == 2), {})
        named = [name for name, kind in kinds.items() if key in map(key_of, keys_of(kind))]
        return f"{key} in [{path[0]}.{named[0].value}]" if len(named) == 1 else None

    def _wrong_type(self, raw: object, hint: object, path: KeyPath) -> object:
        meant = meant_value(hint, raw, path)
        return self._problem(ProblemCode.WRONG_TYPE, path, shown(raw), describe(hint), meant)

    def _problem(self, code: ProblemCode, path: KeyPath, found: str, allowed: str, meant: str | None = None) -> object:
        self._problems.append(Problem(code, path, found, allowed, meant))
        return UNREAD


def describe(hint: object) -> str:
    """Say to an operator what a type allows. An annotation's own description comes first."""
    bare = without_none(hint)
    if is_dataclass(bare):
        return "a table of keys"
    whole = inspect.type_info(bare)
    if isinstance(whole, inspect.Metadata) and whole.extra_json_schema:
        return str(whole.extra_json_schema["description"])
    match info_of(bare):
        case inspect.IntType(ge=least, le=most):
            return f"a whole number from {least} to {most}"
        case inspect.BoolType():
            return "true or false"
        case inspect.DateType():
            return "a day, as 2009-01-31 without quotes"
        case inspect.EnumType() as info:
            return "one of " + ", ".join(_choices(info))
        case inspect.VarTupleType():
            return "a list"
        case inspect.DictType():
            return "a table of keys"
        case _:
            return "text"


def _without_metadata(hint: object) -> object:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def _choices(info: inspect.Type) -> list[str]:
    return [str(member.value) for member in info.cls] if isinstance(info, inspect.EnumType) else []


def _toml_type(info: inspect.Type) -> type:
    match info:
        case inspect.IntType():
            return int
        case inspect.BoolType():
            return bool
        case inspect.DateType():
            return date
        case inspect.EnumType(cls=choices):
            return type(next(iter(choices)).value)
        case _:
            return str
