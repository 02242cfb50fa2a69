"""Connections of the site's users, and what arrives at them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from uuid import uuid4

from daemon.mqtt.client import Connection, Will, connected
from tests.brokers.running import Guarded
from tests.brokers.site import TOPICS


@asynccontextmanager
async def as_user(broker: Guarded, user: str) -> AsyncIterator[Connection]:
    """Connect, each time under another client id: one that comes back twice in a second NATS takes for two clients."""
    settings = replace(broker.settings(user), session_expiry_s=0)
    async with connected(settings, f"{user}:{uuid4().hex}", Will(TOPICS.reply(user), b"")) as connection:
        yield connection


async def arrives(connection: Connection) -> tuple[str, bytes]:
    async with asyncio.timeout(60):
        message = await anext(aiter(connection.messages))
        connection.acknowledge(message)
        return str(message.topic), bytes(message.payload)
