"""The outbox against a real broker and its faults: every event, in order, from the cursor on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

from mqtt5 import PublishPacket

from daemon.mqtt.outbox import CURSOR
from daemon.mqtt.settings import MqttVersion
from sim_hardware.broker import Verdict
from tests.mqtt.conftest import bench_broker, reach
from tests.mqtt.listening import PATIENCE_S, Heard, listening
from tests.mqtt.running import TOPICS, HandTable, WatchedJournal, running
from tests.support.mosquitto import Mosquitto
from tests.support.sentences import Says

EVENTS = "felt/v1/north/7/event/#"
OURS = "topic readwrite felt/#\n"


def sequences(heard: Sequence[Heard]) -> list[int]:
    return [int(one.json["sequence"]) for one in heard]


def is_event(sequence: int) -> Callable[[Heard], bool]:
    return lambda one: int(one.json["sequence"]) == sequence


def without_repeats(heard: Sequence[Heard]) -> list[int]:
    """The sequences without repeated ids, as a consumer keeps them."""
    return sequences(list({one.json["id"]: one for one in heard}.values()))


def numbers(last: int, first: int = 1) -> list[int]:
    return list(range(first, last + 1))


async def test_every_event_arrives_once_and_in_order(
    broker: Mosquitto, journal: WatchedJournal, version: MqttVersion
) -> None:
    table = HandTable(journal)
    table.commit(100)
    session = table.session(reach(broker.port, version))
    async with listening(broker.port, EVENTS) as consumer, running(session):
        await consumer.until(lambda heard: len(heard) == 100)
        for _ in range(50):  # while it runs, as the line commits
            table.commit(4)
            session.wake()
            await asyncio.sleep(0)
        heard = await consumer.until(lambda heard: len(heard) >= 300)
        await journal.delivered(300)
    assert sequences(heard) == numbers(300)
    assert (session.outbox.counts.delivered, session.outbox.counts.lost) == (300, 0)


async def test_an_event_is_the_journals_row_in_its_envelope(broker: Mosquitto, journal: WatchedJournal) -> None:
    table = HandTable(journal)
    table.commit(1)
    fact = journal.facts_after(0, 1)[0]
    async with listening(broker.port, EVENTS) as consumer, running(table.session(reach(broker.port))):
        heard = await consumer.first(lambda _: True)
    assert heard.topic == TOPICS.event("bet-placed")
    assert heard.content_type == "application/cloudevents+json"
    assert (heard.json["id"], heard.json["roundid"], heard.json["rulesver"]) == (fact.id, "round-1", "1")
    assert json.dumps(heard.json["data"], separators=(",", ":")).encode() == fact.body


async def test_a_restart_of_the_daemon_goes_on_at_the_cursor(broker: Mosquitto, journal: WatchedJournal) -> None:
    table = HandTable(journal)
    async with listening(broker.port, EVENTS) as consumer:
        for last in (50, 100):
            table.commit(50)
            async with running(table.session(reach(broker.port))):
                await journal.delivered(last)
        heard = await consumer.until(lambda heard: len(heard) >= 100)
    assert sequences(heard) == numbers(100)


async def test_the_broker_away_and_back_has_every_event_in_order(
    broker: Mosquitto, journal: WatchedJournal, version: MqttVersion
) -> None:
    table = HandTable(journal)
    session = table.session(reach(broker.port, version))
    heard: list[Heard] = []
    async with running(session):
        async with listening(broker.port, EVENTS, name="consumer", kept=heard) as consumer:
            table.commit(20)
            session.wake()
            await consumer.until(lambda heard: len(heard) == 20)
        broker.stop()
        for _ in range(500):
            table.commit(2)
            session.wake()
        await session.away.wait()
        broker.start()
        async with listening(broker.port, EVENTS, name="consumer", kept=heard) as consumer:
            await consumer.first(is_event(1020))
    assert without_repeats(heard) == numbers(1020)


async def test_a_killed_broker_gets_again_whatever_it_had_not_acknowledged(
    broker: Mosquitto, journal: WatchedJournal
) -> None:
    table = HandTable(journal)
    table.commit(2_000)
    async with running(table.session(reach(broker.port))):
        await journal.delivered(300)
        broker.kill()
    acknowledged = journal.cursor(CURSOR)
    assert 0 < acknowledged < 2_000
    broker.start()
    async with listening(broker.port, EVENTS) as consumer, running(table.session(reach(broker.port))):
        await consumer.first(is_event(2_000))
    assert sequences(consumer.heard) == numbers(2_000, first=acknowledged + 1)


async def test_a_broker_that_stops_answering_is_left_and_then_gets_everything(
    broker: Mosquitto, journal: WatchedJournal, says: Says
) -> None:
    table = HandTable(journal)
    session = table.session(reach(broker.port, ack_s_max=2.0, connect_s_max=2.0))
    async with listening(broker.port, EVENTS) as consumer, running(session):
        table.commit(10)
        session.wake()
        await consumer.until(lambda heard: len(heard) == 10)
        broker.pause()
        table.commit(200)
        session.wake()
        await asyncio.wait_for(session.away.wait(), PATIENCE_S)
        says(str(session.down))
        broker.resume()
        await consumer.first(is_event(210))
    assert without_repeats(consumer.heard) == numbers(210)


async def test_a_slow_broker_is_waited_for_and_gets_nothing_twice(broker: Mosquitto, journal: WatchedJournal) -> None:
    table = HandTable(journal)
    session = table.session(reach(broker.port))
    async with listening(broker.port, EVENTS) as consumer, running(session):
        for last in range(100, 1_100, 100):
            broker.pause()
            table.commit(100)
            session.wake()
            await asyncio.sleep(0.01)  # a moment in which nothing is answered
            broker.resume()
            await journal.delivered(last)
        heard = await consumer.until(lambda heard: len(heard) >= 1_000)
    assert sequences(heard) == numbers(1_000)


async def test_a_denied_event_is_named_retained_and_waited_for(
    broker: Mosquitto, journal: WatchedJournal, says: Says
) -> None:
    broker.set_access(
        "topic readwrite felt/v1/north/7/status\ntopic readwrite felt/v1/north/7/event/bet-placed\ntopic read #\n"
    )
    table = HandTable(journal)
    table.commit(6)  # every second one is hand-settled
    session = table.session(reach(broker.port))
    async with listening(broker.port) as consumer, running(session):
        named = await consumer.first(lambda one: one.topic == TOPICS.status and _problems(one).get("event-refused"))
        says(_problems(named)["event-refused"], id=journal.id)
        assert journal.cursor(CURSOR) == 1
        broker.set_access(OURS)
        await journal.delivered(6)
        await consumer.until(lambda heard: _statuses(heard)[-1]["problems"] == [])
        events = consumer.about("/event/")
    assert sorted(set(without_repeats(events))) == numbers(6)
    assert sequences(events)[-5:] == numbers(6, first=2)


def _statuses(heard: Sequence[Heard]) -> list[dict[str, Any]]:
    return [one.json for one in heard if one.topic == TOPICS.status]


def _problems(status: Heard) -> dict[str, str]:
    return {problem["code"]: problem["message"] for problem in status.json["problems"]}


async def test_an_event_whose_acknowledgement_is_lost_comes_again_as_the_same_message(journal: WatchedJournal) -> None:
    swallowed: list[PublishPacket] = []

    def swallow_the_third_once(_client_id: str, packet: PublishPacket) -> Verdict:
        if "/event/" not in packet.topic or swallowed or int(json.loads(bytes(packet.payload))["sequence"]) != 3:
            return Verdict.ACCEPT
        swallowed.append(packet)
        return Verdict.SWALLOW

    table = HandTable(journal)
    table.commit(5)
    async with (
        bench_broker(swallow_the_third_once) as bench,
        listening(bench.port, EVENTS) as consumer,
        running(table.session(reach(bench.port, ack_s_max=2.0))),
    ):
        await journal.delivered(5)
        heard = await consumer.until(lambda heard: len(heard) >= 8)
    assert sequences(heard) == [1, 2, 3, 4, 5, 3, 4, 5]
    assert heard[2] == heard[5]


async def test_a_connection_cut_in_the_middle_of_the_window_leaves_no_hole(journal: WatchedJournal) -> None:
    cut_at = iter((7, 23, 24, 60, 99))
    due = next(cut_at)

    def cut_now_and_then(_client_id: str, packet: PublishPacket) -> Verdict:
        nonlocal due
        if "/event/" not in packet.topic or int(json.loads(bytes(packet.payload))["sequence"]) != due:
            return Verdict.ACCEPT
        due = next(cut_at, 0)
        return Verdict.CUT

    table = HandTable(journal)
    table.commit(100)
    async with (
        bench_broker(cut_now_and_then) as bench,
        listening(bench.port, EVENTS) as consumer,
        running(table.session(reach(bench.port))),
    ):
        await journal.delivered(100)
        await consumer.first(is_event(100))
    assert due == 0
    assert without_repeats(consumer.heard) == numbers(100)
