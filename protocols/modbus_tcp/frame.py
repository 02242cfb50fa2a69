"""Frames of Modbus/TCP: a header with a number and a length, and a body. There is no check: TCP has one.

    transaction 2 bytes | protocol 2 bytes, 0 | length 2 bytes | unit 1 byte | body

The length counts the unit and the body, 2 to 254. Nothing marks the beginning of a frame. After bytes that are no
header the reader looks for the next place that could be one, so that noise (another protocol on this port) is told as
damage.
"""

from __future__ import annotations

import re
from dataclasses import field
from typing import Final

from protocols.buffer import BufferedReader
from protocols.codec import Garbage
from protocols.frozen import dataclass

HEADER_BYTES: Final = 7
LENGTH_MAX: Final = 254
_LENGTH_AT: Final = 4
_LENGTH_END: Final = 6
_HEADER: Final = re.compile(rb"..\x00\x00\x00[\x02-\xfe]", re.DOTALL)
NOT_A_HEADER: Final = "not a header of Modbus/TCP"


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame. `transaction` is the host's number of a question, and the box repeats it in its answer."""

    transaction: int
    unit: int
    pdu: bytes = field(repr=False)


def encode(frame: Frame) -> bytes:
    """Return the frame as it is sent."""
    length = (1 + len(frame.pdu)).to_bytes(2, "big")
    return frame.transaction.to_bytes(2, "big") + b"\0\0" + length + bytes((frame.unit,)) + frame.pdu


class FrameReader(BufferedReader):
    """Takes bytes, and returns frames and damage in order."""

    __slots__ = ()

    def next(self) -> Frame | Garbage | None:
        """Return the next frame, or one byte of damage, or None until there are more bytes."""
        buffer = self._buffer
        if len(buffer) < _LENGTH_END:
            return None
        if buffer.match(_HEADER, _LENGTH_END) is None:
            return Garbage(buffer.take_bytes(1), NOT_A_HEADER)
        size = _LENGTH_END + int.from_bytes(buffer.peek(_LENGTH_AT, _LENGTH_END), "big")
        if len(buffer) < size:
            return None
        data = buffer.take_bytes(size)
        return Frame(int.from_bytes(data[:2], "big"), data[_LENGTH_END], data[HEADER_BYTES:])
