"""Where the bytes come from that are decoded: a raw stream, or a recording, which says so in its first line."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final

from protocols.capture import FIRST_LINE, CaptureError, Side, read_capture

_READ_SIZE: Final = 65_536
_RECORDING: Final = f"{FIRST_LINE}\n".encode()


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes in pieces, as they come; `protocol` is what a recording says of itself."""

    pieces: Iterator[bytes]
    protocol: str | None = None


def raw(stream: io.FileIO) -> Iterator[bytes]:
    """Whatever comes, as soon as it comes."""
    return iter(lambda: stream.read(_READ_SIZE), b"")


def source_of(stream: io.FileIO, side: Side) -> Source:
    """What the stream holds, or CaptureError when it begins as a recording and is none. Of a recording, one side."""
    first = stream.read(_READ_SIZE)
    if not first.startswith(_RECORDING):
        return Source(chain([first], raw(stream)))
    try:
        capture = read_capture(b"".join([first, *raw(stream)]).decode("utf-8"))
    except UnicodeDecodeError as error:
        raise CaptureError("it is not UTF-8") from error
    return Source((chunk.data for chunk in capture.said_by(side)), capture.notes.get("protocol"))
