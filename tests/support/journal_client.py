"""The client of the bench's people at a daemon that crashes: it reads the journal, and asks again until answered."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from typing import Any

import msgspec

from daemon.app import Graph
from daemon.mqtt.commands import ACTIONS
from daemon.mqtt.documents import STATE, State
from daemon.table import view
from daemon.table.inputs import Request
from daemon.table.vocabulary import Actor, RequestId, RoundId
from daemon.tools.bench.client import Document, EventHeard, OnEvent
from drivers.events import Stamp


class JournalClient:
    """The bench's client without a broker. `bind` it to each new life of the daemon."""

    def __init__(self, stamp: Callable[[], Stamp]) -> None:
        self.state: Document = {}
        self._stamp = stamp
        self._graph: Graph | None = None
        self._bound = asyncio.Event()
        self._crashed = asyncio.Event()
        self._cursor = 0
        self._numbers = itertools.count(1)
        self._listeners: list[OnEvent] = []
        self._state_listeners: list[Callable[[], None]] = []

    def bind(self, graph: Graph) -> None:
        """The daemon is there (again)."""
        self._graph = graph
        self._crashed.clear()
        graph.intake.listen(lambda _committed, _state: self._catch_up())
        self._bound.set()
        self._catch_up()

    def unbind(self) -> None:
        """The daemon crashed; its journal is closed."""
        self._graph = None
        self._bound.clear()
        self._crashed.set()

    def relieve(self, *staying: OnEvent) -> None:
        """Only these go on listening: the people who were at the table leave it."""
        self._listeners[:] = staying
        self._state_listeners.clear()

    def listen(self, listener: OnEvent) -> None:
        self._listeners.append(listener)

    def listen_to_state(self, listener: Callable[[], None]) -> None:
        self._state_listeners.append(listener)

    async def ask(self, command: str, role: Actor, round_id: str | None = None, **data: Any) -> Document:  # noqa: ANN401
        """As over a broker: the same command comes again until it is answered."""
        action = ACTIONS[command].decode(msgspec.json.encode(data))
        request_id, named = RequestId(str(next(self._numbers))), None if round_id is None else RoundId(round_id)
        while True:
            await self._bound.wait()
            assert self._graph is not None
            request = Request(self._stamp(), request_id, "test", role, None, action, named)
            asking = asyncio.create_task(self._graph.intake.submit_request(request))
            crashed = asyncio.create_task(self._crashed.wait())
            await asyncio.wait({asking, crashed}, return_when=asyncio.FIRST_COMPLETED)
            crashed.cancel()
            if asking.done():
                return {"accepted": asking.result().accepted, "code": asking.result().code}
            asking.cancel()

    def _catch_up(self) -> None:
        assert self._graph is not None
        journal, state = self._graph.journal, self._graph.intake.state
        self.state = msgspec.json.decode(STATE.encode(State("journal", "0", view.public(state))))
        for fact in journal.facts_after(self._cursor, 1_000_000):
            self._cursor = fact.sequence
            heard = EventHeard(fact.kind, fact.sequence, fact.round_id, msgspec.json.decode(fact.body), 0)
            for listener in self._listeners:
                listener(heard)
        for told in self._state_listeners:
            told()
