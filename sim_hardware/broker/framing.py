"""One MQTT packet's bytes from a stream, bounded, and what protocol version a first packet asks for."""

from __future__ import annotations

import asyncio
from typing import Final

from mqtt5 import DisconnectReasonCode, Packet, read

CONNECT_TYPE: Final = 0x10
MQTT_5: Final = 5
LENGTH_BYTES_MAX: Final = 4
"""MQTT 5.0, 1.5.5: a variable byte integer has at most four bytes."""
REFUSED_VERSION: Final = bytes((0x20, 0x02, 0x00, 0x01))
"""The CONNACK of MQTT 3.1.1, 3.2.2.3: unacceptable protocol version. An older client understands no other."""


class ProtocolFault(Exception):  # noqa: N818 — MQTT's own word for it is not "error"
    """The client broke the protocol. It gets the code, and its connection ends."""

    def __init__(self, reason: DisconnectReasonCode, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


async def read_packet_bytes(reader: asyncio.StreamReader, bytes_max: int) -> bytes:
    """Return the next whole packet. Raise IncompleteReadError at the end of the stream."""
    head = bytearray(await reader.readexactly(1))
    length = 0
    for place in range(LENGTH_BYTES_MAX):
        head += await reader.readexactly(1)
        length |= (head[-1] & 0x7F) << 7 * place
        if head[-1] < 0x80:
            break
    else:
        raise ProtocolFault(DisconnectReasonCode.MALFORMED_PACKET, "the packet's length has no end")
    if length > bytes_max:
        raise ProtocolFault(DisconnectReasonCode.PACKET_TOO_LARGE, f"{length} bytes; at most {bytes_max}")
    return bytes(head) + await reader.readexactly(length)


def parse(data: bytes) -> Packet:
    """Return the packet. Raise a protocol fault if it is malformed."""
    try:
        packet, used = read(memoryview(data))
    except (ValueError, IndexError) as error:
        raise ProtocolFault(DisconnectReasonCode.MALFORMED_PACKET, str(error)) from None
    if used != len(data):
        raise ProtocolFault(DisconnectReasonCode.MALFORMED_PACKET, "bytes after the packet's last field")
    return packet


def asked_version(data: bytes) -> int | None:
    """Return the protocol level in a CONNECT of any version, or None if this is not a CONNECT."""
    body = data[2:] if data[1] < 0x80 else data[3:]
    name_length = int.from_bytes(body[:2], "big")
    if data[0] != CONNECT_TYPE or len(body) < name_length + 3:
        return None
    return body[2 + name_length]
