"""Runs a session over a real journal and a table that the test controls."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace

from daemon.clock import stamp
from daemon.config.people import Person, Role
from daemon.journal.journal import Journal
from daemon.mqtt.outbox import CURSOR
from daemon.mqtt.session import MqttSession, Table
from daemon.mqtt.settings import MqttSettings
from daemon.mqtt.topics import Topics
from daemon.rules.wagers import GameName
from daemon.table.inputs import Request
from daemon.table.picture import TableView
from daemon.table.state import Deck, Phase
from daemon.table.step import Answer
from tests.journal.values import ACCEPTED, configured, dispensed, step
from tests.mqtt.listening import PATIENCE_S

TOPICS = Topics("north", "7")
PEOPLE = {
    "app": Person(role=Role.PLAYER, tables=("7",), seats=(1,)),
    "ana": Person(role=Role.DEALER, tables=("7",)),
    "screen": Person(role=Role.DISPLAY, tables=("7",)),
    "store": Person(role=Role.COLLECTOR, tables=("7",)),
}
VIEW = TableView(
    site="north",
    table="7",
    game=GameName.BIG_50,
    phase=Phase.IDLE,
    opened=True,
    round_id=None,
    round_number=0,
    deck=Deck.READY,
    prompt="",
    seats=(),
    devices=(),
    alerts=(),
)


class WatchedJournal(Journal):
    """A journal whose cursor a test can wait for."""

    moved: asyncio.Event

    def advance(self, name: str, sequence: int) -> None:
        super().advance(name, sequence)
        self.moved.set()

    async def delivered(self, sequence: int) -> None:
        """Wait until every event up to this one is acknowledged."""
        async with asyncio.timeout(PATIENCE_S):
            while self.cursor(CURSOR) < sequence:
                self.moved.clear()
                await self.moved.wait()


@dataclass
class HandTable:
    """A table that the test controls: its view, its answer, and the requests that reached it."""

    journal: WatchedJournal
    view: TableView = VIEW
    answer: Answer = ACCEPTED
    reached: asyncio.Event = field(default_factory=asyncio.Event)
    may_answer: asyncio.Event = field(default_factory=asyncio.Event)
    asked: list[Request] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.may_answer.set()
        if self.journal.last_offset() == 0:
            self.journal.append(configured(1), step(0))

    async def submit(self, request: Request) -> Answer:
        self.reached.set()
        await self.may_answer.wait()
        self.asked.append(request)
        return self.answer

    def commit(self, facts: int) -> int:
        """Write one event with so many facts, and return the last sequence."""
        number = self.journal.last_offset() + 1
        self.journal.append(dispensed(number), step(facts))
        return self.journal.last_sequence()

    def show(self, **changed: object) -> None:
        """Change the view."""
        self.view = replace(self.view, **changed)  # type: ignore[arg-type]

    def session(self, settings: MqttSettings) -> MqttSession:
        users = tuple(user for user, person in PEOPLE.items() if person.role is not Role.DISPLAY)
        table = Table(self.journal, lambda: self.view, self.submit, PEOPLE.get, stamp, "0.1", users=lambda: users)
        return MqttSession(settings, TOPICS, table)


@contextlib.asynccontextmanager
async def running(session: MqttSession) -> AsyncIterator[asyncio.Task[None]]:
    """Run the session meanwhile. Raise its error, if it ends with one."""
    task: asyncio.Task[None] = asyncio.create_task(session.run())
    try:
        yield task
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
