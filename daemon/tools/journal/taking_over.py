"""Removing another journal's table from the broker, as a deliberate act."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace

import aiomqtt

from daemon.errors import OutageError
from daemon.mqtt.client import connected
from daemon.mqtt.delivery import Delivered
from daemon.mqtt.documents import read_retained
from daemon.mqtt.rivals import LOOK_S_MAX
from daemon.mqtt.settings import MqttSettings
from daemon.mqtt.topics import Topics


async def take_over(settings: MqttSettings, topics: Topics) -> str | None:
    """Remove the retained state and status. Return the journal that they were of, or None if there was none."""
    heard: asyncio.Future[aiomqtt.Message] = asyncio.get_running_loop().create_future()

    def take(message: aiomqtt.Message) -> None:
        if not heard.done():
            heard.set_result(message)

    # Its session is not the table's: that one keeps the commands that wait.
    client_id = f"{settings.own_client_id(topics.site, topics.table)}:take-over"
    async with connected(replace(settings, session_expiry_s=0), client_id, None) as connection:
        connection.deliver_to(take)
        await connection.listen(topics.state)
        with suppress(TimeoutError):
            await asyncio.wait_for(heard, LOOK_S_MAX)
        for topic in (topics.state, topics.status):
            if not isinstance(await connection.post(topic, b"", retain=True), Delivered):
                message, remedy = f"The broker did not take the message on {topic}.", "Look into the broker's log."
                raise OutageError("take-over-refused", message, remedy)
    said = bytes(heard.result().payload) if heard.done() and not heard.cancelled() else b""
    journal = read_retained(said).get("journal")
    return journal if isinstance(journal, str) else None
