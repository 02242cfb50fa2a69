"""What is written past paho is what paho would write, and what comes is read whatever pieces it comes in."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion

from daemon.mqtt.properties import publish_properties
from daemon.mqtt.wire import READ_BYTES_MAX, Wire, puback_packet, publish_packet

ACCEPTED = b"\x40\x02\x00\x07"
UNHEARD = b"\x40\x04\x00\x08\x10\x00"
REFUSED = b"\x40\x03\x01\x09\x97"
WITH_REASON = b"\x40\x90\x01\x01\x0a\x87\x8b\x01\x1f\x00\x88" + b"x" * 0x88
"""As long as a broker's own words make it: paho reads this one."""
MESSAGE = b"\x30\x0c\x00\x06felt/x\x00yes"
TRAFFIC = ACCEPTED + UNHEARD + MESSAGE + REFUSED + WITH_REASON + MESSAGE + ACCEPTED
SAID = [(7, 0), (8, 0x10), "felt/x", (0x109, 0x97), (0x10A, 0x87), "felt/x", (7, 0)]


class There:
    """A paho client in the middle of a connection, the broker's end of it, and what it was told."""

    def __init__(self, version: MQTTProtocolVersion = MQTTProtocolVersion.MQTTv5) -> None:
        self.heard: list[object] = []
        self.broker, own = socket.socketpair()
        own.setblocking(False)
        self.client = paho.Client(CallbackAPIVersion.VERSION2, protocol=version)
        self.client._sock = own
        self.client.on_socket_register_write = lambda *_: None
        self.client.on_message = lambda _client, _data, message: self.heard.append(message.topic)

    def wire(self) -> Wire:
        return Wire(self.client, lambda mid, code: self.heard.append((mid, code)))

    def written(self) -> bytes:
        return self.broker.recv(1 << 20)


@contextmanager
def there(version: MQTTProtocolVersion = MQTTProtocolVersion.MQTTv5) -> Iterator[There]:
    made = There(version)
    try:
        yield made
    finally:
        made.client._sock_close()
        made.broker.close()


@pytest.mark.parametrize("version", [MQTTProtocolVersion.MQTTv5, MQTTProtocolVersion.MQTTv311])
@given(
    topic=st.text("abcé/", min_size=1),
    payload=st.one_of(st.binary(max_size=300), st.sampled_from([b"x" * n for n in (16_360, 16_400, 40_000)])),
    retain=st.booleans(),
    correlation=st.none() | st.binary(max_size=8),
)
def test_a_publish_is_the_bytes_that_paho_would_write(
    version: MQTTProtocolVersion, topic: str, payload: bytes, retain: bool, correlation: bytes | None
) -> None:
    properties = None
    if version is MQTTProtocolVersion.MQTTv5:
        properties = publish_properties("application/json", correlation)
    with there(version) as other:
        mid = other.client.publish(topic, payload, 1, retain, properties).mid
        other.client.loop_write()
        assert publish_packet(topic, payload, retain, properties, mid) == other.written()


@given(mid=st.integers(1, 0xFFFF))
def test_an_acknowledgement_is_the_bytes_that_paho_would_write(mid: int) -> None:
    with there() as other:
        other.client.manual_ack_set(True)
        other.client.ack(mid, 1)
        other.client.loop_write()
        assert puback_packet(mid) == other.written()


@pytest.mark.parametrize("topic", ["", "felt/+/x", "felt/#", "x" * 65_536])
def test_no_publish_has_a_topic_that_brokers_end_the_connection_for(topic: str) -> None:
    with pytest.raises(ValueError):
        publish_packet(topic, b"", False, None, 1)


@given(cuts=st.sets(st.integers(1, len(TRAFFIC) - 1)))
def test_what_comes_is_taken_in_order_in_whatever_pieces(cuts: set[int]) -> None:
    with there() as other:
        wire = other.wire()
        for begin, end in pairwise([0, *sorted(cuts), len(TRAFFIC)]):
            other.broker.sendall(TRAFFIC[begin:end])
            assert wire.read() == MQTTErrorCode.MQTT_ERR_SUCCESS
        assert other.heard == SAID


def test_more_than_is_read_at_once_is_read_later() -> None:
    with there() as other:
        wire, times = other.wire(), READ_BYTES_MAX
        other.broker.sendall(UNHEARD * times)  # no multiple of it: one is cut at each end
        while len(other.heard) < times:
            before = len(other.heard)
            assert wire.read() == MQTTErrorCode.MQTT_ERR_SUCCESS
            assert before < len(other.heard) <= before + READ_BYTES_MAX
        assert other.heard == [(8, 0x10)] * times
        assert wire.read() == MQTTErrorCode.MQTT_ERR_SUCCESS  # woken for nothing


def test_what_came_before_an_end_is_taken_first() -> None:
    with there() as other:
        wire = other.wire()
        other.broker.sendall(ACCEPTED + MESSAGE)
        other.broker.close()
        assert wire.read() == MQTTErrorCode.MQTT_ERR_SUCCESS
        assert other.heard == [(7, 0), "felt/x"]
        assert wire.read() == MQTTErrorCode.MQTT_ERR_CONN_LOST


def test_an_acknowledgement_of_nothing_ends_the_connection() -> None:
    with there() as other:
        other.broker.sendall(b"\x40\x01\x07")
        assert other.wire().read() == MQTTErrorCode.MQTT_ERR_PROTOCOL


def test_what_finds_no_room_is_written_later_in_order() -> None:
    with there() as other:
        wire, sent = other.wire(), bytearray()
        pieces = [bytes((n,)) * 20_000 for n in range(100)]
        for piece in pieces:
            wire.send(piece)
        assert other.client.want_write()
        while other.client.want_write():
            sent += other.written()
            other.client.loop_write()
        while len(sent) < sum(map(len, pieces)):
            sent += other.written()
        assert sent == b"".join(pieces)


def test_nothing_is_raised_where_there_is_no_connection_any_more() -> None:
    with there() as other:
        wire = other.wire()
        other.broker.close()
        for _ in range(3):
            wire.send(b"x")
        other.client._sock_close()
        wire.send(b"x")
