"""A list made by hand allows everybody's filter and no single user's: RabbitMQ then closes the connection."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from structlog.testing import capture_logs

from daemon.config.people import People
from daemon.journal.journal import Journal
from daemon.mqtt.hearing import REFUSED_MAX
from daemon.mqtt.session import MqttSession
from daemon.tools import access
from tests.brokers.running import Guarded, guarded_rabbitmq
from tests.brokers.site import TABLE
from tests.brokers.test_floods import FLOODER, IN_A_ROW, FloodedTable, person
from tests.mqtt.listening import PATIENCE_S
from tests.mqtt.running import running

ONE_OF_ANY: Final = r"cmd\.[^.#]+\.[^.#]+$"
EVERYBODY_ALONE: Final = r"cmd\.\*\.\*$"


def by_hand(written: str) -> str:
    definitions = json.loads(written)
    (own,) = [each for each in definitions["topic_permissions"] if each["user"] == TABLE]
    assert ONE_OF_ANY in own["read"]
    own["read"] = own["read"].replace(ONE_OF_ANY, EVERYBODY_ALONE)
    return json.dumps(definitions)


@pytest.fixture
def rabbitmq(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Guarded]:
    write = access.rabbitmq

    def written(house: People) -> str:
        return by_hand(write(house))

    monkeypatch.setattr(access, "rabbitmq", written)
    directory = tmp_path / "rabbitmq"
    directory.mkdir()
    with guarded_rabbitmq(directory) as broker:
        yield broker


def flood(session: MqttSession, user: str) -> None:
    for _ in range(int(REFUSED_MAX) + 1):
        session._hearing.note_refused(user)


async def test_the_table_does_not_lose_its_connection_again_and_again(rabbitmq: Guarded, journal: Journal) -> None:
    session = FloodedTable(journal).session(rabbitmq)
    with capture_logs() as logged:
        async with asyncio.timeout(2 * PATIENCE_S), running(session), person(rabbitmq, "ana") as dealer:
            await session.there.wait()
            flood(session, FLOODER)
            while "mqtt-single-users-refused" not in [line["event"] for line in logged]:
                assert (await dealer.ask())["accepted"]
            flood(session, "bob-lee")
            for _ in range(IN_A_ROW):
                assert (await dealer.ask())["accepted"]
    assert session.connections == 2, "the one before the flood, and one that lasts"
