"""The same people at a daemon whose broker is away: they ask the intake itself and hear what is committed."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import msgspec

from daemon.app import Graph
from daemon.clock import stamp
from daemon.journal.journal import Committed
from daemon.mqtt.commands import ACTIONS
from daemon.mqtt.documents import STATE, State
from daemon.table import view
from daemon.table.inputs import Request
from daemon.table.state import TableState
from daemon.table.vocabulary import Actor, RequestId, RoundId
from daemon.tools.bench.client import Document, EventHeard, OnEvent


class DirectClient:
    """Has the bench client's face."""

    def __init__(self, graph: Graph) -> None:
        self.state: Document = {}
        self._graph = graph
        self._numbers = itertools.count(1)
        self._listeners: list[OnEvent] = []
        self._state_listeners: list[Callable[[], None]] = []
        graph.intake.listen(self._committed)

    def listen(self, listener: OnEvent) -> None:
        self._listeners.append(listener)

    def listen_to_state(self, listener: Callable[[], None]) -> None:
        self._state_listeners.append(listener)

    async def ask(self, command: str, role: Actor, round_id: str | None = None, **data: Any) -> Document:  # noqa: ANN401
        action = ACTIONS[command].decode(msgspec.json.encode(data))
        request_id = RequestId(str(next(self._numbers)))
        named = None if round_id is None else RoundId(round_id)
        request = Request(stamp(), request_id, "test", role, None, action, named)
        answer = await self._graph.intake.submit_request(request)
        return {"accepted": answer.accepted, "code": answer.code}

    def _committed(self, committed: Committed, state: TableState) -> None:
        self.state = msgspec.json.decode(STATE.encode(State("direct", "0", view.public(state))))
        for fact in committed.facts:
            heard = EventHeard(fact.kind, fact.sequence, fact.round_id, msgspec.json.decode(fact.body), 0)
            for listener in self._listeners:
                listener(heard)
        for told in self._state_listeners:
            told()
