"""What the bench hears of its table."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from daemon.mqtt.settings import MqttVersion
from daemon.mqtt.topics import Topics
from daemon.table.vocabulary import Actor
from daemon.tools.bench import client as of_bench
from daemon.tools.bench.client import USERS, EventHeard, connected
from tests.page.test_board import in_journal
from tests.support.mosquitto import mosquitto


async def test_what_is_said_before_anybody_listens_is_heard_by_all_who_then_do(tmp_path: Path) -> None:
    """The screens may take long to start, and a shoe that nobody fills stops the table."""
    topics = Topics("bench", "table1")
    with mosquitto(tmp_path) as broker:
        async with connected(broker.port, topics, MqttVersion.V5) as client:
            is_shown = asyncio.Event()
            client.listen_to_state(is_shown.set)
            await client._client.post(topics.event("round-opened"), in_journal(1))
            await client._client.post(topics.state, b"{}")  # comes after it
            await is_shown.wait()
            people: list[EventHeard] = []
            show: list[EventHeard] = []
            client.listen(people.append)
            client.listen(show.append)
            await asyncio.sleep(0)
            assert len(people) == 1
            assert show == people


async def test_a_command_without_an_answer_goes_out_again_under_its_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(of_bench, "AGAIN_S", 0.05)
    topics, ids = Topics("bench", "table1"), []
    with mosquitto(tmp_path) as broker:
        async with connected(broker.port, topics) as client, connected(broker.port, topics) as table:
            dealer = USERS[Actor.DEALER]
            await table._client.listen(topics.command(dealer, "press"))

            def take(topic: str, payload: bytes) -> None:
                if topic == topics.command(dealer, "press"):
                    ids.append(msgspec.json.decode(payload)["id"])
                    if len(ids) == 3:
                        table._client.post(topics.reply(dealer), msgspec.json.encode({"id": ids[0], "accepted": True}))

            monkeypatch.setattr(table, "_note_message", take)
            answer = await client.ask("press", Actor.DEALER, button="next")
    assert answer["accepted"]
    assert len(set(ids)) == 1
