"""Bytes to records and back: the shoe's reports are found wherever they stand in the stream.

Theory of operation. A record is an operation in square brackets and a report in angle brackets, or a warning in angle
brackets alone. Its closing bracket ends it, so a record is read at once. It may follow text, noise or another record,
and it needs no line end: carriage returns, line feeds and blanks between records mean nothing. Programs that read this
shoe in live rooms search its stream in the same way.

What is not a record is one piece, from where it begins to the next line end or the next place where a record can begin.
A piece of printable text is kept as text. Any other piece is damage. Nothing in a piece is searched for a card.

The same bytes give the same records and pieces however they are cut into chunks. At most `LINE_LENGTH_MAX` bytes are
kept: an unfinished piece of that length is damage.
"""

from __future__ import annotations

import re
from dataclasses import field
from typing import Final

from protocols.buffer import BufferedReader
from protocols.codec import Garbage
from protocols.frozen import dataclass
from protocols.lines import LINE_LENGTH_MAX, NOT_TEXT, TOO_LONG

_BLANK: Final = re.compile(rb"[ \r\n]*")
# Where a piece ends: at a line end, or where a record can begin.
_END: Final = re.compile(rb"[\r\n\[]|<W0X", re.IGNORECASE)
_RECORD: Final = re.compile(rb"\[[^\[\]<>\r\n]*\] *<[^\[<>\r\n]*>|<W0X[0-9A-F]*>", re.IGNORECASE)
# What a record can still become, when more bytes come.
_UNFINISHED: Final = re.compile(
    rb"\[(?:[^\[\]<>\r\n]*(?:\] *(?:<[^\[<>\r\n]*)?)?)|<(?:W(?:0(?:X[0-9A-F]*)?)?)?", re.IGNORECASE
)
_TEXT: Final = re.compile(rb"[\x20-\x7e]*")


@dataclass(frozen=True, slots=True)
class Record:
    """A record, or a piece of text that is none. It can name a card, so the repr leaves it out."""

    data: bytes = field(repr=False)

    @property
    def text(self) -> str:
        """Return the record or piece as text."""
        return self.data.decode("ascii")


class RecordReader(BufferedReader):
    """Takes bytes, and returns records and damage in order. Line ends and blanks between them are skipped."""

    __slots__ = ()

    def next(self) -> Record | Garbage | None:
        """Return the next record or piece, or None until there are more bytes."""
        self._buffer.skip(_BLANK)
        if not self._buffer:
            return None
        length = self._buffer.match(_RECORD, LINE_LENGTH_MAX)
        if length is None:
            if self._buffer.is_match(_UNFINISHED) and len(self._buffer) < LINE_LENGTH_MAX:
                return None
            length = self._buffer.find(_END, 1, LINE_LENGTH_MAX)
        if length is None:
            is_too_long = len(self._buffer) >= LINE_LENGTH_MAX
            return Garbage(self._buffer.take_bytes(LINE_LENGTH_MAX), TOO_LONG) if is_too_long else None
        data = self._buffer.take_bytes(length)
        return Record(data) if _TEXT.fullmatch(data) else Garbage(data, NOT_TEXT)
