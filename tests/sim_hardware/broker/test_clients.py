"""The broker as its users meet it: the daemon's own client library, and Mosquitto's command-line tools."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import aiomqtt
import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from sim_hardware.broker import Broker
from tests.sim_hardware.free_port import free_port

NEVER_S = 0xFFFFFFFF


@pytest.fixture
async def broker() -> AsyncIterator[Broker]:
    running = Broker()
    await running.start(free_port())
    yield running
    await running.close()


def lasting() -> Properties:
    properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    properties.SessionExpiryInterval = NEVER_S
    return properties


def client(broker: Broker, name: str) -> aiomqtt.Client:
    return aiomqtt.Client(
        "127.0.0.1",
        broker.port,
        identifier=name,
        protocol=aiomqtt.ProtocolVersion.V5,
        clean_start=False,
        properties=lasting(),
    )


async def test_a_thousand_messages_arrive_once_and_in_order(broker: Broker) -> None:
    async with client(broker, "sub") as subscriber, client(broker, "pub") as publisher:
        await subscriber.subscribe("felt/#", qos=1)
        for number in range(1000):
            await publisher.publish("felt/event", str(number), qos=1)
        got = [int((await anext(subscriber.messages)).payload) async for _ in _count(1000)]
    assert got == list(range(1000))


async def _count(most: int) -> AsyncIterator[int]:
    for number in range(most):
        yield number


async def test_a_subscriber_that_was_away_gets_what_it_missed(broker: Broker) -> None:
    async with client(broker, "sub") as subscriber:
        await subscriber.subscribe("felt/#", qos=1)
    async with client(broker, "pub") as publisher:
        for number in range(500):
            await publisher.publish("felt/event", str(number), qos=1)
    async with client(broker, "sub") as subscriber:
        got = [int((await anext(subscriber.messages)).payload) async for _ in _count(500)]
    assert got == list(range(500))


async def test_mosquitto_s_tools_publish_and_subscribe(broker: Broker) -> None:
    port = str(broker.port)
    publish = ("mosquitto_pub", "-V", "5", "-p", port, "-q", "1", "-r", "-t", "felt/status", "-m", "online")
    assert await (await asyncio.create_subprocess_exec(*publish)).wait() == 0
    listen = ("mosquitto_sub", "-V", "5", "-p", port, "-q", "1", "-t", "felt/#", "-C", "1", "-F", "%r %t %p")
    subscriber = await asyncio.create_subprocess_exec(*listen, stdout=asyncio.subprocess.PIPE)
    heard, _ = await subscriber.communicate()
    assert heard == b"1 felt/status online\n"


async def test_mosquitto_s_tools_are_told_when_they_speak_an_older_protocol(broker: Broker) -> None:
    publish = ("mosquitto_pub", "-V", "311", "-p", str(broker.port), "-t", "t", "-m", "x")
    refused = await asyncio.create_subprocess_exec(*publish, stderr=asyncio.subprocess.PIPE)
    _, complaint = await refused.communicate()
    assert refused.returncode
    assert b"protocol version" in complaint
