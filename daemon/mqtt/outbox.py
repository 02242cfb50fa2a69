"""The outbox: every fact to the broker, in order, from the cursor on.

Theory of operation. A window of facts is in flight. The cursor follows the oldest that is not acknowledged, so
it moves over acknowledged facts without holes and a restart begins at the first that may be missing. What was
in flight when the connection went is sent again, under the same ids: at least once on the wire, exactly once
for whoever honours the id.

A refused fact is never passed over. It is named as a problem and tried again, slower and slower, alone: the
window shrinks to one until the broker takes it, so that a standing refusal does not repeat what follows. What
was in flight behind it may reach consumers before it; they see the hole in the sequence, and see it filled.

Nothing polls. Whoever commits facts calls `wake`, and acknowledgements stir as well.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import Final, Protocol, assert_never

from daemon.journal.reading import JournaledFact
from daemon.mqtt.backoff import Backoff
from daemon.mqtt.delivery import BrokerAwayError, Delivered, Delivery, Lost, Publisher, Refused
from daemon.mqtt.envelope import CONTENT_TYPE, envelope
from daemon.mqtt.problems import Problem, Problems
from daemon.mqtt.settings import MqttSettings
from daemon.mqtt.topics import Topics

CURSOR: Final = "mqtt"
PROBLEM: Final = "event-refused"


class FactSource(Protocol):
    """What the outbox needs of the journal."""

    def facts_after(self, sequence: int, limit: int) -> tuple[JournaledFact, ...]:
        """The next facts after this one, at most `limit`."""

    def cursor(self, name: str) -> int:
        """The last sequence that this reader is done with."""

    def advance(self, name: str, sequence: int) -> None:
        """Say that this reader is done with every fact up to `sequence`."""


@dataclass(slots=True)
class Counts:
    """What went out since the start, for the metrics."""

    delivered: int = 0
    unheard: int = 0  # of the delivered, those that nobody had subscribed to
    refused: int = 0
    lost: int = 0  # in flight when a connection went, and so sent again


@dataclass(frozen=True, slots=True)
class _InFlight:
    fact: JournaledFact
    delivery: asyncio.Future[Delivery]


class Outbox:
    """Publishes facts while there is a connection, one `pump` a connection."""

    def __init__(self, settings: MqttSettings, topics: Topics, source: FactSource, problems: Problems) -> None:
        self.counts = Counts()
        self._settings = settings
        self._topics = topics
        self._source = source
        self._problems = problems
        self._stirred = asyncio.Event()
        self._in_flight: deque[_InFlight] = deque()
        self._window = settings.in_flight_max
        self._backoff = Backoff(settings.backoff_s_min, settings.backoff_s_max)
        self._sent = 0

    def wake(self) -> None:
        """There may be something to do."""
        self._stirred.set()

    async def pump(self, publisher: Publisher) -> None:
        """Publish for as long as the connection lasts; ends with BrokerAwayError."""
        self._begin_at_cursor()
        while True:
            self._stirred.clear()
            refusal = self._settle()
            if refusal is not None:
                await self._wait_out(refusal)
            self._fill(publisher)
            await self._stirred.wait()

    def _begin_at_cursor(self) -> None:
        self._in_flight.clear()
        self._sent = self._source.cursor(CURSOR)

    def _settle(self) -> Refused | None:
        """Move the cursor over what is acknowledged, up to the first that is not."""
        settled = 0
        while self._in_flight and self._in_flight[0].delivery.done():
            match self._in_flight[0].delivery.result():
                case Delivered(heard=heard):
                    settled = self._in_flight.popleft().fact.sequence
                    self.counts.delivered += 1
                    self.counts.unheard += not heard
                case Refused() as refusal:
                    self.counts.refused += 1
                    self._move_on(settled)
                    return refusal
                case Lost():
                    self.counts.lost += len(self._in_flight)
                    self._move_on(settled)
                    raise BrokerAwayError(self._settings, "it left with events in flight")
                case other:
                    assert_never(other)
        self._move_on(settled)
        return None

    def _move_on(self, sequence: int) -> None:
        if sequence == 0:
            return
        self._source.advance(CURSOR, sequence)
        self._window = self._settings.in_flight_max
        self._backoff.reset()
        self._problems.end(PROBLEM)

    async def _wait_out(self, refusal: Refused) -> None:
        fact = self._in_flight[0].fact
        topic = self._topics.event(fact.kind)
        message = f"The broker refuses {topic}: {refusal.reason} (reason code {refusal.code}); event {fact.id} waits."
        remedy = "Let this daemon's user publish there in the broker's access list; nothing is lost meanwhile."
        self._problems.begin(Problem(PROBLEM, message, remedy))
        self._window = 1
        # What is in flight behind it lands first, or windows of it would pile up.
        await asyncio.wait([sent.delivery for sent in self._in_flight])
        await asyncio.sleep(self._backoff.next_s())
        self._begin_at_cursor()

    def _fill(self, publisher: Publisher) -> None:
        for fact in self._source.facts_after(self._sent, self._window - len(self._in_flight)):
            message = envelope(self._topics.base, fact)
            delivery = publisher.post(self._topics.event(fact.kind), message, content_type=CONTENT_TYPE)
            delivery.add_done_callback(self._on_delivery)
            self._in_flight.append(_InFlight(fact, delivery))
            self._sent = fact.sequence

    def _on_delivery(self, _: asyncio.Future[Delivery]) -> None:
        self.wake()
