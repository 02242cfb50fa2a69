"""A flood that does not end, at each broker: a dealer and a supervisor at the same table are answered all the same."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import aiomqtt
import pytest
from structlog.testing import capture_logs

from daemon.clock import stamp
from daemon.journal.journal import Journal
from daemon.mqtt.client import Connection, connected
from daemon.mqtt.hearing import REFUSED_MAX
from daemon.mqtt.session import MqttSession, Table
from daemon.table.inputs import Request
from daemon.table.step import Answer
from tests.brokers.flooding import flooding
from tests.brokers.running import Guarded
from tests.brokers.site import TABLE, TOPICS, people
from tests.journal.values import ACCEPTED
from tests.mqtt.listening import PATIENCE_S
from tests.mqtt.running import VIEW, running

FLOODER = "seat3"
IN_A_ROW = 20
AT_ONCE = 500
KINDS = (("bet", 1), ("resend", 0))  # with their QoS
ASKS_AGAIN_S = 5.0  # README of daemon/mqtt: NATS drops what lies in a flood at the switch, and no answer comes to it


def command(name: str, number: int) -> bytes:
    expires = (datetime.now(UTC) + timedelta(minutes=5)).isoformat()
    data = {"from": 1, "to": 50} if name == "resend" else {"seat": 3, "wager": "big_50", "stake_cents": 500}
    return json.dumps({"id": str(number), "expires": expires, "data": data}).encode()


@dataclass
class FloodedTable:
    """A table that accepts everything, and what its connection read of the flood."""

    journal: Journal
    taken: Counter[str] = field(default_factory=Counter)
    read: int = 0

    async def submit(self, request: Request) -> Answer:
        self.taken[request.who] += 1
        return ACCEPTED

    @asynccontextmanager
    async def serving(self, broker: Guarded) -> AsyncIterator[None]:
        session = self.session(broker)
        async with asyncio.timeout(2 * PATIENCE_S), running(session):
            await session.there.wait()
            yield

    def session(self, broker: Guarded) -> MqttSession:
        house = people()
        users = tuple(house.people)
        table = Table(self.journal, lambda: VIEW, self.submit, house.people.get, stamp, "0.1", users=lambda: users)
        session = MqttSession(broker.settings(TABLE), TOPICS, table)
        take = session._take_message

        def counted(connection: Connection, message: aiomqtt.Message, *queues: Any) -> None:  # noqa: ANN401
            self.read += f"/{FLOODER}/" in str(message.topic)
            take(connection, message, *queues)

        session._take_message = counted  # type: ignore[assignment,method-assign]
        return session


@dataclass
class Person:
    """Somebody who asks, waits for each answer, and sends the same id again where none comes."""

    name: str
    connection: Connection
    asked: int = 0
    sent: int = 0

    async def ask(self) -> dict[str, Any]:
        self.asked += 1
        while True:
            self.sent += 1
            await self.connection.post(TOPICS.command(self.name, "bet"), command("bet", self.asked))
            with suppress(TimeoutError):
                async with asyncio.timeout(ASKS_AGAIN_S):
                    return await self._answer()

    async def _answer(self) -> dict[str, Any]:
        while True:
            message = await anext(aiter(self.connection.messages))
            self.connection.acknowledge(message)
            reply: dict[str, Any] = json.loads(message.payload)
            if reply["id"] == str(self.asked):
                return reply


@asynccontextmanager
async def person(broker: Guarded, name: str) -> AsyncIterator[Person]:
    async with connected(replace(broker.settings(name), session_expiry_s=0), f"{name}:{uuid4().hex}") as connection:
        await connection.listen(TOPICS.reply(name))
        yield Person(name, connection)


@pytest.mark.usefixtures("forgotten")
async def test_a_flood_that_does_not_end_keeps_nobody_waiting(broker: Guarded, journal: Journal) -> None:
    """Before, a dealer waited for 6 to 13 s at NATS and RabbitMQ, and at Mosquitto until the flood was over."""
    for name, qos in KINDS:
        table = FloodedTable(journal)
        commands = [command(name, number) for number in range(AT_ONCE)]
        with capture_logs() as logged:
            async with table.serving(broker), person(broker, "ana") as dealer, person(broker, "bob-lee") as supervisor:
                with flooding(broker, FLOODER, TOPICS.command(FLOODER, name), commands, qos):
                    in_a_row = 0
                    while in_a_row < IN_A_ROW:  # while the flood goes on, none of it comes to the table
                        before = table.read
                        for one in (dealer, supervisor):
                            assert (await one.ask())["accepted"]
                        in_a_row = in_a_row + 1 if table.read == before > 0 else 0
        assert [line["user"] for line in logged if line["event"] == "mqtt-user-unheard"] == [FLOODER]
        # How many are taken before depends on how fast the broker brings them: tests/mqtt/test_flood.py bounds that.
        assert table.read - table.taken[FLOODER] >= REFUSED_MAX
    # A daemon that is started anew hears everybody once, whatever the last one left in its session at the broker.
    async with table.serving(broker), person(broker, "ana") as dealer:
        before = table.taken["ana"]
        for _ in range(2):
            assert (await dealer.ask())["accepted"]
    assert table.taken["ana"] == before + dealer.sent
