"""Bytes to lines, and the end of a link that says lines and is told nothing.

Theory of operation. A line is printable ASCII up to a line feed, with a carriage return before it. Nothing marks where
a line begins, so damage is judged a line at a time: one that holds anything else than printable text is damage from end
to end, and of one that is too long everything up to the next line feed is, since the last part of it could pass for a
whole line. A line feed whose carriage return was lost still ends its line, for that cannot change a card.
A protocol whose lines have a check brings it, and a line that does not pass is damage too.

The same bytes give the same lines and the same damage however they are cut into chunks, and no more than one unfinished
line is ever kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field
from typing import Final, Generic

from protocols.buffer import BufferedReader
from protocols.codec import Garbage
from protocols.frozen import dataclass
from protocols.link_end import FrameT, LinkEnd

# The longest line on record has 39 bytes. Not all texts of alarms are known.
LINE_LENGTH_MAX: Final = 128
END: Final = b"\r\n"
NOT_TEXT: Final = "not a line of printable text"
TOO_LONG: Final = "longer than a line may be"
REST_OF_TOO_LONG: Final = "the rest of a line that was too long"

_END: Final = re.compile(rb"\n")
_LINE: Final = re.compile(rb"[\x20-\x7e]*\r?\n")


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line, with its end as it came. It can name a card, so the repr leaves it out."""

    data: bytes = field(repr=False)

    @property
    def text(self) -> str:
        """Return the line without its end."""
        return self.data.rstrip(b"\r\n").decode("ascii")


def is_line(text: str) -> bool:
    """Return whether a text can be sent as one line that is not blank."""
    fits = len(text) + len(END) <= LINE_LENGTH_MAX
    return fits and text.isascii() and text.isprintable() and bool(text.strip())


def as_it_came(line: TextLine) -> TextLine:
    """Return the line: this link has no check."""
    return line


class LineReader(BufferedReader, Generic[FrameT]):
    """Takes bytes, and returns lines and damage in order."""

    __slots__ = ("_check", "_is_within_too_long")

    def __init__(self, check: Callable[[TextLine], FrameT | Garbage]) -> None:
        """`check` makes the protocol's frame of a line, or damage of one whose check does not hold."""
        super().__init__()
        self._check: Final = check
        self._is_within_too_long = False

    def next(self) -> FrameT | Garbage | None:
        """Return the next frame or piece of damage, or None until there are more bytes."""
        end = self._buffer.find(_END, 0, LINE_LENGTH_MAX)
        if end is None:
            return self._endless() if len(self._buffer) >= LINE_LENGTH_MAX else None
        data = self._buffer.take_bytes(end + 1)
        if self._is_within_too_long:
            self._is_within_too_long = False
            return Garbage(data, REST_OF_TOO_LONG)
        return self._check(TextLine(data)) if _LINE.fullmatch(data) else Garbage(data, NOT_TEXT)

    def _endless(self) -> Garbage:
        reason = REST_OF_TOO_LONG if self._is_within_too_long else TOO_LONG
        self._is_within_too_long = True
        return Garbage(self._buffer.take_bytes(LINE_LENGTH_MAX), reason)


@dataclass(frozen=True, slots=True)
class HostSpoke:
    """The host sent something, and this link has no words for a host. It was ignored."""


class LineSpeaker(LinkEnd[TextLine, HostSpoke]):
    """A device's end of a link of lines on which only the device speaks."""

    __slots__ = ()

    def __init__(self, now_ns: int) -> None:
        super().__init__(LineReader(as_it_came), now_ns)

    def _say_line(self, text: str) -> None:
        self._out.extend(text.encode("ascii") + END)

    def _on_frame(self, frame: TextLine, now_ns: int) -> None:
        self._emit(HostSpoke())
