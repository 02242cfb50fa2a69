"""Redaction: what logs and tracebacks may show of a value or an error is everything but cards.

Players may not have seen a card that is in a value. So each face, rank and suit becomes `<card>`, at any depth. Bytes
become their number, because a frame can hold faces. An object of an unknown class becomes its class's name.
"""

from __future__ import annotations

import math
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from pathlib import PurePath
from typing import Final

from protocols.cards import Face, Rank, Suit

CARD: Final = "<card>"


def redact(value: object) -> object:
    """Return the value as plain data for JSON, without any face."""
    match value:
        case Face() | Rank() | Suit():
            return CARD
        case Enum():
            return redact(value.value)
        case float() if not math.isfinite(value):
            return str(value)  # JSON has no number for it
        case str() | int() | float() | None:
            return value
        case Fraction() | PurePath():
            return str(value)
        case BaseException():
            return _error(value)
        case bytes() | bytearray() | memoryview():
            return f"<{len(value)} bytes>"
        case _:
            return _inside(value)


def _inside(value: object) -> object:
    match value:
        case Mapping():
            return {str(redact(key)): redact(inner) for key, inner in value.items()}
        case list() | tuple() | set() | frozenset():
            return [redact(inner) for inner in value]
        case _ if is_dataclass(value) and not isinstance(value, type):
            return {field.name: redact(getattr(value, field.name)) for field in fields(value)}
        case _:
            return f"<{type(value).__name__}>"


def _error(error: BaseException) -> str:
    # str() of an error with one argument is str() of that argument, and str() of a card names it. Only the text of an
    # OSError with a number is the system's own.
    if isinstance(error, OSError) and error.errno is not None:
        return f"{type(error).__name__}: {error}"
    return ": ".join((type(error).__name__, *(str(redact(part)) for part in error.args)))


def trace(error: BaseException) -> str:
    """Return a traceback without values of variables, and with each error's text redacted."""
    return "\n".join(_trace_lines(error))


def _trace_lines(error: BaseException) -> Iterator[str]:
    earlier = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if earlier is not None:
        yield from _trace_lines(earlier)
        yield "and then:"
    yield "".join(traceback.format_tb(error.__traceback__)) + _error(error)
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield "of which one is:"
            yield from _trace_lines(inner)
