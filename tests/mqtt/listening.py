"""A consumer and requester with a connection of its own to the broker."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

import aiomqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

PATIENCE_S = 180.0


@dataclass(frozen=True, slots=True)
class Heard:
    """One received message."""

    topic: str
    payload: bytes
    retain: bool
    correlation: bytes | None = None
    content_type: str | None = None

    @property
    def json(self) -> Any:  # noqa: ANN401  # whatever was said
        return json.loads(self.payload)


@dataclass
class Listener:
    """Keeps every message in order, and waits for those that a test expects."""

    client: aiomqtt.Client
    heard: list[Heard] = field(default_factory=list)
    _news: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def until(self, true: Callable[[list[Heard]], object]) -> list[Heard]:
        """Wait until the condition holds, and return all messages."""
        async with asyncio.timeout(PATIENCE_S), self._news:
            await self._news.wait_for(lambda: true(self.heard))
        return list(self.heard)

    async def first(self, true: Callable[[Heard], object]) -> Heard:
        """Wait for the first message for which the condition holds."""
        checked = 0

        def found(heard: list[Heard]) -> bool:
            nonlocal checked
            while checked < len(heard) and not true(heard[checked]):
                checked += 1
            return checked < len(heard)

        return (await self.until(found))[checked]

    def about(self, part: str) -> list[Heard]:
        """Return the messages whose topic contains this part."""
        return [one for one in self.heard if part in one.topic]

    async def send(self, topic: str, payload: bytes, *, retain: bool = False, answer_to: str | None = None) -> None:
        """Publish, with a response topic and its correlation data if an answer is wanted there."""
        properties = None
        if answer_to is not None:
            properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
            properties.ResponseTopic = answer_to
            properties.CorrelationData = b"correlation"
        await self.client.publish(topic, payload, 1, retain, properties)

    async def keep(self) -> None:
        """Receive messages until the connection ends."""
        with contextlib.suppress(aiomqtt.MqttError):
            async for message in self.client.messages:
                heard = Heard(
                    str(message.topic),
                    bytes(message.payload),
                    message.retain,
                    getattr(message.properties, "CorrelationData", None),
                    getattr(message.properties, "ContentType", None),
                )
                async with self._news:
                    self.heard.append(heard)
                    self._news.notify_all()


@contextlib.asynccontextmanager
async def listening(
    port: int, topic: str = "#", *, name: str | None = None, kept: list[Heard] | None = None
) -> AsyncIterator[Listener]:
    """Listen to this topic. With a name the broker keeps the session, and the messages that were missed."""
    properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    properties.SessionExpiryInterval = 0 if name is None else 3600
    client = aiomqtt.Client(
        "127.0.0.1",
        port,
        identifier=name,
        protocol=aiomqtt.ProtocolVersion.V5,
        clean_start=name is None,
        properties=properties,
    )
    async with client:
        listener = Listener(client, [] if kept is None else kept)
        await client.subscribe(topic, 1)
        keeping = asyncio.create_task(listener.keep())
        try:
            yield listener
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)
