"""A broker in virtual time: messages and acknowledgements take their time, in order, and connections end.

What the network had taken when the process ended still arrives. What it had when the connection ended is lost, and of
what had arrived the acknowledgement may be lost: the next connection has it again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final

from daemon.mqtt.delivery import Delivered, Delivery, Lost

ON_THE_WAY_S_MAX: Final = 0.02

OnMessage = Callable[[str, bytes], None]


@dataclass(slots=True)
class VirtualBroker:
    """One subscriber hears everything that arrives."""

    chance: Random
    on_message: OnMessage
    line: Connection | None = None
    is_away: bool = False

    def connect(self) -> Connection:
        """Open the daemon's next connection. It ends at once while the broker is away."""
        self.line = Connection(self.chance, self.on_message)
        if self.is_away:
            self.line.end()
        return self.line

    def cut(self) -> None:
        """End the connection that there is."""
        if self.line is not None:
            self.line.end()


@dataclass(slots=True)
class Connection:
    """What the outbox publishes on, until it ends."""

    chance: Random
    on_message: OnMessage
    _unanswered: deque[asyncio.Future[Delivery]] = field(default_factory=deque)
    _last_arrival_s: float = 0.0
    _is_over: bool = False

    def post(self, topic: str, payload: bytes, **_: object) -> asyncio.Future[Delivery]:
        """Take a message on its way."""
        loop = asyncio.get_running_loop()
        delivery: asyncio.Future[Delivery] = loop.create_future()
        if self._is_over:
            delivery.set_result(Lost())
            return delivery
        self._unanswered.append(delivery)
        self._last_arrival_s = max(loop.time(), self._last_arrival_s) + self.chance.uniform(0, ON_THE_WAY_S_MAX)
        loop.call_at(self._last_arrival_s, self._arrive, topic, payload, delivery)
        return delivery

    def _arrive(self, topic: str, payload: bytes, delivery: asyncio.Future[Delivery]) -> None:
        if self._is_over:
            return
        self.on_message(topic, payload)
        asyncio.get_running_loop().call_later(self.chance.uniform(0, ON_THE_WAY_S_MAX), self._acknowledge, delivery)

    def _acknowledge(self, delivery: asyncio.Future[Delivery]) -> None:
        if not delivery.done():
            self._unanswered.remove(delivery)
            delivery.set_result(Delivered(heard=True))

    def end(self) -> None:
        """Lose what is on its way, in both directions."""
        self._is_over = True
        while self._unanswered:
            self._unanswered.popleft().set_result(Lost())
