"""Frames of a line as text in columns, or as JSON.

A message is shown by the name of its class, without the prefix of its layer, and its fields by their names. So a new
message of a protocol is shown without a change here. The output is printable ASCII: neither a shoe nor noise may move
the cursor of the reader's terminal.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator
from enum import Enum, StrEnum
from typing import Final, TypeAlias

from protocols.cards import Face
from protocols.codec import Garbage
from protocols.frozen import dataclass
from protocols.listening import Heard, Saying

DAMAGE: Final = "DAMAGE"

Plain: TypeAlias = "str | int | list[Plain] | None"

_WORD_START: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NEEDS_QUOTES: Final = re.compile(r'^$|^-$|[\s="\\]')


@dataclass(frozen=True, slots=True)
class Row:
    """One line of output."""

    offset: int
    data: bytes
    event: str
    fields: dict[str, Plain]


def row(heard: Heard) -> Row:
    """Return what is shown of one frame or piece of damage."""
    match heard.saying:
        case Garbage(_, reason):
            return Row(heard.offset, heard.data, DAMAGE, {"reason": reason})
        case Saying(said, marks):
            fields = {name: _plain(value) for name, value in marks} | dict(_fields(said))
            return Row(heard.offset, heard.data, _kebab(type(said).__name__.removeprefix("Wire")), fields)


def as_text(shown: Row) -> str:
    """Return offset, event, fields and bytes in columns. A value that is too wide moves the next column."""
    told = " ".join(f"{name}={_text(value)}" for name, value in shown.fields.items())
    return f"{shown.offset:>8}  {shown.event:<18}  {told:<52}  {_hex(shown.data)}"


def as_json(shown: Row) -> str:
    """Return the same as a JSON object."""
    is_damage = shown.event == DAMAGE
    event = shown.event.lower()
    raw = _hex(shown.data)
    return json.dumps({"offset": shown.offset, "event": event, "damage": is_damage, "fields": shown.fields, "raw": raw})


def _fields(said: object) -> Iterator[tuple[str, Plain]]:
    """Yield the fields of a value, and in their place the fields of a value within it."""
    if not dataclasses.is_dataclass(said):
        return
    for field in dataclasses.fields(said):
        value = getattr(said, field.name)
        if dataclasses.is_dataclass(value):
            yield from _fields(value)
        else:
            yield field.name, _plain(value)


def _plain(value: object) -> Plain:
    match value:
        case None | bool() | StrEnum():
            return value
        case Face():
            return str(value)
        case Enum():
            return _kebab(value.name.lower().replace("_", "-"))
        case bytes():
            return _hex(value)
        case tuple():
            return [_plain(one) for one in value]
        case int() | str():
            return value
        case _:
            raise TypeError(f"no way to show a {type(value).__name__}")


def _text(value: Plain) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case list():
            return ",".join(_text(one) for one in value) or "none"
        case int():
            return str(value)
        case str():
            printable = value.encode("ascii", "backslashreplace").decode("ascii")
            return json.dumps(printable) if _NEEDS_QUOTES.search(printable) else printable


def _kebab(name: str) -> str:
    return _WORD_START.sub("-", name).lower()


def _hex(data: bytes) -> str:
    return data.hex(" ").upper()
