"""What the annotation of a key says about it: its type without None, and its key in the file."""

from __future__ import annotations

from dataclasses import Field
from typing import Any, get_args

from msgspec import inspect


def key_of(field: Field[Any]) -> str:
    """Return the key of a field: its name, unless the file's word cannot be a name in Python."""
    return str(field.metadata.get("key", field.name))


def info_of(hint: object) -> inspect.Type:
    """Return what msgspec knows of a type, without its bounds."""
    info = inspect.type_info(hint)
    return info.type if isinstance(info, inspect.Metadata) else info


def without_none(hint: object) -> object:
    """Return the type without None. TOML has no null: an optional key has its type or is missing."""
    if type(None) in get_args(hint):
        return next(part for part in get_args(hint) if part is not type(None))
    return hint
