"""What stands beside a message: its content type, and in a reply what it is the reply to.

paho takes longer to make and to pack the properties of a message than to send it, and nearly all of ours have the same.
And it makes its tables of all properties and of all reason codes anew for each packet that it reads, so that an
acknowledgement, which has neither, took three times as long: here all packets share one copy of them.

The properties of a message that comes are another user's. paho raises at some that a broker passes on, such as U+FEFF
in a text: then the connection ends, and the broker sends the message again on each next one. And it reads them in a
time that grows with the square of their number. So they are read here, and nothing in them ends a connection.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from paho.mqtt.exception import MalformedPacket
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties, VariableByteIntegers
from paho.mqtt.reasoncodes import ReasonCode

_TABLES: Final = {
    name: table
    for name, table in vars(Properties(PacketTypes.PUBLISH)).items()  # type: ignore[no-untyped-call]
    if name != "packetType"
}


def _share_tables(properties: Properties, packet_type: int) -> None:
    """Take the place of paho's own, which makes the same. Nobody writes to the tables."""
    vars(properties).update(_TABLES, packetType=packet_type)


READ_BYTES_MAX: Final = 1 << 16
"""The properties of a command are shorter. Of longer ones nothing but their length is read."""
_LENGTH_BYTES_MAX: Final = 4  # MQTT 5, 1.5.5
_TEXTS: Final = {3: "ContentType", 8: "ResponseTopic"}  # MQTT 5, 2.2.2.2
_CORRELATION_DATA: Final = 9
_USER_PROPERTY: Final = 38
_NUMBERS: Final = {1: 1, 2: 4, 35: 2}  # payload format, expiry, topic alias: how many bytes each has
_unpack_others: Final = Properties.unpack


def _unpack(properties: Properties, buffer: bytes) -> tuple[Properties, int]:
    """Take the place of paho's own. What is beside other packets is the broker's, and stays with paho."""
    if properties.packetType != PacketTypes.PUBLISH:
        others: tuple[Properties, int] = _unpack_others(properties, buffer)  # type: ignore[no-untyped-call]
        return others
    length, at = VariableByteIntegers.decode(buffer[:_LENGTH_BYTES_MAX])  # type: ignore[no-untyped-call]
    end = at + length
    if end > len(buffer):
        raise MalformedPacket("the properties end behind the packet")
    found = {"beside": length} if length > READ_BYTES_MAX else _read(bytes(buffer[at:end]))
    vars(properties).update(found)
    return properties, end


def _read(section: bytes) -> dict[str, Any]:
    """Return what we want of a message's properties, up to the first that no message has."""
    found: dict[str, Any] = {"beside": 0}
    at = 0
    while at < len(section):
        kind, at = section[at], at + 1
        if kind in _NUMBERS:
            at += _NUMBERS[kind]
        elif kind in _TEXTS:
            value, at = _value(section, at)
            found[_TEXTS[kind]] = value.decode(errors="replace")
        elif kind == _CORRELATION_DATA:
            found["CorrelationData"], at = _value(section, at)
            found["beside"] += len(found["CorrelationData"])
        elif kind == _USER_PROPERTY:
            name, at = _value(section, at)
            value, at = _value(section, at)
            found["beside"] += len(name) + len(value)
        else:  # a subscription identifier too: we give none
            break
    return found


def _value(section: bytes, at: int) -> tuple[bytes, int]:
    begin = at + 2
    end = begin + int.from_bytes(section[at:begin])
    return section[begin:end], end


def bytes_beside(properties: Properties | None) -> int:
    """Return how many bytes of the sender's own stand beside a message."""
    beside: int = getattr(properties, "beside", 0)
    return beside


Properties.__init__ = _share_tables  # type: ignore[method-assign]
Properties.unpack = _unpack  # type: ignore[method-assign]
ReasonCode.names = dict(ReasonCode.names)


class _ContentType(Properties):
    """Nothing but a content type, which is packed once."""

    def pack(self) -> bytes:
        return _packed(self.ContentType)  # type: ignore[attr-defined]  # paho sets it by its name


@lru_cache(maxsize=8)
def _packed(content_type: str) -> bytes:
    properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
    properties.ContentType = content_type
    packed: bytes = properties.pack()  # type: ignore[no-untyped-call]
    return packed


@lru_cache(maxsize=8)
def _only(content_type: str) -> Properties:
    properties = _ContentType(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
    properties.ContentType = content_type
    return properties


def publish_properties(content_type: str, correlation: bytes | None) -> Properties:
    """Return the properties of a message. Nobody may change them: other messages have the same."""
    if correlation is None:
        return _only(content_type)
    properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
    properties.ContentType = content_type
    properties.CorrelationData = correlation
    return properties
