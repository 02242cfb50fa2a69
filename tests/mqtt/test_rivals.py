"""Two daemons of one table: the one that comes looks first, and nobody serves beside another journal."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import aiomqtt
import pytest

from daemon.mqtt.rivals import AnotherDaemonError, Rivals, TableTakenError
from daemon.mqtt.session import MqttSession
from daemon.mqtt.settings import MqttVersion
from daemon.tools.journal.taking_over import take_over
from tests.mqtt.conftest import reach
from tests.mqtt.listening import PATIENCE_S, listening
from tests.mqtt.running import TOPICS, HandTable, WatchedJournal, running
from tests.mqtt.test_answering import command, written
from tests.support.mosquitto import Mosquitto
from tests.support.sentences import Says

TRIES = 20


def other_journal(directory: Path) -> WatchedJournal:
    opened = WatchedJournal.open(directory / "other.journal", create=True)
    opened.moved = asyncio.Event()
    return opened


async def is_refused(session: MqttSession) -> str:
    async with running(session):
        await asyncio.wait_for(session.away.wait(), PATIENCE_S)
        assert isinstance(session.down, TableTakenError)
        assert not session.there.is_set()
        return session.down.message


async def test_a_daemon_with_another_journal_serves_nobody_until_a_person_decides(
    broker: Mosquitto, journal: WatchedJournal, version: MqttVersion, tmp_path: Path
) -> None:
    """One bet was placed twice, in two journals."""
    first, second_journal = HandTable(journal), other_journal(tmp_path)
    second = HandTable(second_journal)
    settings = reach(broker.port, version)
    async with listening(broker.port) as app:
        async with running(first.session(settings)):
            await app.first(lambda one: one.topic == TOPICS.state)
            assert journal.id in await is_refused(second.session(replace(settings, client_id="second")))
            await app.send(TOPICS.command("app", "bet"), written(command()))
            await app.first(lambda one: "/reply/" in one.topic)
        assert journal.id in await is_refused(second.session(settings)), "although the other one has stopped"
        assert (len(first.asked), second.asked) == (1, [])
        assert await take_over(settings, TOPICS) == journal.id
        session = second.session(settings)
        async with running(session):
            await asyncio.wait_for(session.there.wait(), PATIENCE_S)
            await app.first(lambda one: one.topic == TOPICS.state and second_journal.id.encode() in one.payload)
    second_journal.close()


async def test_a_second_daemon_gives_way_to_the_one_that_serves(
    broker: Mosquitto, journal: WatchedJournal, version: MqttVersion, tmp_path: Path, says: Says
) -> None:
    """Both log in under one client id, as at a broker that binds it to the user. Each try took it from the other."""
    second_journal = other_journal(tmp_path)
    settings = replace(reach(broker.port, version), client_id="table")
    first, second = HandTable(journal).session(settings), HandTable(second_journal).session(settings)
    async with listening(broker.port) as app, running(first):
        await asyncio.wait_for(first.there.wait(), PATIENCE_S)
        async with running(second):
            for _ in range(TRIES):  # the first one can take its connection back before the second has looked
                second.away.clear()
                await asyncio.wait_for(second.away.wait(), PATIENCE_S)
                if isinstance(second.down, AnotherDaemonError):
                    break
            assert isinstance(second.down, AnotherDaemonError), "so it does not come back"
            says(second.down.remedy)
            await app.send(TOPICS.command("app", "bet"), written(command()))
            await app.first(lambda one: "/reply/" in one.topic)
    second_journal.close()


async def test_an_older_copy_of_the_journal_is_found_by_the_state_of_the_table(
    broker: Mosquitto, journal: WatchedJournal, says: Says
) -> None:
    async with listening(broker.port) as app:
        newer = {"journal": journal.id, "sequence": f"{journal.last_sequence() + 1:012}"}
        await app.send(TOPICS.state, json.dumps(newer).encode(), retain=True)
        says(await is_refused(HandTable(journal).session(reach(broker.port))), id=journal.id)


async def test_an_older_copy_is_found_whatever_it_wrote_since_its_start(
    broker: Mosquitto, journal: WatchedJournal
) -> None:
    """At its start it writes events of its own. With as many as it lacked it served, without the bets of those."""
    table = HandTable(journal)
    session = table.session(reach(broker.port))
    newer = {"journal": journal.id, "sequence": f"{journal.last_sequence() + 1:012}"}
    table.commit(5)
    async with listening(broker.port) as app:
        await app.send(TOPICS.state, json.dumps(newer).encode(), retain=True)
        await is_refused(session)


@pytest.mark.parametrize("version", MqttVersion)
async def test_who_comes_back_finds_the_events_of_a_copy_that_served_meanwhile_and_was_stopped(
    broker: Mosquitto, journal: WatchedJournal, version: MqttVersion
) -> None:
    """Its status says nothing then, and the table has gone on alone, past the number of the copy's last event."""
    table = HandTable(journal)
    session = table.session(reach(broker.port, version))
    async with running(session):
        async with listening(broker.port) as app:
            table.commit(5)
            session.wake()
            told = f"{journal.last_sequence():012}"
            await app.first(lambda one: one.topic == TOPICS.state and one.json["sequence"] == told)
            await asyncio.wait_for(session.there.wait(), PATIENCE_S)
            theirs = {"journal": journal.id, "sequence": f"{journal.last_sequence() + 1:012}"}
            await app.send(TOPICS.state, json.dumps(theirs).encode(), retain=True)
        broker.stop()
        await asyncio.wait_for(session.away.wait(), PATIENCE_S)
        table.commit(5)
        session.there.clear()
        broker.start()
        async with asyncio.timeout(PATIENCE_S):
            while not isinstance(session.down, TableTakenError):
                session.away.clear()
                await session.away.wait()


@pytest.mark.parametrize("status", ["lost", "stopped"])
async def test_the_will_of_a_daemon_that_only_looked_keeps_nobody_from_serving(
    broker: Mosquitto, journal: WatchedJournal, status: str
) -> None:
    """Its connection was taken while it looked. The table that served before read its will, and neither served."""
    session = HandTable(journal).session(reach(broker.port))
    async with listening(broker.port) as app:
        looked = {"status": status, "journal": "another", "connected": "2026-01-01T00:00:00.000000Z"}
        ours = {"journal": journal.id, "sequence": f"{journal.last_sequence():012}"}
        await app.send(TOPICS.status, json.dumps(looked).encode(), retain=True)
        await app.send(TOPICS.state, json.dumps(ours).encode(), retain=True)
        async with running(session):
            await asyncio.wait_for(session.there.wait(), PATIENCE_S)


@pytest.mark.parametrize("state", [{}, {"journal": "another"}], ids=["no-state", "its-state"])
async def test_the_last_word_of_a_daemon_that_served_with_another_journal_counts(
    broker: Mosquitto, journal: WatchedJournal, state: dict[str, str]
) -> None:
    async with listening(broker.port) as app:
        gone = {"status": "lost", "journal": "another", "connected": "2026-01-01T00:00:00.000000Z"}
        await app.send(TOPICS.status, json.dumps(gone).encode(), retain=True)
        if state:
            await app.send(TOPICS.state, json.dumps(state).encode(), retain=True)
        assert "another" in await is_refused(HandTable(journal).session(reach(broker.port)))


async def test_a_daemon_is_known_again_by_its_journal(
    broker: Mosquitto, journal: WatchedJournal, version: MqttVersion
) -> None:
    for _ in range(3):
        session = HandTable(journal).session(reach(broker.port, version))
        async with running(session):
            await asyncio.wait_for(session.there.wait(), PATIENCE_S)


@pytest.mark.parametrize(("other", "year"), [(None, "2999"), ("another", "1999")], ids=["its-copy", "another"])
async def test_a_daemon_that_another_one_comes_after_serves_no_longer(
    broker: Mosquitto, journal: WatchedJournal, version: MqttVersion, other: str | None, year: str, says: Says
) -> None:
    """A copy of its journal on another machine is not known by its name, and another journal not by its clock."""
    session = HandTable(journal).session(reach(broker.port, version))
    time = f"{year}-01-01T00:00:00.000000Z"
    later = {"status": "running", "journal": other or journal.id, "connected": time}
    async with listening(broker.port) as app, running(session):
        await app.first(lambda one: one.topic == TOPICS.state)
        await app.send(TOPICS.status, json.dumps(later).encode(), retain=True)
        await asyncio.wait_for(session.away.wait(), PATIENCE_S)
        assert isinstance(session.down, AnotherDaemonError)
        says(session.down, id=journal.id)


@pytest.mark.parametrize(
    ("connected", "gives_way"),
    [("10:00", False), ("10:01", False), ("10:02", True), ("09:00", False)],
    ids=["served", "tried", "the-other-one", "before-us"],
)
async def test_who_comes_back_finds_the_will_of_the_daemon_that_it_took_the_connection_from(
    journal: WatchedJournal, connected: str, gives_way: bool
) -> None:
    """At RabbitMQ 4 it is there before the first daemon looks: a journal and its copy ended each other without end."""
    rivals = Rivals(TOPICS, journal)
    rivals.note_tried("10:00")
    rivals.note_served("10:00")
    rivals.note_tried("10:01")
    will = {"status": "lost", "journal": journal.id, "connected": connected}
    left = [aiomqtt.Message(TOPICS.status, json.dumps(will).encode(), 1, True, 1, None)]
    with pytest.raises(AnotherDaemonError) if gives_way else nullcontext():
        rivals.look(left)


async def test_who_comes_back_goes_on_beside_the_will_of_another_journal_that_only_looked(
    journal: WatchedJournal,
) -> None:
    """The other daemon gave way permanently when it had looked. When ours gave way to its will too, nobody served."""
    rivals = Rivals(TOPICS, journal)
    rivals.note_tried("10:00")
    rivals.note_served("10:00")
    rivals.note_tried("10:02")
    will = {"status": "lost", "journal": "another", "connected": "10:01"}
    ours = {"journal": journal.id, "sequence": f"{journal.last_sequence():012}"}
    left = {TOPICS.status: will, TOPICS.state: ours}
    rivals.look([aiomqtt.Message(topic, json.dumps(kept).encode(), 1, True, 1, None) for topic, kept in left.items()])


async def test_a_will_of_its_own_journal_is_not_a_rival_before_it_has_served(journal: WatchedJournal) -> None:
    """A crash left it, and the clock was set back since."""
    rivals = Rivals(TOPICS, journal)
    rivals.note_tried("10:00")
    will = {"status": "lost", "journal": journal.id, "connected": "11:00"}
    rivals.look([aiomqtt.Message(TOPICS.status, json.dumps(will).encode(), 1, True, 1, None)])


@pytest.mark.parametrize("connected", [None, 5, ["10:00"]])
async def test_a_status_of_another_form_ends_no_daemon(journal: WatchedJournal, connected: object) -> None:
    rivals = Rivals(TOPICS, journal)
    rivals.note_tried("10:00")
    rivals.note_served("10:00")
    odd = {"status": "lost", "journal": journal.id, "connected": connected}
    message = aiomqtt.Message(TOPICS.status, json.dumps(odd).encode(), 1, True, 1, None)
    rivals.hear(message)
    rivals.look([message])


ODD: tuple[Any, ...] = (None, 5, True, 1.5, "", "x" * 5_000, "\u0665", [], {}, [["10:00"]], {"journal": 7})


@pytest.mark.parametrize("field", ["status", "journal", "connected", "sequence"])
@pytest.mark.parametrize("topic", [TOPICS.status, TOPICS.state])
async def test_what_somebody_retained_as_the_table_ends_no_daemon(
    journal: WatchedJournal, topic: str, field: str
) -> None:
    """A list in the place of the journal's name ended the daemon at each of its starts, until a person removed it."""
    sound = {"status": "running", "journal": journal.id, "connected": "10:00", "sequence": "000000000000"}
    for kept, odd in product((sound, sound | {"journal": "another"}), ODD):
        message = aiomqtt.Message(topic, json.dumps(kept | {field: odd}).encode(), 1, True, 1, None)
        for has_served in (False, True):
            rivals = Rivals(TOPICS, journal)
            rivals.note_tried("10:00")
            if has_served:
                rivals.note_served("10:00")
                _is_decided(rivals.hear, message)
            _is_decided(rivals.look, [message])


def _is_decided(hear: Callable[[Any], None], what: object) -> None:
    said = ""
    try:
        hear(what)
    except TableTakenError as taken:
        said = taken.message
    assert len(said) < 300, "a message of any length would be in the log"
