"""What stands beside a message: its content type, and in a reply what it is the reply to.

paho takes longer to make and to pack the properties of a message than to send it, and nearly all of ours have the same.
And it makes its tables of all properties and of all reason codes anew for each packet that it reads, so that an
acknowledgement, which has neither, took three times as long: here all packets share one copy of them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

_TABLES: Final = {
    name: table
    for name, table in vars(Properties(PacketTypes.PUBLISH)).items()  # type: ignore[no-untyped-call]
    if name != "packetType"
}


def _share_tables(properties: Properties, packet_type: int) -> None:
    """Take the place of paho's own, which makes the same. Nobody writes to the tables."""
    vars(properties).update(_TABLES, packetType=packet_type)


Properties.__init__ = _share_tables  # type: ignore[method-assign]
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
