"""Frozen dataclasses to JSON and back: explicit, stable, strict.

A `Codec` is compiled once from a type's annotations into a pair of plain functions. Both directions check every leaf.
A value that is written and cannot be read again would lose the journal, so it is refused before it is committed.

How values are written:
- a dataclass is an object of its fields; one that `kinds` names also has its `kind`;
- an enum is its value, a card or misread its text, a fraction `3/2`;
- tuples and sets are arrays; mappings with text keys are objects, other mappings arrays of pairs.

A field with a default may be missing when it is read, so that fields can be added. An unknown field is an error, so
that nothing recorded is silently dropped. Fields that a class names in `RETIRED` are read from older journals and
dropped on purpose. With `omit_defaults`, a field that has its default is not written. Then an older version, which does
not know the field, can still read every value that does not use it. A class with `OMITS_DEFAULTS` is always written so.

A house's options (`daemon.rules.house`) are written without the table's money. A paytable is null where it is the
published one, else an object of its name, its source and its rows in words.

What nobody reads back (`is_read=False`) is written by msgspec itself where it writes the same, without the checks: the
retained picture is made again after each input, and mypy has seen what its fields are.

Errors name the place and the type that was found, never the value: it may be a card that players have not seen.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, Final, Generic, NewType, TypeAlias, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import msgspec

from daemon.journal.values import LEAVES, EncodingError, Pair, own_paytable, write_for_msgspec
from daemon.rules.house import House, options_of
from daemon.rules.money import IN_JOURNALS

T = TypeVar("T")
_NEVER: Final = object()  # equal to no field's value
_Work: TypeAlias = "tuple[str, object, Callable[[Any], object] | None]"
"""A field that needs more than to be there: the default with which it is left out, and how it is written."""


class Codec(Generic[T]):
    """Write and read values of one type. Compiling raises TypeError if the type has no stable spelling."""

    def __init__(
        self,
        type_: object,
        kinds: Mapping[type, str],
        *,
        omit_defaults: bool = False,
        is_read: bool = True,
        is_new: bool = False,
    ) -> None:
        self._pair = _Compiler(kinds, omit_defaults, is_read, is_new).pair(type_)

    def to_builtins(self, value: T) -> object:
        """Return the value as dicts, lists, texts and numbers."""
        return msgspec.to_builtins(self._pair.write(value))

    def from_builtins(self, value: object) -> T:
        """Return the value that `to_builtins` was given, or raise EncodingError."""
        return cast(T, self._pair.read(value))

    def encode(self, value: T) -> bytes:
        """Return the value as JSON. Equal values give equal bytes."""
        return msgspec.json.encode(self._pair.write(value), enc_hook=write_for_msgspec)

    def decode(self, text: str | bytes) -> T:
        """Return the value of this JSON, or raise EncodingError."""
        try:
            plain = msgspec.json.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise EncodingError("not JSON") from error
        return self.from_builtins(plain)


def fields_codec(cls: type[T], kinds: Mapping[type, str], *, is_new: bool = False) -> Codec[T]:
    """Return a codec for one class that leaves out its `kind`, for a caller that stores the kind elsewhere.

    What is new, and not out of a journal, has the fields that `is_owed_now` names.
    """
    return Codec(cls, {known: kind for known, kind in kinds.items() if known is not cls}, is_new=is_new)


def is_owed_now(field: dataclasses.Field[Any]) -> bool:
    """Return whether only an older journal may lack this field, or have none in it."""
    has_default = field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING
    return IN_JOURNALS in field.metadata and not has_default


class _Compiler:
    """Turns annotations into plain functions, once."""

    def __init__(self, kinds: Mapping[type, str], omit_defaults: bool, is_read: bool, is_new: bool) -> None:
        self._kinds = kinds
        self._is_new = is_new
        self._is_read = is_read
        self._omit_defaults = omit_defaults
        self._made: dict[object, Pair] = dict(LEAVES)

    def pair(self, type_: Any) -> Pair:  # noqa: ANN401  # an annotation can be any object
        if type_ not in self._made:
            self._made[type_] = self._make(type_)
        return self._made[type_]

    def _make(self, type_: Any) -> Pair:  # noqa: ANN401
        if isinstance(type_, NewType):
            return self.pair(type_.__supertype__)
        origin, args = get_origin(type_), get_args(type_)
        if origin in (Union, UnionType):
            return self._union(args)
        if origin is tuple:
            return self._many(args[0], tuple) if args[-1] is Ellipsis else self._row(args)
        if origin is frozenset:
            return self._many(args[0], frozenset)
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return self._mapping(*args)
        if isinstance(type_, type) and issubclass(type_, Enum):
            return _enum(type_)
        if type_ is House:
            return self._choice(tuple(known for known in self._kinds if issubclass(known, House)))
        if dataclasses.is_dataclass(type_) and isinstance(type_, type):
            return self._record(type_, self._kinds.get(type_))
        raise TypeError(f"{type_!r} has no stable spelling in a journal: use a frozen dataclass or an exact type")

    def _union(self, args: tuple[Any, ...]) -> Pair:
        members = tuple(arg for arg in args if arg is not NoneType)
        inner = self.pair(members[0]) if len(members) == 1 else self._choice(members)
        return inner if len(members) == len(args) else _optional(inner)

    def _choice(self, members: tuple[Any, ...]) -> Pair:
        named = {member: self._kind_of(member) for member in members}
        if len(set(named.values())) < len(named):
            raise TypeError(f"two members of this union have the same name: {sorted(named.values())}")
        by_class = {member: self._record(member, kind) for member, kind in named.items()}
        return _choice(by_class, {named[member]: pair for member, pair in by_class.items()})

    def _kind_of(self, member: Any) -> str:  # noqa: ANN401
        if not dataclasses.is_dataclass(member):
            raise TypeError(f"{member!r} cannot be told from the others of its union")
        cls = cast(type, member)
        if cls not in self._kinds:
            raise TypeError(f"{cls.__name__} has no public name: give it one in daemon/journal/kinds.py")
        return self._kinds[cls]

    def _record(self, cls: type, kind: str | None) -> Pair:
        hints = get_type_hints(cls)
        fields = options_of(cls) if issubclass(cls, House) else dataclasses.fields(cast(Any, cls))
        pairs = tuple((field.name, own_paytable(field) or self.pair(hints[field.name])) for field in fields)
        if kind is not None and any(name == "kind" for name, _ in pairs):
            raise TypeError(f"{cls.__name__} has a field called kind, which is where its name is written")
        owed = {f.name for f in fields if self._is_new and is_owed_now(f)}
        pairs = tuple((name, _never_none(pair) if name in owed else pair) for name, pair in pairs)
        found = {f.name: default_of(f) for f in fields if f.name not in owed}
        defaults = {name: value for name, value in found.items() if value is not dataclasses.MISSING}
        required = frozenset(f.name for f in fields if f.name not in defaults)
        omits = self._omit_defaults or getattr(cls, "OMITS_DEFAULTS", False)
        read = _record_reader(cls, dict(pairs), required, kind)
        if not (self._is_read or omits or kind or issubclass(cls, House)) and all(pair.is_json for _, pair in pairs):
            return _written_by_msgspec(cls, read)
        return Pair(_record_writer(cls, pairs, kind, defaults if omits else {}), read)

    def _many(self, item: object, build: Callable[[list[object]], object]) -> Pair:
        pair = self.pair(item)
        order: Callable[[list[object]], list[object]] = _sorted if build is frozenset else list

        def write(values: Any) -> list[object]:  # noqa: ANN401
            return order(values if pair.as_is.issuperset(map(type, values)) else _each(pair.write, values))

        def read(value: object) -> object:
            return build(_each(pair.read, _array(value)))

        if build is tuple and pair.is_json and not self._is_read:
            return _written_by_msgspec(tuple, read)
        return Pair(write, read)

    def _row(self, items: tuple[object, ...]) -> Pair:
        pairs = tuple(self.pair(item) for item in items)

        def convert(functions: tuple[Callable[[Any], object], ...], value: Any) -> list[object]:  # noqa: ANN401
            if len(value) != len(functions):
                raise EncodingError(f"expected {len(functions)} items, found {len(value)}")
            return [_within(str(place), f, item) for place, (f, item) in enumerate(zip(functions, value, strict=True))]

        writers, readers = tuple(p.write for p in pairs), tuple(p.read for p in pairs)
        return Pair(lambda value: convert(writers, value), lambda value: tuple(convert(readers, _array(value))))

    def _mapping(self, key: object, item: object) -> Pair:
        row = self._row((key, item))

        def write(value: Mapping[object, object]) -> list[Any]:
            return _each(row.write, value.items())

        def read(rows: Iterable[object]) -> dict[object, object]:
            return dict(cast("list[tuple[object, object]]", _each(row.read, rows)))

        if self._is_text(key):
            return Pair(lambda value: dict(write(value)), lambda value: read(map(list, _object(value).items())))
        return Pair(write, lambda value: read(_array(value)))

    def _is_text(self, key: Any) -> bool:  # noqa: ANN401
        if isinstance(key, NewType):
            return self._is_text(key.__supertype__)
        if isinstance(key, type) and issubclass(key, Enum):
            return all(isinstance(member.value, str) for member in key)
        return key is str


def _within(step: str, convert: Callable[[Any], object], value: object) -> object:
    try:
        return convert(value)
    except EncodingError as error:
        error.path.append(step)
        raise


def _each(convert: Callable[[Any], object], values: Any) -> list[object]:  # noqa: ANN401
    converted: list[object] = []
    try:
        for value in values:
            converted.append(convert(value))  # noqa: PERF401  # where one fails, the length says which
    except EncodingError as error:
        error.path.append(str(len(converted)))
        raise
    return converted


def _array(value: object) -> list[object]:
    if type(value) is not list:
        raise EncodingError(f"expected an array, found {type(value).__name__}")
    return value


def _object(value: object) -> dict[str, object]:
    if type(value) is not dict:
        raise EncodingError(f"expected an object, found {type(value).__name__}")
    return value


def _sorted(values: list[object]) -> list[object]:
    return sorted(values, key=msgspec.json.encode)


def _optional(inner: Pair) -> Pair:
    return Pair(
        lambda value: None if value is None else inner.write(value),
        lambda value: None if value is None else inner.read(value),
        inner.as_is | {NoneType},
        inner.is_json,
    )


def _never_none(pair: Pair) -> Pair:
    def read(value: object) -> object:
        if value is None:
            raise EncodingError("expected a value, found none")
        return pair.read(value)

    return dataclasses.replace(pair, read=read)


def _enum(cls: type[Enum]) -> Pair:
    by_value = {(type(member.value), member.value): member for member in cls}

    def write(value: object) -> object:
        if type(value) is not cls:
            raise EncodingError(f"expected {cls.__name__}, found {type(value).__name__}")
        return value

    def read(value: object) -> Enum:
        member = by_value.get((type(value), value)) if isinstance(value, str | int) else None
        if member is None:
            raise EncodingError(f"not one of {cls.__name__}'s values: {', '.join(str(m.value) for m in cls)}")
        return member

    return Pair(write, read, frozenset({cls}), is_json=True)  # msgspec writes a member as its value


def _written_by_msgspec(cls: type, read: Callable[[Any], object]) -> Pair:
    return Pair(lambda value: value, read, frozenset({cls}), is_json=True)


def _choice(by_class: Mapping[type, Pair], by_kind: Mapping[str, Pair]) -> Pair:
    def write(value: object) -> object:
        pair = by_class.get(type(value))
        if pair is None:
            raise EncodingError(f"expected one of {sorted(by_kind)}, found {type(value).__name__}")
        return pair.write(value)

    def read(value: object) -> object:
        kind = _object(value).get("kind")
        pair = by_kind.get(kind) if isinstance(kind, str) else None
        if pair is None:
            raise EncodingError(f"unknown kind {kind!r}; this version knows {', '.join(sorted(by_kind))}")
        return pair.read(value)

    return Pair(write, read)


def default_of(field: dataclasses.Field[Any]) -> object:
    """Return what a field is where a journal does not have it, or MISSING."""
    if IN_JOURNALS in field.metadata:
        return field.metadata[IN_JOURNALS]
    return field.default if field.default_factory is dataclasses.MISSING else field.default_factory()


def _record_writer(
    cls: type, pairs: tuple[tuple[str, Pair], ...], kind: str | None, omitted: Mapping[str, object]
) -> Callable[[Any], object]:
    head: dict[str, object] = {} if kind is None else {"kind": kind}
    names = tuple(name for name, _ in pairs)
    values_of = _fields_of(names)
    work: dict[tuple[type, ...], tuple[_Work, ...]] = {}  # by the types of the fields' values, of which there are few

    def work_of(types: tuple[type, ...]) -> tuple[_Work, ...]:
        found = []
        for (name, pair), given in zip(pairs, types, strict=True):
            default = omitted.get(name, _NEVER)
            # The types are compared too: 0 is equal to False, and must not be dropped where False is the default.
            is_omitted, is_written = given is type(default), given not in pair.as_is
            if is_omitted or is_written:
                found.append((name, default if is_omitted else _NEVER, pair.write if is_written else None))
        return work.setdefault(types, tuple(found))

    def write(value: object) -> object:
        if type(value) is not cls:
            raise EncodingError(f"expected {cls.__name__}, found {type(value).__name__}")
        values, name = values_of(value), ""
        types = tuple(map(type, values))
        written = head.copy()
        written.update(zip(names, values, strict=True))
        try:
            for name, default, write_field in work[types] if types in work else work_of(types):
                item = written[name]
                if item is default or (default is not _NEVER and item == default):
                    del written[name]
                elif write_field is not None:
                    written[name] = write_field(item)
        except EncodingError as error:
            error.path.append(name)
            raise
        return written

    return write


def _fields_of(names: tuple[str, ...]) -> Callable[[object], tuple[object, ...]]:
    """Return what reads all these fields of a value at once."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: tuple(getattr(value, name) for name in names)


def _record_reader(
    cls: type, pairs: dict[str, Pair], required: frozenset[str], kind: str | None
) -> Callable[[Any], object]:
    retired: frozenset[str] = getattr(cls, "RETIRED", frozenset())
    earlier = {f.name: f.metadata[IN_JOURNALS] for f in dataclasses.fields(cast(Any, cls)) if IN_JOURNALS in f.metadata}

    def read(value: object) -> object:
        given = {name: item for name, item in _object(value).items() if name not in retired}
        if kind is not None and given.pop("kind", None) != kind:
            raise EncodingError(f"expected the kind {kind}")
        if not given.keys() <= pairs.keys():
            raise EncodingError(f"{cls.__name__} has no field {sorted(given.keys() - pairs.keys())} in this version")
        if not required <= given.keys():
            raise EncodingError(f"{cls.__name__} lacks {sorted(required - given.keys())}")
        values = {name: _within(name, pairs[name].read, item) for name, item in given.items()}
        try:
            return cls(**(earlier | values))
        except ValueError as error:
            raise EncodingError(f"{cls.__name__} does not take these values together") from error

    return read
