"""Bytes to frames and back.

Theory of operation. A frame is a start byte, printable text, ETX and four hexadecimal digits of CRC. No
control byte can occur inside the text, so a start byte always begins a frame and whatever was unfinished
before it is damage. The reader therefore never looks back: it takes from the front of its buffer either one
good frame or one piece of damage, and decides from the bytes taken and at most one more. That is why the
same bytes give the same frames and the same damage however they are cut into chunks, and why no more than
one unfinished frame is ever kept.
"""

from __future__ import annotations

import re
from dataclasses import field
from typing import Final, TypeAlias

from protocols.buffer import BufferedReader
from protocols.checksum import crc16
from protocols.codec import Garbage
from protocols.errors import LocalProtocolError
from protocols.felt_link.limits import (
    FIELD_LENGTH_MAX,
    FIELDS_MAX,
    FRAME_LENGTH_MAX,
    SEQ_MAX,
    WORD_LENGTH_MAX,
)
from protocols.frozen import dataclass

STX: Final = 0x02
ETX: Final = 0x03
ACK: Final = 0x06
NAK: Final = 0x15
_CRC_DIGITS: Final = 4

_LINE_ENDS: Final = re.compile(rb"[\r\n]*")  # between frames, for people's eyes
_START: Final = re.compile(rb"[\x02\x06\x15]")
NOT_A_FRAME: Final = "sound, but not a frame of felt-link"
_NOT_TEXT: Final = re.compile(rb"[^\x20-\x7e]")
_NOT_HEX: Final = re.compile(rb"[^0-9A-F]")
_KIND: Final = re.compile(r"[A-Z]{1,12}")
_FLAGS: Final = re.compile(r"[A-Z]{0,8}")
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,9}")
_WORD: Final = re.compile(rf"[a-z0-9-]{{1,{WORD_LENGTH_MAX}}}")
_FIELD: Final = re.compile(rf"[ -{{}}~]{{0,{FIELD_LENGTH_MAX}}}")  # printable, without the separator


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame that carries a message. Its fields can hold cards, so its repr leaves them out."""

    kind: str
    seq: int
    flags: str
    fields: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Ack:
    """The host has every event up to `seq` on disk."""

    seq: int


@dataclass(frozen=True, slots=True)
class Nak:
    """The host wants events from `expected` on again. `reason` is `gap` or `check`."""

    expected: int
    reason: str


AnyFrame: TypeAlias = Frame | Ack | Nak


def encode(frame: AnyFrame) -> bytes:
    """Return the bytes of a frame. Raise LocalProtocolError if it could not be read back."""
    match frame:
        case Ack(seq):
            start, body = ACK, str(seq)
        case Nak(expected, reason):
            start, body = NAK, f"{expected}|{reason}"
        case Frame(kind, seq, flags, fields):
            start, body = STX, "|".join((kind, str(seq), flags, *fields))
    checked = body.encode("ascii", "replace") + bytes((ETX,))
    data = bytes((start,)) + checked + b"%04X" % crc16(checked)
    if len(data) > FRAME_LENGTH_MAX or _parse(start, body) != frame:
        raise LocalProtocolError(f"{frame!r} breaks a limit of felt-link: see the limits in SPEC.md")
    return data


def _parse(start: int, body: str) -> AnyFrame | None:
    if start == ACK:
        return Ack(int(body)) if _is_seq(body) else None
    if start == NAK:
        expected, _, reason = body.partition("|")
        return Nak(int(expected), reason) if _is_seq(expected) and _WORD.fullmatch(reason) else None
    return _parse_message(body.split("|"))


def _parse_message(parts: list[str]) -> Frame | None:
    if not 3 <= len(parts) <= 3 + FIELDS_MAX:
        return None
    kind, seq, flags, *fields = parts
    if not (_KIND.fullmatch(kind) and _is_seq(seq) and _FLAGS.fullmatch(flags)):
        return None
    if not all(_FIELD.fullmatch(text) for text in fields):
        return None
    return Frame(kind, int(seq), flags, tuple(fields))


def _is_seq(text: str) -> bool:
    return bool(_NUMBER.fullmatch(text)) and int(text) <= SEQ_MAX


class FrameReader(BufferedReader):
    """Takes bytes, and returns frames and damage in order."""

    __slots__ = ()

    def next(self) -> AnyFrame | Garbage | None:
        """Return the next frame or piece of damage, or None until there are more bytes."""
        self._buffer.skip(_LINE_ENDS)
        if not self._buffer:
            return None
        start = self._buffer.find(_START, 0, FRAME_LENGTH_MAX)
        if start == 0:
            return self._next_frame()
        if start is None and len(self._buffer) < FRAME_LENGTH_MAX:
            return None
        return self._damage(FRAME_LENGTH_MAX if start is None else start, "outside any frame")

    def _next_frame(self) -> AnyFrame | Garbage | None:
        end = self._buffer.find(_NOT_TEXT, 1, FRAME_LENGTH_MAX)
        if end is None:
            is_too_long = len(self._buffer) >= FRAME_LENGTH_MAX
            return self._damage(FRAME_LENGTH_MAX, "longer than a frame may be") if is_too_long else None
        if self._buffer[end] != ETX:
            return self._damage(end, "cut off")
        length = end + 1 + _CRC_DIGITS
        if length > FRAME_LENGTH_MAX:
            return self._damage(end + 1, "longer than a frame may be")
        wrong = self._buffer.find(_NOT_HEX, end + 1, length)
        if wrong is not None:
            return self._damage(wrong, "cut off in its check digits")
        return self._checked(length) if len(self._buffer) >= length else None

    def _checked(self, length: int) -> AnyFrame | Garbage:
        data = self._buffer.take_bytes(length)
        body = data[1:-_CRC_DIGITS]
        if crc16(body) != int(data[-_CRC_DIGITS:], 16):
            return Garbage(data, "check failed")
        return _parse(data[0], body[:-1].decode("ascii")) or Garbage(data, NOT_A_FRAME)

    def _damage(self, length: int, reason: str) -> Garbage:
        return Garbage(self._buffer.take_bytes(length), reason)
