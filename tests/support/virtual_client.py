"""The client of the bench's people at a daemon that crashes: it hears the broker, and asks again until answered."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from typing import Any

import msgspec

from daemon.app import Graph
from daemon.journal.reading import JournaledFact
from daemon.mqtt.commands import ACTIONS
from daemon.mqtt.documents import STATE, State
from daemon.table import view
from daemon.table.inputs import Request
from daemon.table.step import Answer
from daemon.table.vocabulary import Actor, RequestId, RoundId
from daemon.tools.bench.client import Document, EventHeard, OnEvent, read_event
from drivers.events import Stamp


class VirtualClient:
    """The bench's client in virtual time. `bind` it to each new life of the daemon.

    `received` are the events by their sequence, as they came. One that comes again must be the same, byte for byte. A
    hole is waited for: listeners hear each event once and in order. `answers` are what each command was told. `watch`
    sees the picture after each commit, and the facts that are new since then.
    """

    def __init__(self, stamp: Callable[[], Stamp]) -> None:
        self.state: Document = {}
        self.received: dict[int, bytes] = {}
        self.answers: dict[RequestId, Answer] = {}
        self._stamp = stamp
        self._graph: Graph | None = None
        self._bound = asyncio.Event()
        self._crashed = asyncio.Event()
        self._told = 0
        self._seen = 0
        self.watch: Callable[[bytes, tuple[JournaledFact, ...]], None] | None = None
        self._numbers = itertools.count(1)
        self._listeners: list[OnEvent] = []
        self._state_listeners: list[Callable[[], None]] = []

    def bind(self, graph: Graph) -> None:
        """The daemon is there (again)."""
        self._graph = graph
        self._crashed.clear()
        graph.intake.listen(lambda committed, _state: self._see_state(committed.facts))
        self._bound.set()
        self._see_state(graph.journal.facts_after(self._seen, 1_000_000))

    def unbind(self) -> None:
        """The daemon is gone, and its journal is closed."""
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
            while self._graph is None:  # a life may be over before anybody has asked
                await self._bound.wait()
            request = Request(self._stamp(), request_id, "test", role, None, action, named)
            asking = asyncio.create_task(self._graph.intake.submit_request(request))
            crashed = asyncio.create_task(self._crashed.wait())
            await asyncio.wait({asking, crashed}, return_when=asyncio.FIRST_COMPLETED)
            crashed.cancel()
            if asking.done():
                answer = self.answers[request_id] = asking.result()
                return {"accepted": answer.accepted, "code": answer.code}
            asking.cancel()

    def hear(self, topic: str, payload: bytes) -> None:
        """Take a message of the broker's."""
        if "/event/" not in topic:
            return
        heard = read_event(payload, self._stamp().utc_ns)
        before = self.received.setdefault(heard.sequence, payload)
        assert before == payload, f"{heard.sequence} was said twice, and not the same: {before!r}, then {payload!r}"
        while (following := self.received.get(self._told + 1)) is not None:
            self._told += 1
            self._tell(read_event(following, self._stamp().utc_ns))

    def _tell(self, heard: EventHeard) -> None:
        for listener in self._listeners:
            listener(heard)

    def _see_state(self, new: tuple[JournaledFact, ...]) -> None:
        assert self._graph is not None
        picture = State(self._graph.journal.id, "0", view.public(self._graph.intake.state))
        document = STATE.encode(picture)
        self.state = msgspec.json.decode(document)
        for fact in new:
            self._seen = fact.sequence
        if self.watch is not None:
            self.watch(document, new)
        for told in self._state_listeners:
            told()
