"""Whatever a broker says, it is a broker that is away: the table plays on, and the next connection is tried."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from daemon.mqtt.client import connected
from daemon.mqtt.delivery import BrokerAwayError
from daemon.mqtt.settings import MqttSettings, MqttVersion
from tests.mqtt.conftest import reach
from tests.mqtt.listening import PATIENCE_S
from tests.sim_hardware.free_port import free_port

CONNACK = {MqttVersion.V5: b"\x20\x03\0\0\0", MqttVersion.V3_1_1: b"\x20\x02\0\0"}
MID = b"MM"  # in these words: the number of our subscription
NO_PROPERTIES = {MqttVersion.V5: b"\0", MqttVersion.V3_1_1: b""}
SAID = {
    "suback-for-none": (0x90, MID + b"P"),
    "suback-for-two": (0x90, MID + b"P\1\1"),
    "suback-of-no-code": (0x90, MID + b"P\x77"),
    "suback-empty": (0x90, b""),
    "suback-of-another": (0x90, b"\x12\x34P\1"),
    "publish-without-a-topic": (0x30, b"\0"),
    "publish-of-half-a-topic": (0x30, b"\xff\xffabc"),
    "publish-of-no-property": (0x30, b"\0\1a\2\xee\1"),
    "publish-of-endless-properties": (0x30, b"\0\1a\xff\xff\xff\xff\xff"),
    "publish-of-an-alias": (0x30, b"\0\0\3\x23\0\5x"),
    "publish-at-qos-3": (0x36, b"\0\1a\0\1Px"),
    "publish-at-qos-2": (0x34, b"\0\1a\0\1Px"),
    "publish-0": (0x32, b"\0\1a\0\0Px"),
    "puback-of-none": (0x40, b"\x12\x34"),
    "puback-short": (0x40, b"\x12"),
    "puback-of-no-code": (0x40, b"\0\1\x77\0"),
    "pubrec": (0x50, b"\0\1"),
    "pubrel-empty": (0x62, b""),
    "unsuback-empty": (0xB0, b""),
    "connack-again": (0x20, b"\0\0\0"),
    "disconnect-of-no-code": (0xE0, b"\x77\0"),
    "auth": (0xF0, b"\0\0"),
    "type-0": (0x00, b""),
}


@asynccontextmanager
async def saying(version: MqttVersion, kind: int, body: bytes) -> AsyncIterator[int]:
    """Yield the port of a broker that lets in, and answers the subscription with this packet."""
    ended = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(4096)
        writer.write(CONNACK[version])
        mid = (await reader.read(4096))[2:4]
        said = body.replace(MID, mid).replace(b"P", NO_PROPERTIES[version])
        writer.write(bytes((kind, len(said))) + said)
        while await reader.read(4096):
            pass
        writer.close()
        ended.set()

    port = free_port()
    server = await asyncio.start_server(serve, "127.0.0.1", port)
    async with server:
        yield port
        await asyncio.wait_for(ended.wait(), PATIENCE_S)


@pytest.mark.parametrize("said", SAID)
async def test_it_is_a_broker_that_is_away(said: str, version: MqttVersion) -> None:
    """An answer to one topic with codes for two, or for none, ended the daemon at each of its connections."""
    async with saying(version, *SAID[said]) as port:
        settings = replace(reach(port, version), ack_s_max=0.05)
        with pytest.raises(BrokerAwayError):
            await asyncio.wait_for(_listen(settings), PATIENCE_S)


async def _listen(settings: MqttSettings) -> None:
    async with connected(settings, "c") as connection:
        await connection.listen("felt/a")
        await connection.until_lost()
