"""What the bench hears of its table."""

from __future__ import annotations

import asyncio
from pathlib import Path

from daemon.mqtt.settings import MqttVersion
from daemon.mqtt.topics import Topics
from daemon.tools.bench.client import EventHeard, connected
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
