"""What was on its way to a table when its connection ended, at each broker: it is taken in its turn, or refused."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from daemon.journal.journal import Journal
from daemon.table.inputs import Request
from daemon.table.step import Answer
from tests.brokers.running import Guarded, guarded_nats
from tests.brokers.site import TOPICS
from tests.brokers.test_floods import FloodedTable, command, person
from tests.journal.values import ACCEPTED
from tests.mqtt.listening import PATIENCE_S

NATS_AGAIN_S = 3  # by default NATS waits for 30 s before it sends again


@dataclass
class NotedTable(FloodedTable):
    """A table that notes what it was asked, and answers nothing while it is stuck."""

    stuck: bool = False
    asked: list[str] = field(default_factory=list)
    reached: asyncio.Event = field(default_factory=asyncio.Event)

    async def submit(self, request: Request) -> Answer:
        self.reached.set()
        if self.stuck:
            await asyncio.Event().wait()
        self.asked.append(request.id)
        return ACCEPTED


@pytest.fixture
def sends_again(broker: Guarded, tmp_path: Path) -> Iterator[Guarded]:
    """The broker, but NATS as one that sends again soon."""
    if broker.name != "nats":
        yield broker
        return
    with guarded_nats(tmp_path, f'ack_wait: "{NATS_AGAIN_S}s"') as soon:
        yield soon


@pytest.mark.parametrize("crashes", [1, 2])
@pytest.mark.usefixtures("forgotten")
async def test_a_command_that_is_sent_again_is_not_taken_after_a_later_one_of_its_user(
    sends_again: Guarded, journal: Journal, crashes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dealer's older stake replaced the newer one, half a minute after a crash of the table at NATS."""
    monkeypatch.setattr("daemon.mqtt.order.AT_ONCE_S", 0.2)
    before, *later = (NotedTable(journal, stuck=number == 0) for number in range(crashes + 1))
    bet = TOPICS.command("ana", "bet")
    replies: dict[str, str] = {}

    async def answered(*numbers: str) -> None:
        while not replies.keys() >= set(numbers):
            message = await anext(aiter(dealer.connection.messages))
            dealer.connection.acknowledge(message)
            reply = json.loads(message.payload)
            replies[reply["id"]] = reply["code"]

    async with asyncio.timeout(4 * PATIENCE_S), person(sends_again, "ana") as dealer:
        async with before.serving(sends_again):
            await dealer.connection.post(bet, command("bet", 1))
            await before.reached.wait()
        async with later[0].serving(sends_again):
            await dealer.connection.post(bet, command("bet", 2))
            await answered("2")
            if crashes == 1:
                await answered("1")
        for after in later[1:]:
            async with after.serving(sends_again):
                await answered("1")
    # One that was answered may come again to the next process. A table's journal has its answer, and these have none.
    asked, in_turn = list(dict.fromkeys(one for table in later for one in table.asked)), dict.fromkeys("12", "accepted")
    assert (asked, replies) in ((["1", "2"], in_turn), (["2"], {**in_turn, "1": "overtaken"}))
