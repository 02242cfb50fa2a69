"""What the writer of a file probably meant, where a value has the wrong type or a key stands in another section."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from datetime import date
from typing import Any, get_type_hints

import msgspec
from msgspec import inspect

from daemon.config.hints import info_of, key_of, without_none
from daemon.config.problems import KeyPath, shown, spell_path


def meant_value(hint: object, raw: object, path: KeyPath) -> str | None:
    """Return how the file should have said a value of the wrong type, as ``"7"`` or ``["table7"]``. None if unknown."""
    bare = without_none(hint)
    if is_dataclass(bare):
        if isinstance(raw, str) and len(fields(bare)) == 1:
            return f"{{ {key_of(fields(bare)[0])} = {shown(raw)} }}"
        return f"[{spell_path(path)}]" if isinstance(raw, list) or raw is True else None
    match info_of(bare), raw:
        case inspect.VarTupleType(item_type=item), dict() if _is_table(item):
            return f"[[{spell_path(path)}]]"
        case inspect.VarTupleType(), str() | int() | bool() if _fits([raw], bare):
            return f"[{shown(raw)}]"
        case ((inspect.IntType() | inspect.BoolType() | inspect.DateType()), str()):
            return next((text for text, value in _unquoted(raw) if _fits(value, bare)), None)
        case ((inspect.StrType() | inspect.EnumType()), int() | float() | date()) if _fits(str(raw), bare):
            return f'"{raw}"'
        case _:
            return None


def _unquoted(text: str) -> Iterator[tuple[str, object]]:
    """Yield what a text could be without its quotes."""
    if text.isascii() and text.isdecimal():
        yield str(int(text)), int(text)
    if text.lower() in ("true", "false"):
        yield text.lower(), text.lower() == "true"
    yield text, text  # a day


def _fits(value: object, hint: object) -> bool:
    try:
        msgspec.convert(value, hint)
    except msgspec.ValidationError:
        return False
    return True


def _is_table(item: inspect.Type) -> bool:
    return isinstance(item, inspect.DataclassType)


def meant_section(root: type[Any], key: str) -> str | None:
    """Return where a key belongs that stands in the wrong section, or None if no or more than one section has it."""
    places = list(_places(root, key, ()))
    return places[0] if len(places) == 1 else None


def _places(kind: type[Any], key: str, path: KeyPath) -> Iterator[str]:
    hints = get_type_hints(kind, include_extras=True)
    for field in fields(kind):
        own, inner = key_of(field), without_none(hints[field.name])
        if isinstance(inner, type) and is_dataclass(inner):
            if own == key:
                yield f"[{spell_path((*path, key))}]"
            yield from _places(inner, key, (*path, own))
        elif own == key and path:
            yield f"{key} in [{spell_path(path)}]"
