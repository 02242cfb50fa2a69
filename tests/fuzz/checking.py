"""What holds for every codec whatever the bytes are, as one function that a fuzzer can call.

A fuzzer that only has noise never gets past a check value. So the same bytes are also taken as the inside of sound
frames, one a line, and sealed with the check that they need.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from protocols import angel_eye, bee_tek, felt_link, modbus_tcp
from protocols.checksum import crc16, xor
from protocols.codec import Role
from protocols.modbus_tcp.frame import LENGTH_MAX, Frame, encode
from protocols.registry import PROTOCOLS
from tests.protocols.subjects import Subject, run

_CONTROL: Final = re.compile(rb"[\x00-\x1f]")
_BETWEEN: Final = re.compile(rb"[ \r\n]*")
_NOT_TEXT: Final = re.compile(rb"[^\x20-\x7e]")


def check(subject: Subject, data: bytes) -> None:
    """Raise when a codec raises, cares how bytes are cut, or loses one."""
    for stream in (data, sealed(subject, data)):
        whole = run(subject, [stream])
        assert run(subject, (bytes((byte,)) for byte in stream)) == whole
        assert run(subject, (stream[: len(stream) // 2], stream[len(stream) // 2 :])) == whole
        _check_listener(subject, stream)


def sealed(subject: Subject, data: bytes) -> bytes:
    """Each line of the data as a frame that arrived whole."""
    seal = _SEALS[subject.name, subject.role]
    return b"".join(seal(line) for line in data.split(b"\n"))


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


def _felt_link(line: bytes) -> bytes:
    text = _NOT_TEXT.sub(b"", line) + b"\x03"
    return b"\x02" + text + b"%04X" % crc16(text)


def _angel_eye_report(line: bytes) -> bytes:
    text = _CONTROL.sub(b"", line) + b"\x03"
    return b"\x05" + text + b"%02X" % xor(text)


def _angel_eye_command(line: bytes) -> bytes:
    text = b"\x02" + _CONTROL.sub(b"", line) + b"\x03"
    return text + b"%02X" % xor(text)


def _bee_tek(line: bytes) -> bytes:
    return line + b"\r\n"


def _modbus_tcp(line: bytes) -> bytes:
    return encode(Frame(1, 1, line[: LENGTH_MAX - 1] or b"\0"))


_SEALS: Final[Mapping[tuple[str, Role], Callable[[bytes], bytes]]] = {
    (felt_link.NAME, Role.HOST): _felt_link,
    (felt_link.NAME, Role.DEVICE): _felt_link,
    (angel_eye.NAME, Role.HOST): _angel_eye_report,
    (angel_eye.NAME, Role.DEVICE): _angel_eye_command,
    (bee_tek.NAME, Role.HOST): _bee_tek,
    (bee_tek.NAME, Role.DEVICE): _bee_tek,
    (modbus_tcp.NAME, Role.HOST): _modbus_tcp,
    (modbus_tcp.NAME, Role.DEVICE): _modbus_tcp,
}
