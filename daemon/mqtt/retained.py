"""The retained picture: the retained messages on the broker, kept equal to the table.

Theory of operation. `wanted` builds the whole picture from the table, a payload for each topic. `_held` is what the
broker is known to retain. The difference is published, and is in `_held` when it is acknowledged. The table can
change several times before that. The next difference is taken from the latest picture, so a slow broker gets fewer
pictures, and never an old one after a newer one. Nor is one made while events are on their way to the broker: a picture
takes as long as the step that led to it, and those who wait for the events would wait for it too.

A topic that is held and not wanted is published with an empty payload. The broker's own retained messages show what
it held before this connection. So an alert that was cleared while the broker was away, or before a restart, is
removed as well.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Final

from daemon.mqtt.delivery import BrokerAwayError, Delivered, Lost, Publisher, Refused
from daemon.mqtt.problems import Problems
from daemon.mqtt.settings import MqttSettings
from drivers.backoff import Backoff

PROBLEM: Final = "picture-refused"
TURNS_TO_THE_LINE: Final = 2  # of the loop: a device's task reads its bytes, then the line takes what they say
EMPTY: Final = b""  # a retained message without payload removes the one before (MQTT 5, 3.3.1.3)
_REMEDY: Final = "Allow this daemon's user to publish there in the broker's access list. feltd tries again by itself."


class RetainedPicture:
    """Publishes the picture. Run one `keep` for each connection."""

    def __init__(
        self,
        settings: MqttSettings,
        wanted: Callable[[], dict[str, bytes]],
        events_answered: Callable[[], Awaitable[None]],
        problems: Problems,
    ) -> None:
        """Build the whole picture with `wanted`. Its first topic is acknowledged before the others are published."""
        self._settings = settings
        self._wanted = wanted
        self._events_answered = events_answered
        self._problems = problems
        self._held: dict[str, bytes] = {}
        self._refused: set[str] = set()
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Have the running `keep` compare the pictures again."""
        self._woken.set()

    def add_held(self, topic: str, payload: bytes) -> None:
        """Record what the broker already retains. A later publish of ours on this topic has priority."""
        if payload and topic not in self._held:
            self._held[topic] = payload
            self.wake()

    async def keep(self, publisher: Publisher) -> None:
        """Publish every difference until the connection ends, then raise BrokerAwayError."""
        self._held.clear()
        self._refused.clear()
        backoff = Backoff(self._settings.backoff_s_min, self._settings.backoff_s_max, jitter=random.random)
        await self._publish(publisher, dict(list(self._wanted().items())[:1]))
        while True:
            await self._events_answered()
            for _ in range(TURNS_TO_THE_LINE):  # what came with the answer goes first, and one picture is of both
                await asyncio.sleep(0)
            await self._events_answered()
            self._woken.clear()
            await self._publish(publisher, self._difference())
            if not self._refused:
                backoff.reset()
                self._problems.end(PROBLEM)
            await self._wait(backoff)

    async def _wait(self, backoff: Backoff) -> None:
        """Wait for `wake`. If a topic was refused, wait at most the backoff, and then try it again."""
        try:
            async with asyncio.timeout(backoff.next_s() if self._refused else None):
                await self._woken.wait()
        except TimeoutError:
            self._refused.clear()

    def _difference(self) -> dict[str, bytes]:
        wanted = self._wanted()
        changed = {topic: payload for topic, payload in wanted.items() if self._held.get(topic) != payload}
        unwanted = {topic: EMPTY for topic in self._held if topic not in wanted}
        return {topic: payload for topic, payload in (changed | unwanted).items() if topic not in self._refused}

    async def _publish(self, publisher: Publisher, difference: dict[str, bytes]) -> None:
        sent = [(topic, payload, publisher.post(topic, payload, retain=True)) for topic, payload in difference.items()]
        for topic, payload, delivery in sent:
            match await delivery:
                case Delivered() if payload:
                    self._held[topic] = payload
                case Delivered():
                    self._held.pop(topic, None)
                case Refused(code=code, reason=reason):
                    self._refused.add(topic)
                    message = f"The broker refuses the retained {topic}: {reason} (reason code {code})."
                    self._problems.begin(PROBLEM, message, _REMEDY)
                case Lost():
                    raise BrokerAwayError(self._settings, "the connection ended before the picture was retained")
