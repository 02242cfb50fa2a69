"""The events from before the page's start, which each table sends again when it is asked (`cmd/<user>/resend`).

They are asked for when somebody opens a table's rounds, once for each table and journal. A user that only displays may
not ask: then there are the rounds that the page heard itself.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import uuid4

import msgspec
import structlog

from daemon.errors import OutageError, SetupError
from daemon.mqtt.client import Connection
from daemon.mqtt.delivery import Delivered
from daemon.mqtt.topics import Topics
from daemon.page.board import Board

EVENTS_AT_ONCE: Final = 1_000  # a table sends no more for one command
ASKED_MAX: Final = 2
ANSWER_S_MAX: Final = 5.0
VALID: Final = timedelta(seconds=10)

_log = structlog.get_logger(__name__)


class _Reply(msgspec.Struct, frozen=True):
    id: str
    code: str


class Earlier:
    """Asks the tables for what they said before. `connection` is the watching one, or None while the broker is away."""

    def __init__(self, site: str, user: str | None, board: Board) -> None:
        self.connection: Connection | None = None
        self._site = site
        self._user = user
        self._board = board
        self._asked: set[tuple[str, str]] = set()
        self._answers: dict[str, asyncio.Future[str]] = {}

    async def fetch(self, table: str) -> None:
        """Ask for what this table said before it was heard, and wait until it is here or cannot be had."""
        known = self._board.known_from(table)
        connection, user = self.connection, self._user
        if known is None or connection is None or user is None or (table, known.journal) in self._asked:
            return
        self._asked.add((table, known.journal))
        last = known.sequence - 1
        with suppress(OutageError, SetupError, TimeoutError):
            async with asyncio.timeout(ANSWER_S_MAX):
                await connection.listen(Topics(self._site, table).reply(user))
                for _ in range(ASKED_MAX):
                    first = max(1, last - EVENTS_AT_ONCE + 1)
                    if last < 1 or await self._ask(connection, user, table, first, last) != "resent":
                        return
                    last = first - 1

    async def _ask(self, connection: Connection, user: str, table: str, first: int, last: int) -> str:
        asked = uuid4().hex
        expires = (datetime.now(UTC) + VALID).isoformat()
        command = {"id": asked, "expires": expires, "data": {"from": first, "to": last}}
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._answers[asked] = answer
        try:
            sent = await connection.post(
                Topics(self._site, table).command(user, "resend"), msgspec.json.encode(command)
            )
            if isinstance(sent, Delivered):
                return await answer
            _log.info("page-may-not-ask-for-earlier-events", table=table, user=user)
            return "refused"
        finally:
            del self._answers[asked]

    def take(self, table: str, payload: bytes) -> None:
        """Take a message on the answers' topic: an earlier event, or the answer to what was asked."""
        try:
            reply = msgspec.json.decode(payload, type=_Reply)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            self._board.take_earlier(table, payload)
            return
        answer = self._answers.get(reply.id)
        if answer is not None and not answer.done():
            answer.set_result(reply.code)
