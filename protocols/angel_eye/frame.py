"""Bytes to frames and back.

Theory of operation. A report is ENQ, text, ETX and a check; a command is STX, text, ETX and a check; an answer to a
command is ACK alone, or NAK and a code. Payload bytes have bit 7 set and everything else in a text is printable, so
no start byte can occur within a frame. A start byte therefore always begins a frame, and whatever was unfinished before
it is damage. Other control bytes are read along in a report, and its check says whether they were meant.

The reader takes from the front of its buffer either one good frame or one piece of damage, and decides from the bytes
taken and at most one more: the same bytes give the same result however they are cut into chunks, and no more than one
unfinished frame is ever kept. It reads both directions, since a technician's line monitor hears both; which of
them may occur is for each end to judge.

A command's check comes in two extents and two forms (see `options`), and the reader finds out which this one has. The
forms cannot be taken for each other: the byte form of every known command is a control byte, never a digit.
"""

from __future__ import annotations

import re
from dataclasses import field
from typing import Final, TypeAlias, assert_never

from protocols.angel_eye.limits import FRAME_LENGTH_MAX
from protocols.angel_eye.options import BccForm
from protocols.buffer import BufferedReader
from protocols.checksum import xor
from protocols.codec import Garbage
from protocols.errors import LocalProtocolError
from protocols.frozen import dataclass

STX: Final = 0x02
ETX: Final = 0x03
ENQ: Final = 0x05
ACK: Final = 0x06
NAK: Final = 0x15
_CHECK_DIGITS: Final = 2
_REPORT_TEXT_MIN: Final = 2  # SEQ and a letter

OUTSIDE: Final = "outside any frame"
CUT_OFF: Final = "cut off"
TOO_LONG: Final = "longer than a frame may be"
CHECK_CUT_OFF: Final = "cut off in its check"
CHECK_FAILED: Final = "check failed"
TOO_SHORT: Final = "sound, but too short to be a report"

_START: Final = re.compile(rb"[\x02\x05\x06\x15]")
# What can end the text of a frame, by its start byte.
_ENDS: Final = {ENQ: re.compile(rb"[\x02\x03\x05\x06\x15]"), STX: re.compile(rb"[\x00-\x1f]")}
_NOT_HEX: Final = re.compile(rb"[^0-9A-F]")
_HEX: Final = frozenset(b"0123456789ABCDEF")
# STX is not among them: 02 is the code of a wrong check.
_NO_CODES: Final = frozenset({ENQ, ACK, NAK})


@dataclass(frozen=True, slots=True)
class ReportFrame:
    """One copy of a report. Its data can name a card, so the repr leaves them out."""

    seq: int
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class CommandFrame:
    """A command's text, and how its check was made."""

    text: bytes
    covers_stx: bool
    form: BccForm


@dataclass(frozen=True, slots=True)
class Ack:
    """The shoe takes the command."""


@dataclass(frozen=True, slots=True)
class Nak:
    """The shoe refuses the command. The code says why."""

    code: int


AnyFrame: TypeAlias = ReportFrame | CommandFrame | Ack | Nak


def encode(frame: AnyFrame) -> bytes:
    """Return the bytes of a frame. Raise LocalProtocolError if they could not be read back."""
    match frame:
        case Ack():
            return bytes((ACK,))
        case Nak(code):
            return bytes((NAK, code))
        case ReportFrame(seq, data):
            return _framed(ENQ, bytes((seq,)) + data, covers_start=False, form=BccForm.DIGITS)
        case CommandFrame(text, covers_stx, form):
            return _framed(STX, text, covers_start=covers_stx, form=form)
        case _:
            assert_never(frame)


def _framed(start: int, text: bytes, *, covers_start: bool, form: BccForm) -> bytes:
    check = _check(start, text, covers_start=covers_start)
    data = bytes((start, *text, ETX)) + (b"%02X" % check if form is BccForm.DIGITS else bytes((check,)))
    if _ENDS[start].search(text) or len(data) > FRAME_LENGTH_MAX:
        raise LocalProtocolError(
            f"a text without start bytes and ETX, and a frame of at most {FRAME_LENGTH_MAX} are allowed"
        )
    return data


def _check(start: int, text: bytes, *, covers_start: bool) -> int:
    return xor(text) ^ ETX ^ (start if covers_start else 0)


class FrameReader(BufferedReader):
    """Takes bytes, and returns frames and damage in order."""

    __slots__ = ()

    def next(self) -> AnyFrame | Garbage | None:
        """Return the next frame or piece of damage, or None until there are more bytes."""
        if not self._buffer:
            return None
        start = self._buffer.find(_START, 0, FRAME_LENGTH_MAX)
        if start == 0:
            return self._next_frame()
        if start is None and len(self._buffer) < FRAME_LENGTH_MAX:
            return None
        return self._damage(FRAME_LENGTH_MAX if start is None else start, OUTSIDE)

    def _next_frame(self) -> AnyFrame | Garbage | None:
        start = self._buffer[0]
        if start == ACK:
            self._buffer.take_bytes(1)
            return Ack()
        return self._next_nak() if start == NAK else self._next_text()

    def _next_nak(self) -> Nak | Garbage | None:
        if len(self._buffer) == 1:
            return None
        if self._buffer[1] in _NO_CODES:
            return self._damage(1, CUT_OFF)
        return Nak(self._buffer.take_bytes(2)[1])

    def _next_text(self) -> AnyFrame | Garbage | None:
        end = self._buffer.find(_ENDS[self._buffer[0]], 1, FRAME_LENGTH_MAX)
        if end is None:
            is_too_long = len(self._buffer) >= FRAME_LENGTH_MAX
            return self._damage(FRAME_LENGTH_MAX, TOO_LONG) if is_too_long else None
        if self._buffer[end] != ETX:
            return self._damage(end, CUT_OFF)
        if end + 1 + _CHECK_DIGITS > FRAME_LENGTH_MAX:
            return self._damage(end + 1, TOO_LONG)
        if len(self._buffer) == end + 1:
            return None
        if self._buffer[0] == STX and self._buffer[end + 1] not in _HEX:
            return self._checked_by_byte(end)
        return self._checked_by_digits(end)

    def _checked_by_digits(self, end: int) -> AnyFrame | Garbage | None:
        length = end + 1 + _CHECK_DIGITS
        wrong = self._buffer.find(_NOT_HEX, end + 1, length)
        if wrong is not None:
            return self._damage(wrong, CHECK_CUT_OFF)
        if len(self._buffer) < length:
            return None
        data = self._buffer.take_bytes(length)
        check, start, text = int(data[-_CHECK_DIGITS:], 16), data[0], data[1:end]
        if start == STX:
            return _command(text, check, BccForm.DIGITS) or Garbage(data, CHECK_FAILED)
        if check != _check(start, text, covers_start=False):
            return Garbage(data, CHECK_FAILED)
        return ReportFrame(text[0], text[1:]) if len(text) >= _REPORT_TEXT_MIN else Garbage(data, TOO_SHORT)

    def _checked_by_byte(self, end: int) -> AnyFrame | Garbage:
        """Read a check of one byte. A byte that does not match may begin the next frame, so it stays."""
        command = _command(self._buffer.peek(1, end), self._buffer[end + 1], BccForm.BYTE)
        if command is None:
            return self._damage(end + 1, CHECK_FAILED)
        self._buffer.take_bytes(end + 2)
        return command

    def _damage(self, length: int, reason: str) -> Garbage:
        return Garbage(self._buffer.take_bytes(length), reason)


def _command(text: bytes, check: int, form: BccForm) -> CommandFrame | None:
    for covers_stx in (True, False):
        if check == _check(STX, text, covers_start=covers_stx):
            return CommandFrame(text, covers_stx, form)
    return None
