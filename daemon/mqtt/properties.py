"""What stands beside a message of ours: its content type, and in a reply what it is the reply to.

paho takes longer to make and to pack the properties of a message than to send it, and nearly all of ours have the same.
"""

from __future__ import annotations

from functools import lru_cache

from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties


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
