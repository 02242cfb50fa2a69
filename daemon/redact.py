"""What may be written down of any value or error: everything but cards.

A card that players have not seen must not be in a log line or a traceback. So a face, a rank or a suit becomes
one word wherever it stands in a value, bytes (a frame can hold faces) become their count, and an object
that is not known to be harmless becomes the name of its class.
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

BLIND: Final = "<card>"


def redact(value: object) -> object:
    """The value as plain data for JSON, that shows no face."""
    match value:
        case Face() | Rank() | Suit():
            return BLIND
        case Enum():
            return redact(value.value)
        case float() if not math.isfinite(value):
            return str(value)  # JSON has no word for it
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
    """An error's own text can be that of its one argument, and a card tells its name to whoever asks for text."""
    if isinstance(error, OSError) and error.errno is not None:
        return f"{type(error).__name__}: {error}"
    return ": ".join((type(error).__name__, *(str(redact(part)) for part in error.args)))


def trace(error: BaseException) -> str:
    """A traceback without the values of variables, and with the error's text as `redact` tells it."""
    return "\n".join(_told(error))


def _told(error: BaseException) -> Iterator[str]:
    earlier = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if earlier is not None:
        yield from _told(earlier)
        yield "and then:"
    yield "".join(traceback.format_tb(error.__traceback__)) + _error(error)
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield "of which one is:"
            yield from _told(inner)
