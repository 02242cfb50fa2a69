"""Two daemons of one table at each broker: one of them serves, or nobody, also where the broker is loaded."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from daemon.journal.journal import Journal
from daemon.mqtt.rivals import AnotherDaemonError, TableTakenError
from daemon.mqtt.session import MqttSession
from tests.brokers.flooding import flooding
from tests.brokers.running import Guarded
from tests.brokers.site import TOPICS
from tests.brokers.test_floods import FLOODER, FloodedTable, command, person
from tests.journal.values import configured, step
from tests.mqtt.listening import PATIENCE_S
from tests.mqtt.running import running

pytestmark = pytest.mark.usefixtures("forgotten")
WAITING = 600  # commands, far more than any broker gives a table unacknowledged


@pytest.fixture(autouse=True)
def decided_by_the_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for nothing: these brokers have delivered what they retain when they answer the next subscription."""
    monkeypatch.setattr("daemon.mqtt.session.LOOK_S_MAX", 0.0)


@pytest.fixture
def journals(tmp_path: Path) -> Iterator[tuple[Journal, Journal]]:
    """Two journals of one table."""
    opened = tuple(Journal.open(tmp_path / f"{name}.journal", create=True) for name in ("one", "other"))
    for journal in opened:
        journal.append(configured(1), step(5))
    yield opened[0], opened[1]
    for journal in opened:
        journal.close()


@pytest.fixture
def copies(tmp_path: Path) -> Iterator[tuple[Journal, Journal]]:
    """A journal and its copy on another machine."""
    with_it = Journal.open(tmp_path / "table.journal", create=True)
    with_it.append(configured(1), step(5))
    with_it.close()
    (tmp_path / "other").mkdir()
    shutil.copy(tmp_path / "table.journal", tmp_path / "other" / "table.journal")
    opened = tuple(Journal.open(tmp_path / name / "table.journal", create=False) for name in (".", "other"))
    yield opened[0], opened[1]
    for journal in opened:
        journal.close()


def load(broker: Guarded, *, loaded: bool) -> AbstractContextManager[None]:
    commands = [command("bet", number) for number in range(500)]
    return flooding(broker, FLOODER, TOPICS.command(FLOODER, "bet"), commands, 1) if loaded else nullcontext()


async def is_refused(session: MqttSession) -> TableTakenError:
    """Run the session until it says why it serves nobody. The one that runs can take its first connections."""
    async with asyncio.timeout(PATIENCE_S), running(session):
        while not isinstance(session.down, TableTakenError):
            session.away.clear()
            await session.away.wait()
            assert not session.connections
    return session.down


@pytest.mark.parametrize("loaded", [False, True], ids=["calm", "loaded"])
async def test_another_journal_serves_nobody_beside_the_one_that_runs(
    broker: Guarded, journals: tuple[Journal, Journal], loaded: bool
) -> None:
    first, second = (FloodedTable(journal) for journal in journals)
    async with first.serving(broker), person(broker, "ana") as dealer:
        assert (await dealer.ask())["accepted"]
        with load(broker, loaded=loaded):
            refused = await is_refused(second.session(broker))
        assert journals[0].id in refused.message
        assert (await dealer.ask())["accepted"]
    assert not second.taken


async def test_another_journal_is_found_behind_all_commands_that_wait(
    broker: Guarded, journals: tuple[Journal, Journal]
) -> None:
    """Mosquitto gives what it retains at QoS 1 behind a window full of commands, and these are not answered yet."""
    first, second = (FloodedTable(journal) for journal in journals)
    async with first.serving(broker):
        pass
    async with person(broker, "ana") as dealer:
        sent = (dealer.connection.post(TOPICS.command("ana", "bet"), command("bet", one)) for one in range(WAITING))
        await asyncio.gather(*sent)
    assert journals[0].id in (await is_refused(second.session(broker))).message
    assert not second.taken


async def test_of_a_journal_and_its_copy_one_daemon_serves_and_the_other_gives_way(
    broker: Guarded, copies: tuple[Journal, Journal]
) -> None:
    """Both are known by one journal and one user: they took the connection from each other without end."""
    tables = [FloodedTable(journal) for journal in copies]
    sessions = [table.session(broker) for table in tables]
    async with asyncio.timeout(2 * PATIENCE_S), running(sessions[0]), person(broker, "ana") as dealer:
        await sessions[0].there.wait()
        async with running(sessions[1]):
            given_way = await one_that_gives_way(sessions)
            await sessions[1 - given_way].there.wait()
            before = tables[given_way].taken.total()
            for _ in range(5):
                assert (await dealer.ask())["accepted"]
            assert tables[given_way].taken.total() == before
            assert not sessions[given_way].there.is_set()


async def one_that_gives_way(sessions: Sequence[MqttSession]) -> int:
    while True:
        ends = [asyncio.ensure_future(session.away.wait()) for session in sessions]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        for number, (session, end) in enumerate(zip(sessions, ends, strict=True)):
            end.cancel()
            if isinstance(session.down, AnotherDaemonError):
                return number
            session.away.clear()
