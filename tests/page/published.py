"""A table under test on a real broker: what is played in the reducer goes out, and commands come in, as from feltd.

The contract is made by the daemon's own session over a real journal. Only devices and the straight line are missing, so
a test plays a round in milliseconds.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Final, Never

from daemon.clock import stamp
from daemon.config.people import Person, Role
from daemon.journal.journal import Journal
from daemon.mqtt.session import MqttSession
from daemon.mqtt.session import Table as SessionTable
from daemon.mqtt.settings import MqttSettings
from daemon.mqtt.topics import Topics
from daemon.page.watching import ended
from daemon.table.carry_over import carry_over
from daemon.table.inputs import Configured, Input, Request
from daemon.table.reducer import apply, blank
from daemon.table.round_facts import RoundOpened
from daemon.table.state import TableState
from daemon.table.step import Answer, Step
from daemon.table.view import public
from tests.table.playing import Table

SITE: Final = "north"
PASSWORD: Final = "felt"  # noqa: S105
PEOPLE: Final[Mapping[str, Person]] = MappingProxyType(
    {
        "dana": Person(role=Role.DEALER, tables=("*",)),
        "sue": Person(role=Role.SUPERVISOR, tables=("*",)),
        "screen": Person(role=Role.DISPLAY, tables=("*",)),
        "archive": Person(role=Role.COLLECTOR, tables=("*",)),
        "vera": Person(role=Role.DEALER, tables=("another",)),
    }
)


class PublishedTable:
    """A table of `tests/table/playing.py` whose steps are journaled and published from now on."""

    def __init__(self, table: Table, directory: Path, port: int) -> None:
        self.play = table
        self.topics = Topics(SITE, table.state.settings.table)
        self.requests: list[Request] = []
        self.running: asyncio.Task[Never] | None = None
        self._journal = Journal.open(directory / f"{self.topics.table}.journal", create=True)
        self._may_answer = asyncio.Event()
        self._may_answer.set()
        of_session = SessionTable(
            self._journal, lambda: public(self.play.state), self._submit, PEOPLE.get, stamp, "1.2.3"
        )
        settings = MqttSettings(
            host="127.0.0.1",
            port=port,
            client_id=self.topics.table,
            user="feltd",
            password=PASSWORD,
            backoff_s_max=0.5,
        )
        self.session = MqttSession(settings, self.topics, of_session)
        self.played = tuple(table.inputs)
        table.inputs.clear()
        table._took = self._took  # type: ignore[method-assign]  # every later step goes through here

    def feed(self, inputs: Sequence[Input]) -> None:
        """Take these inputs."""
        for happened in inputs:
            before = blank(happened) if isinstance(happened, Configured) else self.play.state
            self.play.inputs.append(happened)
            self._took(apply(before, happened))

    @property
    def sequence(self) -> int:
        """The sequence of the newest event."""
        return self._journal.last_sequence()

    def _took(self, step: Step[TableState]) -> None:
        Table._took(self.play, step)
        is_begun = any(isinstance(fact.data, RoundOpened) for fact in step.facts)
        self._journal.append(self.play.inputs[-1], step, carry_over(step.state) if is_begun else None)
        self.session.wake()

    async def _submit(self, request: Request) -> Answer:
        self.requests.append(request)
        await self._may_answer.wait()
        known = self._journal.answered(request.who, request.id)
        if known is not None:
            return known[1]
        self.play.take(request)
        assert self.play.answer is not None
        return self.play.answer

    async def end(self) -> None:
        """End the session in good order, as feltd does when it is stopped."""
        if self.running is not None:
            await ended(self.running)

    def fall_silent(self) -> None:
        """Answer no command any longer."""
        self._may_answer.clear()

    def answer_again(self) -> None:
        """Answer what waits, and all that comes."""
        self._may_answer.set()

    def close(self) -> None:
        self._journal.close()


@asynccontextmanager
async def published(table: Table, directory: Path, port: int, *, whole: bool = True) -> AsyncIterator[PublishedTable]:
    """Yield the table with a session that runs: with all that was played, or only as it was configured."""
    shown = PublishedTable(table, directory, port)
    shown.feed(shown.played if whole else shown.played[:1])
    shown.running = asyncio.create_task(shown.session.run())
    try:
        yield shown
    finally:
        await shown.end()
        shown.close()


def named(table: Table, name: str) -> Table:
    """Give a table that has only been configured another name."""
    (configured,) = table.inputs
    assert isinstance(configured, Configured)
    other = replace(configured, settings=replace(configured.settings, table=name))
    table.inputs[:] = [other]
    table._took(apply(blank(other), other))
    return table
