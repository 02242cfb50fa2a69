"""A scripted publisher: as many tables as a test wants, from pictures of tables that were really played.

It retains `status` and `state` as a table does, and nothing else: no journal, no session. So two hundred tables cost a
test two hundred messages.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

import aiomqtt
import msgspec

from daemon.mqtt.documents import STATE, STATUS, Running, State, Status
from daemon.mqtt.envelope import sequence_text
from daemon.mqtt.topics import Topics
from daemon.table.picture import TableView
from daemon.table.view import public
from tests.page.published import PASSWORD, SITE
from tests.table.playing import Table

JOURNAL: Final = "0123456789abcdef"
CONNECTED: Final = "2026-11-19T03:00:00Z"


class Script:
    """What is published, and what was published last."""

    def __init__(self, client: aiomqtt.Client) -> None:
        self._client = client
        self.sequence = 0

    async def shows(self, table: str, view: TableView) -> None:
        """Publish this picture as the table's state."""
        self.sequence += 1
        shown = replace(view, site=SITE, table=table)
        document = STATE.encode(State(JOURNAL, sequence_text(self.sequence), shown))
        await self._client.publish(Topics(SITE, table).state, document, qos=1, retain=True)

    async def says(self, table: str, view: TableView, hostile: object) -> None:
        """Publish this picture with these members of it changed, or `hostile` alone if it is no object."""
        self.sequence += 1
        state = msgspec.json.decode(STATE.encode(State(JOURNAL, sequence_text(self.sequence), view)))
        if isinstance(hostile, dict):
            state["table"] |= hostile
        document = msgspec.json.encode(state if isinstance(hostile, dict) else hostile)
        await self._client.publish(Topics(SITE, table).state, document, qos=1, retain=True)

    async def is_(self, table: str, running: Running) -> None:
        """Publish this as the table's status."""
        document = STATUS.encode(Status(running, "1.2.3", JOURNAL, CONNECTED))
        await self._client.publish(Topics(SITE, table).status, document, qos=1, retain=True)

    async def event(self, table: str, kind: str, envelope: bytes) -> None:
        """Publish one event."""
        await self._client.publish(Topics(SITE, table).event(kind), envelope, qos=1)

    async def tables(self, played: Iterable[Table], number: int) -> None:
        """Publish `number` tables t1, t2 and so on, which look in turn as these."""
        views = [public(table.state) for table in played]
        for index in range(number):
            await self.is_(f"t{index + 1}", Running.RUNNING)
            await self.shows(f"t{index + 1}", views[index % len(views)])


@asynccontextmanager
async def scripted(port: int) -> AsyncIterator[Script]:
    """Yield a publisher that is connected as the tables are."""
    async with aiomqtt.Client("127.0.0.1", port, username="feltd", password=PASSWORD) as client:
        yield Script(client)
