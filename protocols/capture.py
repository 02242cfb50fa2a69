"""A recording of one device's line as text: what went over it in either direction, and when.

The form, version 1. UTF-8, one line a thing, each ended by a line feed:

    feltd-capture 1
    recorded 2026-11-18T13:20:00.000000000Z
    protocol felt-link
    1250000000 < 0248454C4C4F...
    1250310000 > 0257454C434F4D45...

The first line names the form and its version. A line that begins with a digit is a chunk: nanoseconds since the
recording began, never fewer than in the chunk before; `<` for bytes from the device and `>` for bytes to it; the bytes
in hexadecimal. Every other line is a note: a key in small letters and digits with hyphens, a blank, a text. Notes may
stand anywhere, because who the device is becomes known while it is being recorded; of several with one key the last is
true. A last line that has no end was being written when the recorder was killed, and is left out.

A recording shows every card in clear.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from enum import Enum
from types import MappingProxyType
from typing import Final

from protocols.frozen import dataclass

FIRST_LINE: Final = "feltd-capture 1"
_CHUNK: Final = re.compile(r"(0|[1-9][0-9]{0,18}) ([<>]) ((?:[0-9A-F]{2})+)")
_NOTE: Final = re.compile(r"([a-z][a-z0-9-]*) (.*)")
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class Side(Enum):
    """Who sent the bytes, by the mark in the file."""

    DEVICE = "<"
    HOST = ">"


class CaptureError(ValueError):
    """The text is not a recording. The error says which line is wrong, and what is allowed."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Bytes of one direction. They can name cards, so the repr leaves them out."""

    offset_ns: int
    side: Side
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Capture:
    """A whole recording."""

    notes: Mapping[str, str]
    chunks: tuple[Chunk, ...]

    def said_by(self, side: Side) -> tuple[Chunk, ...]:
        """Return the chunks of one direction."""
        return tuple(chunk for chunk in self.chunks if chunk.side is side)


def chunk_line(chunk: Chunk) -> str:
    """Return a chunk as a line, with its line feed."""
    return f"{chunk.offset_ns} {chunk.side.value} {chunk.data.hex().upper()}\n"


def note_line(key: str, text: str) -> str:
    """Return a note as a line. Control characters in the text are replaced, so that they cannot end the line."""
    return f"{key} {_CONTROLS.sub('?', text)}\n"


def read_capture(text: str) -> Capture:
    """Read a recording from text. Raise CaptureError if it is not one."""
    first, *lines = text.split("\n")[:-1] or [text]
    if first != FIRST_LINE:
        raise CaptureError(f"line 1: a recording begins with {FIRST_LINE!r}, and this does not")
    notes: dict[str, str] = {}
    chunks: list[Chunk] = []
    for number, line in enumerate(lines, 2):
        if (found := _CHUNK.fullmatch(line)) is not None:
            chunks.append(_chunk(number, found, chunks))
        elif (note := _NOTE.fullmatch(line)) is not None:
            notes[note[1]] = note[2]
        else:
            raise CaptureError(f"line {number}: neither a chunk (nanoseconds, < or >, hexadecimal) nor a note")
    return Capture(MappingProxyType(notes), tuple(chunks))


def write_capture(capture: Capture) -> str:
    """Return a recording as text, its notes first."""
    notes = (note_line(key, text) for key, text in capture.notes.items())
    return "".join((FIRST_LINE, "\n", *notes, *map(chunk_line, capture.chunks)))


def _chunk(number: int, found: re.Match[str], before: list[Chunk]) -> Chunk:
    chunk = Chunk(int(found[1]), Side(found[2]), bytes.fromhex(found[3]))
    if before and chunk.offset_ns < before[-1].offset_ns:
        raise CaptureError(f"line {number}: earlier than the chunk before it")
    return chunk
