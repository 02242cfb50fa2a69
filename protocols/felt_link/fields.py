"""The texts inside a frame's fields: numbers, words, counts, faces; strict both ways."""

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
    """A field is not what its place demands. The text never repeats what was found, for that may be a card."""


class Fields:
    """A frame's fields, taken from the left, each as what it has to be."""

    __slots__ = ("_at", "_fields")

    def __init__(self, fields: tuple[str, ...]) -> None:
        self._fields: Final = fields
        self._at = 0

    def rest(self) -> tuple[str, ...]:
        """All that are left, as they are."""
        rest = self._fields[self._at :]
        self._at = len(self._fields)
        return rest

    def end(self) -> None:
        """Nothing may be left over."""
        if self._at < len(self._fields):
            raise FieldError(f"{len(self._fields)} fields, {self._at} expected")

    def number(self, least: int, most: int) -> int:
        """A decimal number within bounds, without leading zeros."""
        text = self._take()
        if not _NUMBER.fullmatch(text) or not least <= int(text) <= most:
            raise FieldError(f"field {self._at} is no number from {least} to {most}")
        return int(text)

    def seq(self) -> int:
        """An event's number, or 0 for none."""
        return self.number(0, SEQ_MAX)

    def cards(self) -> int:
        """How many cards, or which packet: at least one."""
        return self.number(1, CARDS_MAX)

    def count(self) -> int | None:
        """How many cards were counted; nobody may know."""
        return None if self._skip_not_known() else self.number(0, CARDS_MAX)

    def faces(self) -> tuple[Face, ...] | None:
        """The faces that were read; nobody may know."""
        if self._skip_not_known():
            return None
        text = self._take()
        try:
            return tuple(parse_face(word) for word in text.split(" ")) if text else ()
        except ValueError:
            raise FieldError(f"field {self._at} is no list of faces") from None

    def face(self) -> Face:
        """The one face that was read."""
        try:
            return parse_face(self._take())
        except ValueError:
            raise FieldError(f"field {self._at} is no face") from None

    def word(self) -> str:
        """A name from a list that may grow: lower-case letters, digits and hyphens."""
        return self._matching(_WORD, "word")

    def name(self) -> str:
        """A name as its owner writes it."""
        return self._matching(_NAME, "name")

    def text(self) -> str:
        """Prose for a person."""
        return self._matching(_TEXT, "text")

    def boot(self) -> str:
        """A boot id."""
        return self._matching(_BOOT, "boot id")

    def command_id(self) -> str:
        """A command's id: the host's own, opaque to the device."""
        return self._matching(_ID, "command id")

    def words(self, most: int) -> tuple[str, ...]:
        """Words separated by commas; possibly none."""
        text = self._take()
        words = tuple(text.split(",")) if text else ()
        if len(words) > most or not all(_WORD.fullmatch(word) for word in words):
            raise FieldError(f"field {self._at} is no list of at most {most} words")
        return words

    def _skip_not_known(self) -> bool:
        is_not_known = self._at < len(self._fields) and self._fields[self._at] == NOT_KNOWN
        self._at += is_not_known
        return is_not_known

    def _matching(self, pattern: re.Pattern[str], what: str) -> str:
        text = self._take()
        if not pattern.fullmatch(text):
            raise FieldError(f"field {self._at} is no {what}")
        return text

    def _take(self) -> str:
        if self._at >= len(self._fields):
            raise FieldError(f"field {self._at + 1} is missing")
        self._at += 1
        return self._fields[self._at - 1]


def is_boot(text: str) -> bool:
    """Whether a text can be a boot id."""
    return bool(_BOOT.fullmatch(text))


def count_text(count: int | None) -> str:
    """A count as a field."""
    return NOT_KNOWN if count is None else str(count)


def faces_text(faces: tuple[Face, ...] | None) -> str:
    """Faces as a field."""
    return NOT_KNOWN if faces is None else spell(faces)
