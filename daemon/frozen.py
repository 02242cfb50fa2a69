"""Frozen dataclasses that are made and replaced quickly.

Theory of operation. A frozen dataclass sets each field past its own guard, and `dataclasses.replace` reads and sets all
of them one by one through it: for the table's state that was a quarter of all that feltd did. Here a value is made as
its class's open twin, which has the same slots and no guard, and becomes what it is when its fields are set. Nobody
sees it before. Afterwards it is a frozen value like any other. A value of a few fields is made quicker still: through
its slots, which are set without a look at the class.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import wraps
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

FrozenT = TypeVar("FrozenT")

SLOTS_MOST: Final = 12
"""With more fields than these, to become the open twin and back costs less than to set each through its slot."""

_become: Final = vars(object)["__class__"].__set__


@dataclasses.dataclass(frozen=True, slots=True)
class _Form:
    """How the values of one class are made."""

    places: dict[str, int]  # of its fields
    values_of: Callable[[object], tuple[object, ...]]
    twin: type[Any]
    set_all: Callable[..., None]


_FORMS: Final[dict[type[Any], _Form | None]] = {}
"""None where a value is more than its fields, and made as always."""


def quick(cls: type[FrozenT]) -> type[FrozenT]:
    """Have a frozen dataclass with slots make its values quickly: in 40 to 60 % of the time."""
    if not _is_its_fields(cls):
        raise TypeError(f"{cls.__name__} computes fields, or checks them together: make it as dataclasses do")
    form = _form(cls) if len(dataclasses.fields(cast(Any, cls))) > SLOTS_MOST else None
    if form is None:
        cls.__init__ = _set_through_slots(cls)  # type: ignore[method-assign]
        return cls
    twin, set_all = form.twin, form.set_all

    @wraps(cls.__init__)
    def __init__(self: object, *args: object, **named: object) -> None:  # noqa: N807  # it takes the place of one
        _become(self, twin)
        set_all(self, *args, **named)
        _become(self, cls)

    cls.__init__ = __init__  # type: ignore[method-assign]
    return cls


if TYPE_CHECKING:
    from dataclasses import replace as replace  # mypy checks the fields of a call of this one
else:

    def replace(value: FrozenT, /, **changes: object) -> FrozenT:
        """Return the value with these fields changed, as `dataclasses.replace` does."""
        cls = type(value)
        form = _FORMS[cls] if cls in _FORMS else _form(cls)
        if form is None:
            return dataclasses.replace(value, **changes)
        values = list(form.values_of(value))
        for name, item in changes.items():
            values[form.places[name]] = item
        made = object.__new__(form.twin)
        form.set_all(made, *values)
        _become(made, cls)
        return made


def _form(cls: type[Any]) -> _Form | None:
    """Compile a class, once."""
    names = tuple(each.name for each in dataclasses.fields(cls))
    form = None
    is_generic = hasattr(cls, "__orig_bases__")  # a generic one has no twin
    if len(names) > 1 and not is_generic and _is_its_fields(cls):
        places = {name: place for place, name in enumerate(names)}
        form = _Form(places, attrgetter(*names), _open_twin(cls), _setter_of_all(cls))
    _FORMS[cls] = form
    return form


def _is_its_fields(cls: type[Any]) -> bool:
    """Return whether a value is its fields and nothing else."""
    fields = dataclasses.fields(cls)
    is_made_of_fields = all(
        each.init and not each.kw_only and each.default_factory is dataclasses.MISSING for each in fields
    )
    # Not by the bases' `__slots__`: since Python 3.12 Generic is written in C and names none.
    has_no_dict = cls.__dictoffset__ == 0
    return is_made_of_fields and has_no_dict and not hasattr(cls, "__post_init__")


def _open_twin(cls: type[Any]) -> type[Any]:
    """Return a class with the same slots whose fields can be set."""
    own = {"__slots__": vars(cls)["__slots__"], "__setattr__": object.__setattr__}
    return type(cls.__name__, cls.__bases__, own)


def _setter_of_all(cls: type[Any]) -> Callable[..., None]:
    """Return the `__init__` that the class would have if it were not frozen."""
    fields = [(each.name, each.type, dataclasses.field(default=each.default)) for each in dataclasses.fields(cls)]
    made: Callable[..., None] = vars(dataclasses.make_dataclass(cls.__name__, fields))["__init__"]
    return made


def _set_through_slots(cls: type[Any]) -> Callable[..., None]:
    """Return an `__init__` with the same parameters, which sets each field by its slot's own function."""
    fields = dataclasses.fields(cls)
    names: dict[str, object] = {f"_set_{each.name}": getattr(cls, each.name).__set__ for each in fields}
    names |= {f"_default_{each.name}": each.default for each in fields}
    parameters = [
        each.name if each.default is dataclasses.MISSING else f"{each.name}=_default_{each.name}" for each in fields
    ]
    lines = [
        f"def __init__(self, {', '.join(parameters)}):",
        *(f" _set_{each.name}(self, {each.name})" for each in fields),
    ]
    exec("\n".join(lines), names)  # noqa: S102  # as dataclasses make theirs; the names are those of our fields
    made: Callable[..., None] = wraps(cls.__init__)(names["__init__"])  # type: ignore[arg-type]
    return made
