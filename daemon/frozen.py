"""Frozen values that are replaced quickly.

`dataclasses.replace` reads a value's fields one by one and hands them over by name: for the table's state that was a
quarter of all that feltd did. Here they are read at once and handed over by place, as `protocols/frozen.py` takes them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, TypeVar

from protocols.frozen import dataclass, is_its_fields

FrozenT = TypeVar("FrozenT")


@dataclass(frozen=True, slots=True)
class _Form:
    """How the values of one class are read."""

    places: dict[str, int]  # of its fields
    values_of: Callable[[object], tuple[object, ...]]


_FORMS: Final[dict[type[Any], _Form | None]] = {}
"""None where a value is more than its fields, and made as always."""


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
        return cls(*values)


def _form(cls: type[Any]) -> _Form | None:
    names = tuple(each.name for each in dataclasses.fields(cls))
    form = None
    if len(names) > 1 and is_its_fields(cls):
        form = _Form({name: place for place, name in enumerate(names)}, attrgetter(*names))
    _FORMS[cls] = form
    return form
