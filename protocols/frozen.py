"""Frozen dataclasses with slots that cost little to declare and little to make.

Theory of operation. Python's own dataclass writes the source of six methods for every class and compiles each of them
when its module is imported: that was a third of a table's start. Here all classes share these methods, and each looks
at its class's fields. Only `__init__` is compiled for its class, when the first value is made: most classes that a
process imports make none. Python 3.14 asks for that of a base too, so a base's is compiled with its first subclass. It
sets each field through its slot, past the guard that keeps the value frozen. A value of many fields is made as its
class's open twin instead, which has the same slots and no guard, and becomes what it is when its fields are set. Nobody
sees it before.

To mypy it is Python's dataclass, and fields, `__post_init__`, `__match_args__` and pickling are those of one. What is
not frozen with slots is handed to Python's own.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, Final

SLOTS_MOST: Final = 12
"""With more fields than these, to become the open twin and back costs less than to set each through its slot."""

_become: Final = vars(object)["__class__"].__set__

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(
        *, frozen: bool = False, slots: bool = False, kw_only: bool = False, eq: bool = True
    ) -> Callable[[type[Any]], type[Any]]:
        """Return the decorator that makes a dataclass of a class."""
        if frozen and slots:
            return lambda plain: _frozen(plain, kw_only, eq)
        return dataclasses.dataclass(frozen=frozen, slots=slots, kw_only=kw_only, eq=eq)


def _frozen(plain: type[Any], kw_only: bool, eq: bool) -> type[Any]:
    """Make a frozen dataclass of a class. What the class defines itself is kept."""
    # Where a class defines `__eq__`, Python sets its `__hash__` to None. That is not the class's own word.
    own = {name for name, value in vars(plain).items() if value is not None or name != "__hash__"}
    made: type[Any] = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True, kw_only=kw_only)(plain)
    methods = {"__init__": _FirstInit(made), "__repr__": _repr, **_guards(made), **_pickling()}
    if eq:
        methods |= _comparing(fields(made))
    for name, method in methods.items():
        if name not in own:
            setattr(made, name, method)
    made.__doc__ = plain.__doc__
    return made


class _FirstInit:
    """Stands in the place of a class's `__init__` until somebody asks for it."""

    def __init__(self, cls: type[Any]) -> None:
        self._cls = cls

    def __get__(self, value: object, owner: type[Any] | None = None) -> object:
        self._cls.__init__ = made = _init(self._cls)
        return made.__get__(value, owner)


def _init(cls: type[Any]) -> Any:  # noqa: ANN401  # its parameters are the class's
    """Compile the `__init__` of a class."""
    named: dict[str, object] = {"__name__": cls.__module__, "_absent": MISSING, "_become": _become, "_cls": cls}
    by_place: list[str] = []
    by_name: list[str] = []
    lines: list[str] = []
    has_twin = len(fields(cls)) > SLOTS_MOST and is_its_fields(cls)
    if has_twin:
        named["_twin"] = _open_twin(cls)
        lines.append("_become(self, _twin)")
    for each in fields(cls):
        name, value = each.name, _value(each, named)
        if each.init:
            parameter = f"{name}=_default_{name}" if f"_default_{name}" in named else name
            (by_name if each.kw_only else by_place).append(parameter)
        if value and has_twin:
            lines.append(f"self.{name} = {value}")
        elif value:
            named[f"_set_{name}"] = getattr(cls, name).__set__
            lines.append(f"_set_{name}(self, {value})")
    if has_twin:
        lines.append("_become(self, _cls)")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    parameters = ["self", *by_place, *(["*", *by_name] if by_name else [])]
    made = _compiled(parameters, lines or ["pass"], named)
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    made.__annotations__ = {each.name: each.type for each in fields(cls) if each.init}
    return made


def _value(field: Field[Any], named: dict[str, object]) -> str:
    """Return the expression of which `__init__` sets a field, or nothing. What it uses is put into `named`."""
    name = field.name
    if field.default_factory is not MISSING:
        named[f"_make_{name}"] = field.default_factory
        if not field.init:
            return f"_make_{name}()"
        named[f"_default_{name}"] = MISSING
        return f"_make_{name}() if {name} is _absent else {name}"
    if field.default is not MISSING:
        named[f"_default_{name}"] = field.default
        return name if field.init else f"_default_{name}"
    return name if field.init else ""


def _compiled(parameters: list[str], lines: list[str], named: dict[str, object]) -> Any:  # noqa: ANN401
    """Return an `__init__` of these lines. Its globals are what they name: Python finds those the quickest."""
    exec("\n ".join([f"def __init__({', '.join(parameters)}):", *lines]), named)  # noqa: S102  # names of our own fields
    return named["__init__"]


def is_its_fields(cls: type[Any]) -> bool:
    """Return whether a value is its fields, given in their order, and nothing else."""
    is_made_of_fields = all(each.init and not each.kw_only and each.default_factory is MISSING for each in fields(cls))
    # Not by the bases' `__slots__`: since Python 3.12 Generic is written in C and names none.
    has_no_dict = cls.__dictoffset__ == 0
    is_generic = hasattr(cls, "__orig_bases__")  # a generic one has no twin
    return is_made_of_fields and has_no_dict and not is_generic and not hasattr(cls, "__post_init__")


def _open_twin(cls: type[Any]) -> type[Any]:
    """Return a class with the same slots whose fields can be set."""
    own = {"__slots__": vars(cls)["__slots__"], "__setattr__": object.__setattr__}
    return type(cls.__name__, cls.__bases__, own)


def _guards(cls: type[Any]) -> dict[str, object]:
    names = frozenset(each.name for each in fields(cls))

    def __setattr__(self: object, name: str, value: object) -> None:  # noqa: N807
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self: object, name: str) -> None:  # noqa: N807
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return {"__setattr__": __setattr__, "__delattr__": __delattr__}


def _comparing(of_class: tuple[Field[Any], ...]) -> dict[str, object]:
    compared = _values([each.name for each in of_class if each.compare])
    hashed = _values([each.name for each in of_class if (each.compare if each.hash is None else each.hash)])

    def __eq__(self: object, other: object) -> bool:  # noqa: N807
        return compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: object) -> int:  # noqa: N807
        return hash(hashed(self))

    return {"__eq__": __eq__, "__hash__": __hash__}


def _values(names: list[str]) -> Callable[[object], tuple[object, ...]]:
    """Return what reads these fields of a value."""
    match names:
        case []:
            return lambda _: ()
        case [name]:
            read = attrgetter(name)
            return lambda value: (read(value),)
        case _:
            return attrgetter(*names)


@recursive_repr()
def _repr(self: Any) -> str:  # noqa: ANN401  # any dataclass
    shown = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{type(self).__qualname__}({shown})"


def _pickling() -> dict[str, object]:
    return {"__getstate__": _get_state, "__setstate__": _set_state}


def _get_state(self: Any) -> list[object]:  # noqa: ANN401  # any dataclass
    return [getattr(self, each.name) for each in fields(self)]


def _set_state(self: Any, state: list[object]) -> None:  # noqa: ANN401  # any dataclass
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)
