"""The texts inside a frame's fields: numbers, words, counts, faces. Reading and writing are strict."""

from __future__ import annotations

import re
from typing import Final

from protocols.cards import Face, parse_face, spell
from protocols.felt_link.limits import (
    BOOT_LENGTH_MAX,
    CARDS_MAX,
    COMMAND_ID_LENGTH_MAX,
    SEQ_MAX,
    TEXT_LENGTH_MAX,
    WORD_LENGTH_MAX,
)

NOT_KNOWN: Final = "-"
_WORD: Final = re.compile(rf"[a-z0-9-]{{1,{WORD_LENGTH_MAX}}}")
_NAME: Final = re.compile(rf"[!-{{}}~](?:[ -{{}}~]{{0,{WORD_LENGTH_MAX - 2}}}[!-{{}}~])?")
_TEXT: Final = re.compile(rf"[ -{{}}~]{{0,{TEXT_LENGTH_MAX}}}")
_BOOT: Final = re.compile(rf"[0-9A-Za-z-]{{1,{BOOT_LENGTH_MAX}}}")
_ID: Final = re.compile(rf"[!-{{}}~]{{1,{COMMAND_ID_LENGTH_MAX}}}")
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,9}")


class FieldError(ValueError):
    """A field is not what its place demands. The text never repeats the field, which may be a card."""


class Fields:
    """A frame's fields, read from the left. Each method reads the next field as one kind of text."""

    __slots__ = ("_at", "_fields")

    def __init__(self, fields: tuple[str, ...]) -> None:
        self._fields: Final = fields
        self._at = 0

    def rest(self) -> tuple[str, ...]:
        """Return all fields that are left, unread."""
        rest = self._fields[self._at :]
        self._at = len(self._fields)
        return rest

    def end(self) -> None:
        """Raise FieldError if a field is left."""
        if self._at < len(self._fields):
            raise FieldError(f"{len(self._fields)} fields, {self._at} expected")

    def number(self, least: int, most: int) -> int:
        """Read a decimal number within bounds, without leading zeros."""
        text = self._next_field()
        if not _NUMBER.fullmatch(text) or not least <= int(text) <= most:
            raise FieldError(f"field {self._at} is not a number from {least} to {most}")
        return int(text)

    def seq(self) -> int:
        """Read an event's number, or 0 for none."""
        return self.number(0, SEQ_MAX)

    def cards(self) -> int:
        """Read how many cards, or which packet: at least one."""
        return self.number(1, CARDS_MAX)

    def count(self) -> int | None:
        """Read how many cards were counted, or None if they were not."""
        return None if self._skip_not_known() else self.number(0, CARDS_MAX)

    def faces(self) -> tuple[Face, ...] | None:
        """Read the faces that were read, or None if they were not."""
        if self._skip_not_known():
            return None
        text = self._next_field()
        try:
            return tuple(parse_face(word) for word in text.split(" ")) if text else ()
        except ValueError:
            raise FieldError(f"field {self._at} is not a list of faces") from None

    def face(self) -> Face:
        """Read one face."""
        try:
            return parse_face(self._next_field())
        except ValueError:
            raise FieldError(f"field {self._at} is not a face") from None

    def word(self) -> str:
        """Read a word of a list that may grow: lower-case letters, digits and hyphens."""
        return self._matching(_WORD, "word")

    def name(self) -> str:
        """Read a name as its owner writes it."""
        return self._matching(_NAME, "name")

    def text(self) -> str:
        """Read prose for a person."""
        return self._matching(_TEXT, "text")

    def boot(self) -> str:
        """Read a boot id."""
        return self._matching(_BOOT, "boot id")

    def command_id(self) -> str:
        """Read a command's id, which means something to the host alone."""
        return self._matching(_ID, "command id")

    def words(self, most: int) -> tuple[str, ...]:
        """Read words separated by commas. An empty field has none."""
        text = self._next_field()
        words = tuple(text.split(",")) if text else ()
        if len(words) > most or not all(_WORD.fullmatch(word) for word in words):
            raise FieldError(f"field {self._at} is not a list of at most {most} words")
        return words

    def _skip_not_known(self) -> bool:
        is_not_known = self._at < len(self._fields) and self._fields[self._at] == NOT_KNOWN
        self._at += is_not_known
        return is_not_known

    def _matching(self, pattern: re.Pattern[str], what: str) -> str:
        text = self._next_field()
        if not pattern.fullmatch(text):
            raise FieldError(f"field {self._at} is not a {what}")
        return text

    def _next_field(self) -> str:
        if self._at >= len(self._fields):
            raise FieldError(f"field {self._at + 1} is missing")
        self._at += 1
        return self._fields[self._at - 1]


def is_boot(text: str) -> bool:
    """Return whether a text can be a boot id."""
    return bool(_BOOT.fullmatch(text))


def count_text(count: int | None) -> str:
    """Return a count as a field."""
    return NOT_KNOWN if count is None else str(count)


def faces_text(faces: tuple[Face, ...] | None) -> str:
    """Return faces as a field."""
    return NOT_KNOWN if faces is None else spell(faces)
