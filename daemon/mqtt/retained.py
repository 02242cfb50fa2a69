"""The retained picture: what the broker shows to whoever comes, kept the same as what is so.

Theory of operation. There is one wanted picture, a payload for each topic, made afresh from the table whenever
something stirs; and there is what the broker is known to hold. The difference is published, and counts as held
when it is acknowledged. While an answer is awaited the table may move on several times: the next difference is
taken from the latest picture, so a slow broker gets fewer pictures and never an old one after a newer one.

A topic that is held and not wanted is emptied. What the broker held before this connection is learnt from its
own retained messages, so an alert that was cleared while the broker was away, or before a restart, goes too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from daemon.mqtt.backoff import Backoff
from daemon.mqtt.delivery import BrokerAwayError, Delivered, Lost, Publisher, Refused
from daemon.mqtt.problems import Problem, Problems
from daemon.mqtt.settings import MqttSettings

PROBLEM: Final = "picture-refused"
EMPTY: Final = b""  # a retained message without payload removes the one before (MQTT 5, 3.3.1.3)


class RetainedPicture:
    """Publishes while there is a connection, one `keep` a connection."""

    def __init__(self, settings: MqttSettings, wanted: Callable[[], dict[str, bytes]], problems: Problems) -> None:
        """`wanted` gives the whole picture; its first topic is published and acknowledged before the others."""
        self._settings = settings
        self._wanted = wanted
        self._problems = problems
        self._held: dict[str, bytes] = {}
        self._refused: set[str] = set()
        self._stirred = asyncio.Event()

    def wake(self) -> None:
        """The picture may have changed."""
        self._stirred.set()

    def found(self, topic: str, payload: bytes) -> None:
        """The broker holds this from before."""
        if payload and topic not in self._held:
            self._held[topic] = payload
            self.wake()

    async def keep(self, publisher: Publisher) -> None:
        """Hold the broker's picture to the wanted one for as long as the connection lasts."""
        self._held.clear()
        self._refused.clear()
        backoff = Backoff(self._settings.backoff_s_min, self._settings.backoff_s_max)
        await self._publish(publisher, dict(list(self._wanted().items())[:1]))
        while True:
            self._stirred.clear()
            await self._publish(publisher, self._difference())
            if not self._refused:
                backoff.reset()
                self._problems.end(PROBLEM)
            await self._wait(backoff)

    async def _wait(self, backoff: Backoff) -> None:
        """Until something changes, or until what was refused is due again."""
        try:
            async with asyncio.timeout(backoff.next_s() if self._refused else None):
                await self._stirred.wait()
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
                case Delivered():
                    self._hold(topic, payload)
                case Refused(code=code, reason=reason):
                    self._refused.add(topic)
                    self._name_refusal(topic, f"{reason} (reason code {code})")
                case Lost():
                    raise BrokerAwayError(self._settings, "it left before it had the retained picture")

    def _hold(self, topic: str, payload: bytes) -> None:
        if payload:
            self._held[topic] = payload
        else:
            self._held.pop(topic, None)

    def _name_refusal(self, topic: str, reason: str) -> None:
        message = f"The broker refuses the retained {topic}: {reason}."
        remedy = "Let this daemon's user publish there in the broker's access list; it is tried again."
        self._problems.begin(Problem(PROBLEM, message, remedy))
