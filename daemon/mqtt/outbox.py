"""The outbox publishes every fact in order, from the cursor on.

Theory of operation. Up to `in_flight_max` facts are in flight. The cursor stands before the oldest fact that is not
acknowledged, so a restart begins at the first fact that may be missing. Facts that were in flight when a connection
ended are published again with the same ids. A consumer that drops repeated ids has each fact exactly once.

The outbox never skips a refused fact. It reports a problem and publishes the fact again, with growing pauses and
alone: the window is one until the broker accepts it. Otherwise each attempt would repeat all facts behind it. Facts
that were in flight behind a refused one can reach consumers first. They see a hole in the sequence, and later see
it filled.

Nothing polls. `publish_new` is called after each commit, and publishes in the same turn of the loop: a task that had to
be woken first would come behind all that the loop does besides. An acknowledgement of the oldest fact in flight wakes
the task, which moves the cursor.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable
from typing import Final, Protocol, assert_never

from daemon.journal.reading import JournaledFact
from daemon.mqtt.delivery import BrokerAwayError, Delivered, Delivery, Lost, Publisher, Refused
from daemon.mqtt.envelope import CONTENT_TYPE, envelope
from daemon.mqtt.problems import Problems
from daemon.mqtt.settings import MqttSettings
from daemon.mqtt.topics import Topics
from drivers.backoff import Backoff
from protocols.frozen import dataclass

CURSOR: Final = "mqtt"
PROBLEM: Final = "event-refused"


class FactSource(Protocol):
    """The journal, as the outbox uses it."""

    def facts_after(self, sequence: int, limit: int) -> tuple[JournaledFact, ...]:
        """Return the next facts after this one, at most `limit`."""

    def cursor(self, name: str) -> int:
        """Return the last sequence that this reader has finished."""

    def advance(self, name: str, sequence: int) -> None:
        """Record that this reader has finished every fact up to `sequence`."""


@dataclass(slots=True)
class Counts:
    """What was published since the start, for the metrics."""

    delivered: int = 0
    unheard: int = 0  # those of the delivered that nobody had subscribed to
    refused: int = 0
    lost: int = 0  # in flight when a connection ended, so published again


@dataclass(frozen=True, slots=True)
class _InFlight:
    fact: JournaledFact
    delivery: asyncio.Future[Delivery]


class Outbox:
    """Publishes facts. Run one `pump` for each connection."""

    def __init__(self, settings: MqttSettings, topics: Topics, source: FactSource, problems: Problems) -> None:
        self.counts = Counts()
        self._settings = settings
        self._topics = topics
        self._source = source
        self._problems = problems
        self._acknowledged = asyncio.Event()
        self._idle_publisher: Publisher | None = None  # the connection of a `pump` that has nothing to do
        self._in_flight: deque[_InFlight] = deque()
        self._watched: asyncio.Future[Delivery] | None = None
        self._window = settings.in_flight_max
        self._backoff = Backoff(settings.backoff_s_min, settings.backoff_s_max, jitter=random.random)
        self._sent = 0
        self._delivered: Callable[[JournaledFact], None] = lambda _: None

    def listen(self, listener: Callable[[JournaledFact], None]) -> None:
        """Call `listener` with every fact that the broker acknowledged. It must not wait."""
        self._delivered = listener

    def publish_new(self) -> None:
        """Publish what was committed since. Offline, with a full window or after a refusal, `pump` does so later."""
        if self._idle_publisher is not None:
            self._fill_window(self._idle_publisher)

    async def answered(self) -> None:
        """Return when the broker has answered what is in flight now."""
        if self._in_flight:
            await asyncio.shield(self._in_flight[-1].delivery)  # a waiter that is cancelled cancels no publish

    async def pump(self, publisher: Publisher) -> None:
        """Publish until the connection ends, then raise BrokerAwayError."""
        self._begin_at_cursor()
        while True:
            self._acknowledged.clear()
            refusal = self._advance_cursor()
            if refusal is not None:
                await self._wait_after_refusal(refusal)
            self._fill_window(publisher)
            self._idle_publisher = publisher
            try:
                await self._acknowledged.wait()
            finally:
                self._idle_publisher = None

    def _begin_at_cursor(self) -> None:
        self._in_flight.clear()
        self._sent = self._source.cursor(CURSOR)

    def _advance_cursor(self) -> Refused | None:
        """Move the cursor up to the first fact that is not acknowledged. Return the refusal if it was refused."""
        settled = 0
        while self._in_flight and self._in_flight[0].delivery.done():
            match self._in_flight[0].delivery.result():
                case Delivered(heard=heard):
                    fact = self._in_flight.popleft().fact
                    settled = fact.sequence
                    self._delivered(fact)
                    self.counts.delivered += 1
                    self.counts.unheard += not heard
                case Refused() as refusal:
                    self.counts.refused += 1
                    self._save_cursor(settled)
                    return refusal
                case Lost():
                    self.counts.lost += len(self._in_flight)
                    self._save_cursor(settled)
                    raise BrokerAwayError(self._settings, "the connection ended with events in flight")
                case other:
                    assert_never(other)
        self._save_cursor(settled)
        return None

    def _save_cursor(self, sequence: int) -> None:
        if sequence == 0:
            return
        self._source.advance(CURSOR, sequence)
        self._window = self._settings.in_flight_max
        self._backoff.reset()
        self._problems.end(PROBLEM)

    async def _wait_after_refusal(self, refusal: Refused) -> None:
        fact = self._in_flight[0].fact
        topic = self._topics.event(fact.kind)
        message = f"The broker refuses {topic}: {refusal.reason} (reason code {refusal.code}); event {fact.id} waits."
        remedy = "Allow this daemon's user to publish there in the broker's access list. No event is lost meanwhile."
        self._problems.begin(PROBLEM, message, remedy)
        self._window = 1
        # The facts behind it end first. Otherwise each attempt would add another window of them.
        await asyncio.wait([sent.delivery for sent in self._in_flight])
        await asyncio.sleep(self._backoff.next_s())
        self._begin_at_cursor()

    def _fill_window(self, publisher: Publisher) -> None:
        """Publish the facts after the last one sent, as many as may be in flight."""
        facts = self._source.facts_after(self._sent, self._window - len(self._in_flight))
        for fact in facts:  # what one input says is written, and acknowledged, together
            delivery = self._post(publisher, fact, more=fact is not facts[-1])
            self._in_flight.append(_InFlight(fact, delivery))
            self._sent = fact.sequence
        self._watch_oldest()

    def _post(self, publisher: Publisher, fact: JournaledFact, *, more: bool) -> asyncio.Future[Delivery]:
        message = envelope(self._topics.base, fact)
        return publisher.post(self._topics.event(fact.kind), message, content_type=CONTENT_TYPE, more=more)

    def _watch_oldest(self) -> None:
        """Be woken when the oldest fact in flight is acknowledged. Until then no other moves the cursor."""
        oldest = self._in_flight[0].delivery if self._in_flight else None
        if oldest is not None and oldest is not self._watched:
            oldest.add_done_callback(lambda _: self._acknowledged.set())
        self._watched = oldest
