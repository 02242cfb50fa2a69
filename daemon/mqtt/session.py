"""The table on MQTT: connected for ever, and whole on every connection.

Theory of operation. Each connection is a new client with the same name, so the broker keeps our subscriptions
and the commands that came while we were away. On it run side by side: the retained picture, whose first message
is the birth; the outbox, from its cursor; and the commands, one at a time. When one of them finds the connection
gone all of them end, and the next connection is tried after the backoff, which forgets only after a connection
that lasted, so that two daemons under one name do not throw each other out many times a second. One log line
says that the broker is away and one that it is there.

A command is acknowledged to the broker only when its answer is out. One that we had not come to when the
connection or the process went comes again, and if it had been committed it is answered from the journal.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final, Never

import aiomqtt
import structlog

from daemon.clock import Clock, rfc3339
from daemon.errors import OutageError, SetupError
from daemon.journal.journal import Journal
from daemon.mqtt.answering import Answering, Submit
from daemon.mqtt.backoff import Backoff
from daemon.mqtt.client import Connection, Will, connected
from daemon.mqtt.delivery import BrokerAwayError
from daemon.mqtt.documents import STATUS, Running, State, Status, picture
from daemon.mqtt.outbox import Outbox
from daemon.mqtt.problems import Problems
from daemon.mqtt.retained import RetainedPicture
from daemon.mqtt.settings import MqttSettings
from daemon.mqtt.topics import Topics
from daemon.table.view import TableView

FAREWELL_S_MAX: Final = 1.0

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Table:
    """What the session speaks for."""

    journal: Journal
    view: Callable[[], TableView]
    submit: Submit
    clock: Clock
    version: str


class MqttSession:
    """One table's presence on its broker. `run` it for ever, and `wake` it after every commit.

    `down` says why there is no connection; `there` and `away` are set while there is one and while it is known
    that there is none.
    """

    def __init__(self, settings: MqttSettings, topics: Topics, table: Table) -> None:
        self.down: OutageError | SetupError | None = None
        self.there, self.away = asyncio.Event(), asyncio.Event()
        self.problems = Problems(self.wake)
        self.outbox = Outbox(settings, topics, table.journal, self.problems)
        self._settings = settings
        self._topics = topics
        self._table = table
        self._retained = RetainedPicture(settings, self._picture, self.problems)
        self._answering = Answering(topics, table.journal, table.submit, table.clock)
        self._connected = ""

    def wake(self) -> None:
        """Something was committed, or is otherwise new."""
        self.outbox.wake()
        self._retained.wake()

    async def run(self) -> Never:
        """Be there. Ends only when it is cancelled, and then says so to the broker; a journal error passes."""
        backoff = Backoff(self._settings.backoff_s_min, self._settings.backoff_s_max)
        now_s = asyncio.get_running_loop().time
        while True:
            began_s = now_s()
            try:
                await self._connection()
            except (OutageError, SetupError) as error:
                self._note_down(error)
            if now_s() - began_s > self._settings.backoff_s_max:
                backoff.reset()
            await asyncio.sleep(backoff.next_s())

    async def _connection(self) -> None:
        self._connected = rfc3339(self._table.clock().utc_ns)
        client_id = self._settings.client_id or f"feltd-{self._topics.site}-{self._topics.table}"
        will = Will(self._topics.status, self._status(Running.LOST))
        async with connected(self._settings, client_id, will) as connection:
            try:
                await self._serve(connection)
            except asyncio.CancelledError:
                await self._say_farewell(connection)
                raise

    async def _serve(self, connection: Connection) -> None:
        await connection.listen(self._topics.commands)
        await connection.listen(self._topics.alerts, own=False)
        await connection.listen(self._topics.devices, own=False)
        self._note_up()
        await _until_one_fails(
            connection.until_lost(),
            self._retained.keep(connection),
            self.outbox.pump(connection),
            self._hear(connection),
        )

    async def _hear(self, connection: Connection) -> None:
        try:
            async for message in connection.messages:
                await self._take(connection, message)
                connection.settle(message)
        except aiomqtt.MqttError as error:
            raise BrokerAwayError(self._settings, str(error)) from error

    async def _take(self, connection: Connection, message: aiomqtt.Message) -> None:
        if message.topic.matches(self._topics.commands):
            await self._answering.answer(connection, message)
        elif message.retain:
            self._retained.found(str(message.topic), bytes(message.payload))

    async def _say_farewell(self, connection: Connection) -> None:
        farewell = connection.post(self._topics.status, self._status(Running.STOPPED), retain=True)
        await asyncio.wait({farewell}, timeout=FAREWELL_S_MAX)

    def _picture(self) -> dict[str, bytes]:
        journal = self._table.journal
        state = State(journal.id, journal.last_sequence(), self._table.view())
        return {self._topics.status: self._status(Running.RUNNING), **picture(self._topics, state)}

    def _status(self, running: Running) -> bytes:
        problems = self.problems.now if running is Running.RUNNING else ()
        return STATUS.encode(Status(running, self._table.version, self._table.journal.id, self._connected, problems))

    def _note_up(self) -> None:
        self.down = None
        self.away.clear()
        self.there.set()
        _log.info("broker-there", host=self._settings.host, port=self._settings.port)

    def _note_down(self, error: OutageError | SetupError) -> None:
        if self.down is None or self.down.code != error.code:
            _log.warning("broker-away", code=error.code, message=error.message, remedy=error.remedy)
        self.down = error
        self.there.clear()
        self.away.set()


async def _until_one_fails(*work: Coroutine[Any, Any, None]) -> None:
    """Side by side, until one of them ends with an error, which is raised; one that is not the broker's goes before.

    No task group: up to Python 3.12 one of which a part has failed swallows a cancellation that comes meanwhile, and a
    broker that goes away as the daemon is ended would keep it from ending.
    """
    parts = [asyncio.ensure_future(each) for each in work]
    try:
        await asyncio.wait(parts, return_when=asyncio.FIRST_EXCEPTION)
    finally:
        for part in parts:
            part.cancel()
        ends = await asyncio.gather(*parts, return_exceptions=True)
    errors = [end for end in ends if isinstance(end, BaseException) and not isinstance(end, asyncio.CancelledError)]
    raise min(errors, key=lambda error: isinstance(error, BrokerAwayError))
