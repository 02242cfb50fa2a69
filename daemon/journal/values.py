"""How single values are written: numbers, texts, cards, fractions, and paytables of a house's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import Field
from fractions import Fraction
from types import NoneType
from typing import Any, Final

import msgspec

from daemon.rules.house import rows_of, scale_of
from daemon.rules.paytable import Paytable
from daemon.rules.paytable_text import read_paytable
from protocols.cards import DECK, Card, Face, Misread, parse_face
from protocols.frozen import dataclass


class EncodingError(ValueError):
    """A value that is not of its type. `path` grows from the inside out while the error travels up."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what
        self.path: list[str] = []

    def __str__(self) -> str:
        return f"at {self.where('') or 'the top'}: {self.what}"

    def where(self, top: str) -> str:
        """Return the place as a path from `top`."""
        return ".".join([top, *reversed(self.path)] if top else reversed(self.path))


@dataclass(frozen=True, slots=True)
class Pair:
    """How one type is written and read.

    `as_is` has the classes whose values `write` returns unchanged. Most leaves are of one of these, so a writer of
    many values looks here first and saves a call for each. `is_json` says that msgspec writes every value of the type
    as `write` does, and needs no help.
    """

    write: Callable[[Any], object]
    read: Callable[[Any], object]
    as_is: frozenset[type] = frozenset()
    is_json: bool = False


def _exactly(type_: type, name: str) -> Pair:
    def check(value: object) -> object:
        if type(value) is not type_:
            raise EncodingError(f"expected {name}, found {type(value).__name__}")
        return value

    return Pair(check, check, frozenset({type_}), is_json=True)


_TEXTS: Final[dict[object, str]] = {face: str(face) for face in (*DECK, *Misread)}


def _write_face(value: object) -> str:
    if not isinstance(value, Face):
        raise EncodingError(f"expected a card or a misread, found {type(value).__name__}")
    return _TEXTS[value]


def _read_face(value: object) -> Face:
    if type(value) is not str:
        raise EncodingError(f"expected a card's text, found {type(value).__name__}")
    try:
        return parse_face(value)
    except ValueError as error:
        raise EncodingError(str(error)) from None


def _write_card(value: object) -> str:
    if not isinstance(value, Card):
        raise EncodingError(f"expected a card, found {type(value).__name__}")
    return _TEXTS[value]


def _read_card(value: object) -> Card:
    face = _read_face(value)
    if not isinstance(face, Card):
        raise EncodingError("expected a card, found a misread")
    return face


def _read_fraction(value: object) -> Fraction:
    if type(value) is not str:
        raise EncodingError(f"expected a fraction's text, found {type(value).__name__}")
    numerator, stroke, denominator = value.partition("/")
    try:
        read = Fraction(int(numerator), int(denominator) if stroke else 1)
    except (ValueError, ZeroDivisionError):
        raise EncodingError("expected a fraction such as 3/2") from None
    return read


def _write_fraction(value: object) -> str:
    if type(value) is not Fraction:
        raise EncodingError(f"expected a fraction, found {type(value).__name__}")
    return str(value)


LEAVES: Final[dict[object, Pair]] = {
    int: _exactly(int, "a whole number"),
    str: _exactly(str, "a text"),
    bool: _exactly(bool, "true or false"),
    NoneType: _exactly(NoneType, "nothing"),
    Fraction: Pair(_write_fraction, _read_fraction, is_json=True),
    Face: Pair(_write_face, _read_face, is_json=True),
    Card: Pair(_write_card, _read_card, is_json=True),
}


def write_for_msgspec(value: object) -> str:
    """Write what msgspec does not know: cards and fractions."""
    return _write_fraction(value) if isinstance(value, Fraction) else _write_face(value)


class _OwnPaytable(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    source: str
    rows: tuple[tuple[str, str], ...]


def own_paytable(option: Field[Any]) -> Pair | None:
    """Return how a paytable of a house's own is written, in words, or None where the option is not a paytable.

    The published one is written as nothing: it stands in the rules.
    """
    scale = scale_of(option)
    if scale is None:
        return None

    def write(value: object) -> object:
        if value == option.default:
            return None
        if not isinstance(value, Paytable):
            raise EncodingError(f"expected a paytable, found {type(value).__name__}")
        return {"name": value.name, "source": value.source, "rows": [list(row) for row in rows_of(value)]}

    def read(value: object) -> object:
        if value is None:
            return option.default
        try:
            own = msgspec.convert(value, _OwnPaytable)
            return read_paytable(own.name, own.source, scale, dict(own.rows))
        except ValueError as error:  # msgspec's, or a paytable that cannot be
            raise EncodingError("expected a paytable's name, source and rows") from error

    return Pair(write, read)
