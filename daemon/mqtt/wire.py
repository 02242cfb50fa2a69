"""What crosses the socket most often, without paho's detours: publishes, and acknowledgements both ways.

Theory of operation. paho keeps the socket: it connects, subscribes, reads what others say, and pings. But for each
publish it makes a message, an event and a lock that nobody here looks at; it reads each acknowledgement in three system
calls; and it writes when the loop comes round to it. That was half of what a message cost. Here a packet is made once
and written at once, if nothing waits before it; else it stands in paho's own queue, and the loop writes it. What comes
is read in one piece. Acknowledgements at its head are taken here, and paho reads everything else out of that piece.

Nothing here calls paho's callbacks or takes its locks, so it may be used inside of them. No error is raised here
either: paho meets it at the next read or write, and ends the connection.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from paho.mqtt import client as paho
from paho.mqtt.enums import MQTTErrorCode
from paho.mqtt.properties import Properties

READ_BYTES_MAX: Final = 1024
"""Hundreds of acknowledgements, or some commands: more at once would keep the loop from its other work."""
TOPICS_KEPT: Final = 256  # a table's events, its picture, its people's replies
PUBLISH_AT_LEAST_ONCE: Final = 0x32  # MQTT 5, 3.3.1: the type, and QoS 1
RETAIN: Final = 0x01
PUBACK: Final = 0x40
MID_BYTES: Final = 2
_HEAD_BYTES: Final = 2  # type and length of a PUBACK: it is longer only with properties of more than 120 bytes
_SHORT: Final = 0x80  # a length below this is one byte


@lru_cache(TOPICS_KEPT)
def _packed(topic: str) -> bytes:
    encoded = topic.encode()
    paho.Client._raise_for_invalid_topic(encoded)
    if not encoded:
        raise ValueError("a publish needs a topic")
    return len(encoded).to_bytes(2) + encoded


def publish_packet(topic: str, payload: bytes, retain: bool, properties: Properties | None, mid: int) -> bytes:
    """Return a PUBLISH at QoS 1. MQTT 3.1.1 has no properties."""
    packed: bytes = b"" if properties is None else properties.pack()  # type: ignore[no-untyped-call]
    body = b"".join((_packed(topic), mid.to_bytes(MID_BYTES), packed, payload))
    head = bytearray((PUBLISH_AT_LEAST_ONCE | (RETAIN if retain else 0),))
    length = len(body)
    while length >= _SHORT:  # MQTT 5, 1.5.5: seven bits a byte, the lowest first
        head.append(length & 0x7F | _SHORT)
        length >>= 7
    head.append(length)
    return bytes(head) + body


def puback_packet(mid: int) -> bytes:
    """Return a PUBACK: success, without properties."""
    return bytes((PUBACK, MID_BYTES, mid >> 8, mid & 0xFF))


class Wire:
    """One connection's socket. For the loop's thread only."""

    def __init__(self, client: paho.Client, acknowledged: Callable[[int, int], None]) -> None:
        """Have `acknowledged` called with the id and the reason code of each publish that the broker answered."""
        self._client = client
        self._acknowledged = acknowledged
        self._came = bytearray()
        self._receive, self._read_packet = client._sock_recv, client.loop_read
        client._sock_recv = self._next_bytes  # type: ignore[method-assign]
        client._handle_pubackcomp = self._take_read  # type: ignore[method-assign]  # paho knows nothing of ours

    def send(self, packets: bytes) -> None:
        """Write this now, or behind what waits already."""
        client, sent = self._client, 0
        if not client._out_packet:
            try:
                sent = client._sock_send(packets)
            except (OSError, ValueError):  # the latter from TLS
                sent = 0  # the socket is full, or the connection has ended: the loop's write finds out which
            if sent == len(packets):
                return
        client._out_packet.append(
            {
                "command": PUBLISH_AT_LEAST_ONCE,
                "mid": 0,
                "qos": 1,
                "pos": sent,
                "to_process": len(packets) - sent,
                "packet": packets,
                "info": None,
            }
        )
        client._call_socket_register_write()

    def read(self, _max_packets: int = 1) -> MQTTErrorCode:
        """Take what has come. In the place of paho's `loop_read`."""
        if not self._came:
            try:
                self._came += self._receive(READ_BYTES_MAX)
            except BlockingIOError:
                return MQTTErrorCode.MQTT_ERR_SUCCESS
            except OSError:
                return self._read_packet()  # which meets the same end
            if not self._came:
                return self._read_packet()
        done = MQTTErrorCode.MQTT_ERR_SUCCESS
        self._take_acknowledgements()
        while self._came and done == MQTTErrorCode.MQTT_ERR_SUCCESS:
            done = self._read_packet()  # of a packet that is not all here paho keeps its part
            self._take_acknowledgements()
        self._came.clear()
        return done

    def _next_bytes(self, bufsize: int) -> bytes:
        """Give paho what was read already, then what the kernel has."""
        if not self._came:
            return self._receive(bufsize)
        given = bytes(self._came[:bufsize])
        del self._came[:bufsize]
        return given

    def _take_acknowledgements(self) -> None:
        """Take the acknowledgements that the bytes begin with."""
        came, at = self._came, 0
        if self._client._in_packet["command"]:
            return  # they begin within a packet of which paho has the first part
        while len(came) >= at + _HEAD_BYTES and came[at] == PUBACK:
            length = came[at + 1]
            end = at + _HEAD_BYTES + length
            if not MID_BYTES <= length < _SHORT or len(came) < end:
                break  # paho's: it is not as it should be, is long, or is not all here
            code = came[at + 4] if length > MID_BYTES else 0
            self._acknowledged(came[at + 2] << 8 | came[at + 3], code)
            at = end
        del came[:at]

    def _take_read(self, cmd: str) -> MQTTErrorCode:
        """Take an acknowledgement that paho read, because it came in two pieces or is long."""
        packet = self._client._in_packet["packet"]
        if len(packet) < MID_BYTES:
            return MQTTErrorCode.MQTT_ERR_PROTOCOL
        self._acknowledged(packet[0] << 8 | packet[1], packet[2] if len(packet) > MID_BYTES else 0)
        return MQTTErrorCode.MQTT_ERR_SUCCESS
