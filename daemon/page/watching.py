"""The connection that reads what is public: it follows every table of the site, and connects again by itself."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Never
from uuid import uuid4

import aiomqtt
import structlog

from daemon.config.page import PageSettings
from daemon.errors import OutageError, SetupError
from daemon.mqtt.client import Connection, connected
from daemon.mqtt.delivery import BrokerAwayError
from daemon.mqtt.topics import VERSION
from daemon.page.board import Board
from daemon.page.earlier import Earlier
from drivers.backoff import Backoff

FOLLOWED: Final = ("status", "state", "event/+")
BACKOFF_S_MIN: Final = 0.25
BACKOFF_S_MAX: Final = 5.0
CANCEL_AGAIN_S: Final = 0.1

_log = structlog.get_logger(__name__)


def client_id(user: str | None) -> str:
    """Return an id for one connection. RabbitMQ lets a user have sessions only under ids that begin with their name."""
    return f"{user or 'feltd'}:page-{uuid4().hex[:12]}"


async def watch(settings: PageSettings, board: Board, earlier: Earlier, tell_link: Callable[[bool], None]) -> Never:
    """Follow the tables until cancelled. `tell_link` hears whether the broker is there."""
    backoff = Backoff(BACKOFF_S_MIN, BACKOFF_S_MAX, jitter=random.random)
    said: str | None = None
    while True:
        try:
            async with connected(settings.mqtt, client_id(settings.mqtt.user)) as connection:
                for table in settings.tables or ("+",):
                    for topic in FOLLOWED:
                        await connection.listen(f"{VERSION}/{settings.site}/{table}/{topic}")
                _log.info("broker-there", host=settings.mqtt.host, port=settings.mqtt.port)
                said = None
                backoff.reset()
                tell_link(True)
                earlier.connection = connection
                await _follow(connection, settings, board, earlier)
        except (OutageError, SetupError) as error:
            if said != error.code:
                _log.warning("broker-away", code=error.code, message=error.message, remedy=error.remedy)
            said = error.code
            earlier.connection = None
            tell_link(False)
        await asyncio.sleep(backoff.next_s())


async def _follow(connection: Connection, settings: PageSettings, board: Board, earlier: Earlier) -> None:
    """Take messages until the connection ends, and raise that."""
    try:
        async for message in connection.messages:
            _, _, _, table, topic = str(message.topic).split("/", 4)
            if topic.startswith("reply/"):
                earlier.take(table, bytes(message.payload))
            else:
                board.take(table, topic, bytes(message.payload))
            connection.acknowledge(message)
    except aiomqtt.MqttError as error:
        raise BrokerAwayError(settings.mqtt, str(error)) from error


async def ended(task: asyncio.Task[Any]) -> None:
    """Cancel a task and wait for its end.

    It is cancelled until it ends: up to Python 3.11 `asyncio.wait_for`, with which aiomqtt waits, loses a cancellation
    that comes at the same time as what it waits for.
    """
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=CANCEL_AGAIN_S)
    with suppress(asyncio.CancelledError, OutageError, SetupError):
        await task
