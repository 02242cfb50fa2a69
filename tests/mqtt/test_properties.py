"""What MQTT 5 carries beside a command is its sender's: nothing in it ends a connection, or takes the table's time."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import aiomqtt
import pytest
from paho.mqtt._packet import decode_publish
from paho.mqtt.client import MQTTv5
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties, VariableByteIntegers

from daemon.mqtt.answering import COMMAND_BYTES_MAX
from daemon.mqtt.properties import bytes_beside
from daemon.mqtt.wire import PUBLISH_AT_LEAST_ONCE
from tests.mqtt.conftest import reach
from tests.mqtt.listening import PATIENCE_S, listening
from tests.mqtt.running import TOPICS, HandTable, WatchedJournal, running
from tests.mqtt.test_answering import command, written
from tests.support.mosquitto import Mosquitto

PACKET_BYTES = 1 << 20  # the most that our example for Mosquitto lets through
SOME_BYTES = COMMAND_BYTES_MAX // 8
STRANGE: dict[str, dict[str, Any]] = {
    "a mark of byte order in a user property": {"UserProperty": [("\ufeff", "x")]},
    "a mark of byte order in the content type": {"ContentType": "\ufeff"},
    "a payload format that nobody defined": {"PayloadFormatIndicator": 2},
}


def beside(**said: Any) -> Properties:  # noqa: ANN401
    """Return properties past what paho would take from us."""
    properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
    vars(properties).update(said)
    return properties


def came(section: bytes) -> tuple[Properties, bytes]:
    """Return the properties and the payload of a message with these bytes of properties."""
    length: bytes = VariableByteIntegers.encode(len(section))  # type: ignore[no-untyped-call]
    message = decode_publish(PUBLISH_AT_LEAST_ONCE, b"\0\1t\0\1" + length + section + b"payload", MQTTv5)
    assert message.properties is not None
    return message.properties, bytes(message.payload)


async def is_taken(port: int, properties: Properties) -> bool:
    """Send a player's command on a connection of its own. Mosquitto 2.0.21 hangs up on a payload format of 2."""
    try:
        async with aiomqtt.Client("127.0.0.1", port, protocol=aiomqtt.ProtocolVersion.V5) as player:
            await player.publish(TOPICS.command("app", "bet"), written(command(1)), 1, properties=properties)
    except aiomqtt.MqttError:
        return False
    return True


@pytest.mark.parametrize("strange", STRANGE.values(), ids=list(STRANGE))
async def test_what_a_broker_passes_on_never_ends_the_connection(
    broker: Mosquitto, journal: WatchedJournal, strange: dict[str, Any]
) -> None:
    """A player sent one such command. It came again on each connection, and the table heard nobody from then on."""
    table = HandTable(journal)
    session = table.session(reach(broker.port))
    async with listening(broker.port, f"{TOPICS.base}/reply/#") as app, running(session):
        await asyncio.wait_for(session.there.wait(), PATIENCE_S)
        before = ["request-1"] if await is_taken(broker.port, beside(**strange)) else []
        await app.send(TOPICS.command("app", "bet"), written(command(2)))
        await app.first(lambda one: one.json["id"] == "request-2")
        assert [one.json["id"] for one in app.heard] == [*before, "request-2"]


async def test_a_strange_response_topic_is_refused(broker: Mosquitto, journal: WatchedJournal) -> None:
    table = HandTable(journal)
    session = table.session(reach(broker.port))
    async with listening(broker.port, f"{TOPICS.base}/reply/#") as app, running(session):
        await asyncio.wait_for(session.there.wait(), PATIENCE_S)
        strange = beside(ResponseTopic=f"{TOPICS.reply('app')}/\ufeff", CorrelationData=b"which")
        await app.client.publish(TOPICS.command("app", "bet"), written(command()), 1, properties=strange)
        reply = await app.first(lambda _: True)
    assert (reply.topic, reply.json["code"]) == (TOPICS.reply("app"), "bad-response-topic")
    assert reply.correlation == b"which"


def took_s(bytes_: int) -> float:
    """Return the least time of five in which a message with so many bytes of empty user properties is read."""
    section = b"\x26\0\0\0\0" * (bytes_ // 5)
    times = []
    for _ in range(5):
        begin_s = time.process_time()
        properties, payload = came(section)
        times.append(time.process_time() - begin_s)
        assert payload == b"payload"
    assert bytes_beside(properties) > COMMAND_BYTES_MAX or bytes_ <= COMMAND_BYTES_MAX
    return min(times)


def test_the_time_that_properties_take_grows_no_faster_than_they_do() -> None:
    """A player's 100,000 empty ones held the whole table for a minute: its devices counted as silent."""
    least, most = took_s(SOME_BYTES), took_s(COMMAND_BYTES_MAX)
    assert most < 3 * 8 * least, "with the square of their number it would be 64 times"
    assert took_s(PACKET_BYTES) < most, "of what is too long nothing but the length is read"


def test_properties_are_read_as_they_were_written() -> None:
    written_ = beside(
        PayloadFormatIndicator=1,
        MessageExpiryInterval=60,
        ContentType="text/plain",
        ResponseTopic="a/é",
        CorrelationData=b"\0which\xff",
        UserProperty=[("name", "value"), ("", "")],
        TopicAlias=7,
    )
    read, payload = came(written_.pack()[1:])  # type: ignore[no-untyped-call]
    assert (read.ContentType, read.ResponseTopic) == ("text/plain", "a/é")  # type: ignore[attr-defined]
    assert read.CorrelationData == b"\0which\xff"  # type: ignore[attr-defined]
    assert bytes_beside(read) == len(b"\0which\xff") + len("name") + len("value")
    assert payload == b"payload"


def test_properties_that_are_cut_anywhere_are_read_to_their_end() -> None:
    whole = beside(ResponseTopic="a/b", CorrelationData=b"which", UserProperty=[("name", "value")]).pack()[1:]  # type: ignore[no-untyped-call]
    for end in range(len(whole)):
        assert came(whole[:end])[1] == b"payload"
    for kind in range(256):
        assert came(bytes([kind]))[1] == b"payload"
