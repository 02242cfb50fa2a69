"""The outbox against a broker that answers at random: what holds for any answers."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import dataclass, field

import pytest

from daemon.journal.reading import JournaledFact
from daemon.mqtt.delivery import BrokerAwayError, Delivered, Delivery, Lost, Refused
from daemon.mqtt.outbox import CURSOR, Outbox
from daemon.mqtt.problems import Problems
from daemon.mqtt.settings import MqttSettings
from tests.mqtt.running import TOPICS

FACTS = 40
SETTINGS = MqttSettings(in_flight_max=7, backoff_s_min=0.0, backoff_s_max=0.0)


@dataclass
class Facts:
    """The journal: facts are added while the outbox runs, and the cursor is checked."""

    dice: random.Random
    there: int = 0
    at: int = 0
    delivered: set[int] = field(default_factory=set)

    def facts_after(self, sequence: int, limit: int) -> tuple[JournaledFact, ...]:
        last = min(self.there, sequence + limit)
        return tuple(
            JournaledFact("abc", number, 0, number, 0, "1", "round-opened", None, b"{}")
            for number in range(sequence + 1, last + 1)
        )

    def cursor(self, name: str) -> int:
        assert name == CURSOR
        return self.at

    def advance(self, name: str, sequence: int) -> None:
        assert self.at < sequence <= self.there
        passed = set(range(1, sequence + 1))
        assert passed <= self.delivered, f"passed over {sorted(passed - self.delivered)}"
        self.at = sequence


@dataclass
class Dice:
    """The broker: answers one of the messages in flight, in any order, with any delivery."""

    facts: Facts
    posted: list[int] = field(default_factory=list)
    in_flight: dict[asyncio.Future[Delivery], int] = field(default_factory=dict)
    most_in_flight: int = 0

    def post(self, topic: str, payload: bytes, **_: object) -> asyncio.Future[Delivery]:
        delivery: asyncio.Future[Delivery] = asyncio.get_running_loop().create_future()
        sequence = int(json.loads(payload)["sequence"])
        self.posted.append(sequence)
        self.in_flight[delivery] = sequence
        self.most_in_flight = max(self.most_in_flight, len(self.in_flight))
        return delivery

    def answer_one(self) -> None:
        delivery = self.facts.dice.choice(list(self.in_flight))
        throw = self.facts.dice.random()
        if throw < 0.05:
            for lost in self.in_flight:
                lost.set_result(Lost())
            self.in_flight.clear()
            return
        sequence = self.in_flight.pop(delivery)
        if throw < 0.25:
            delivery.set_result(Refused(0x97, "Quota exceeded"))
        else:
            self.facts.delivered.add(sequence)
            delivery.set_result(Delivered(heard=throw < 0.9))


@pytest.mark.parametrize("seed", range(60))
async def test_the_cursor_never_passes_what_is_not_acknowledged_and_comes_to_the_end(seed: int) -> None:
    facts = Facts(random.Random(seed))
    outbox = Outbox(SETTINGS, TOPICS, facts, Problems(lambda: None))
    connections = 0
    while facts.at < FACTS:
        connections += 1
        assert connections < 200
        await _one_connection(outbox, facts)
    assert facts.delivered == set(range(1, FACTS + 1))


async def _one_connection(outbox: Outbox, facts: Facts) -> None:
    broker = Dice(facts)
    began_at = facts.at
    pumping = asyncio.create_task(outbox.pump(broker))
    while facts.at < FACTS and not pumping.done():
        if facts.there < FACTS and facts.dice.random() < 0.3:
            facts.there += 1
            outbox.publish_new()
        elif broker.in_flight:
            broker.answer_one()
        for _ in range(4):  # the pump wakes, waits out a refusal of no length, and fills its window
            await asyncio.sleep(0)
    pumping.cancel()
    (end,) = await asyncio.gather(pumping, return_exceptions=True)
    assert isinstance(end, BrokerAwayError | asyncio.CancelledError), end
    assert broker.most_in_flight <= SETTINGS.in_flight_max
    assert broker.posted[:1] in ([], [began_at + 1])
    assert all(after <= before + 1 for before, after in zip(broker.posted, broker.posted[1:], strict=False))


async def test_what_is_new_is_published_in_the_same_turn_of_the_loop() -> None:
    facts = Facts(random.Random(0))
    outbox, broker = Outbox(SETTINGS, TOPICS, facts, Problems(lambda: None)), Dice(facts)
    facts.there = 1
    outbox.publish_new()  # before a connection there is nobody to publish to
    pumping = asyncio.create_task(outbox.pump(broker))
    await asyncio.sleep(0)
    facts.there = 3
    outbox.publish_new()
    posted = list(broker.posted)
    pumping.cancel()
    await asyncio.gather(pumping, return_exceptions=True)
    facts.there = 4
    outbox.publish_new()
    assert posted == broker.posted == [1, 2, 3]
