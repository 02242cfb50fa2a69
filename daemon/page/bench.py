"""A bench beside the page: its devices' fronts, and words for them. Only a trial has one.

A bench publishes on topics of its own, which no table has (`bench/<site>/<table>/…`). At a site there are none, and the
page does not ask for them: a broker that knows its users would refuse.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Final, Never

import aiomqtt
import msgspec

from daemon.config.page import PageSettings
from daemon.errors import OutageError, SetupError
from daemon.mqtt.client import Connection, connected
from daemon.page.watching import BACKOFF_S_MAX, BACKOFF_S_MIN, client_id
from drivers.backoff import Backoff

KIND: Final = "bench"
TABLES_MAX: Final = 20
TOPICS_MAX: Final = 60


class Benches:
    """What the benches at this broker show, by table. `tell` hears of each change."""

    def __init__(self, settings: PageSettings, tell: Callable[[str, str, bytes], None]) -> None:
        self._settings = settings
        self._tell = tell
        self._shown: dict[str, dict[str, msgspec.Raw]] = {}

    @property
    def shown(self) -> dict[str, dict[str, msgspec.Raw]]:
        """Every document of every bench: by table, and then by what comes after the table in its topic."""
        return self._shown

    def word_topic(self, table: str, word: str) -> str:
        """Return where a bench takes this word."""
        return f"bench/{self._settings.site}/{table}/do/{word}"

    async def run(self) -> Never:
        """Follow until cancelled, and connect again by itself."""
        backoff = Backoff(BACKOFF_S_MIN, BACKOFF_S_MAX, jitter=random.random)
        while True:
            try:
                async with connected(self._settings.mqtt, client_id(self._settings.mqtt.user)) as connection:
                    for what in ("device/+", "room", "felt", "seat/+"):
                        await connection.listen(f"bench/{self._settings.site}/+/{what}")
                    backoff.reset()
                    await self._follow(connection)
            except (OutageError, SetupError, aiomqtt.MqttError):
                pass  # the page's own connection says so
            await asyncio.sleep(backoff.next_s())

    async def _follow(self, connection: Connection) -> None:
        async for message in connection.messages:
            _, _, table, what = str(message.topic).split("/", 3)
            self._take(table, what, bytes(message.payload))
            connection.acknowledge(message)

    def _take(self, table: str, what: str, payload: bytes) -> None:
        documents = self._shown.setdefault(table, {}) if len(self._shown) < TABLES_MAX else self._shown.get(table, {})
        if payload and len(documents) < TOPICS_MAX:
            try:
                documents[what] = msgspec.Raw(msgspec.json.encode(msgspec.json.decode(payload)))
            except (msgspec.MsgspecError, RecursionError):
                return
        else:
            documents.pop(what, None)
        if not documents:
            self._shown.pop(table, None)
        self._tell(KIND, table, msgspec.json.encode({"table": table, "bench": documents or None}))
