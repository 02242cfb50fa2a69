"""What holds for every codec whatever the bytes are, as one function that a fuzzer can call.

A fuzzer that only has noise never gets past a check value. So the same bytes are also taken as the inside of sound
frames, one a line, and sealed with the check that they need.
"""

from __future__ import annotations

import re
from typing import Final

from protocols.registry import PROTOCOLS
from tests.protocols.subjects import Subject, run

_BETWEEN: Final = re.compile(rb"[ \r\n]*")


def check(subject: Subject, data: bytes) -> None:
    """Raise when a codec raises, cares how bytes are cut, or loses one."""
    for stream in (data, sealed(subject, data)):
        whole = run(subject, [stream])
        assert run(subject, (bytes((byte,)) for byte in stream)) == whole
        assert run(subject, (stream[: len(stream) // 2], stream[len(stream) // 2 :])) == whole
        _check_listener(subject, stream)


def sealed(subject: Subject, data: bytes) -> bytes:
    """Each line of the data as a frame that arrived whole."""
    return b"".join(subject.seal(line) for line in data.split(b"\n"))


def _check_listener(subject: Subject, stream: bytes) -> None:
    listener = PROTOCOLS[subject.name].listener()
    listener.feed(stream)
    heard = [*iter(listener.next, None), *filter(None, (listener.end(),))]
    place = 0
    for one in heard:
        assert _BETWEEN.fullmatch(stream, place, one.offset), "nothing but line ends and blanks is passed over"
        assert stream.startswith(one.data, one.offset)
        place = one.offset + len(one.data)
    assert _BETWEEN.fullmatch(stream, place)
