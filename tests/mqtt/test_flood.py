"""A user who floods the table: others are answered soon, memory stays bounded, and every command ends somehow."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import aiomqtt
import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from structlog.testing import capture_logs

from daemon.mqtt.answering import COMMAND_BYTES_MAX
from daemon.mqtt.client import connected
from daemon.mqtt.hearing import REFUSED_MAX
from daemon.mqtt.settings import MqttVersion
from daemon.mqtt.waiting import BURST_MAX, BURST_PER_S, SHARE_MAX, WaitingCommands
from daemon.table.inputs import Request
from daemon.table.step import Answer
from drivers.events import Button, ButtonPressed
from tests.daemon.test_intake import line, opened, report
from tests.daemon.test_intake import running as line_running
from tests.mqtt.conftest import reach
from tests.mqtt.listening import PATIENCE_S, Heard, listening
from tests.mqtt.running import TOPICS, HandTable, WatchedJournal, running
from tests.mqtt.test_answering import command, written
from tests.support.mosquitto import Mosquitto

FLOOD = 2_000
AT_ONCE = SHARE_MAX + int(BURST_MAX)


def request_number(one: Heard) -> int:
    return int(one.json["id"].removeprefix("request-"))


def message(number: int) -> aiomqtt.Message:
    return aiomqtt.Message("t", str(number).encode(), 1, False, number, None)


async def taken(waiting: WaitingCommands) -> tuple[str, int]:
    user, one, _ = await waiting.take()
    waiting.finish(user)
    return user, one.mid


async def test_users_take_turns_and_each_ones_commands_stay_in_order() -> None:
    waiting = WaitingCommands(lambda: 0.0)
    for number in range(3):
        assert waiting.put("ana", message(number))
    assert waiting.put("bob", message(10))
    assert [await taken(waiting) for _ in range(4)] == [("ana", 0), ("bob", 10), ("ana", 1), ("ana", 2)]


async def test_what_exceeds_a_share_is_a_burst_that_comes_back_slowly() -> None:
    now_s = 0.0
    waiting = WaitingCommands(lambda: now_s)
    assert sum(waiting.put("ana", message(number)) for number in range(FLOOD)) == AT_ONCE
    assert waiting.put("bob", message(0))
    now_s = 1.0
    assert sum(waiting.put("ana", message(number)) for number in range(FLOOD)) == BURST_PER_S


async def test_a_command_that_is_being_answered_counts_too() -> None:
    waiting = WaitingCommands(lambda: 0.0)
    for number in range(AT_ONCE):
        waiting.put("ana", message(number))
    user, *_ = await waiting.take()
    assert not waiting.put("ana", message(0))
    waiting.finish(user)
    assert not waiting.put("ana", message(0))


async def test_names_without_number_are_not_remembered() -> None:
    waiting = WaitingCommands(lambda: 0.0)
    for number in range(10_000):
        assert waiting.put(f"user-{number}", message(number))
        await taken(waiting)
    assert len(waiting._shares) <= 1_000


async def test_a_flood_of_one_user_keeps_no_other_waiting(
    broker: Mosquitto, journal: WatchedJournal, version: MqttVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table answers nothing at first, so the flood fills its share and what the broker has unacknowledged."""
    monkeypatch.setattr("daemon.mqtt.waiting.BURST_MAX", 0.0)
    monkeypatch.setattr("daemon.mqtt.hearing.REFUSED_MAX", 3.0 * FLOOD)  # who is not heard: tests/mqtt/test_hearing.py
    table = HandTable(journal)
    table.may_answer.clear()
    session = table.session(reach(broker.port, version))
    sending = replace(reach(broker.port), session_expiry_s=0, in_flight_max=1_000)
    with capture_logs() as logged:
        async with (
            listening(broker.port, f"{TOPICS.base}/reply/#") as app,
            connected(sending, "sender", None) as sender,
            running(session),
        ):
            await asyncio.wait_for(session.there.wait(), PATIENCE_S)

            async def flood(first: int) -> None:
                bets = [written(command(number)) for number in range(first, first + FLOOD)]
                await asyncio.gather(*(sender.post(TOPICS.command("app", "bet"), bet) for bet in bets))

            await flood(0)
            await app.first(lambda one: one.json["code"] == "too-many")
            await sender.post(TOPICS.command("ana", "bet"), written(command()))
            await flood(FLOOD)  # a refusal of one of these shows that ana's command came before it
            await app.first(lambda one: request_number(one) >= FLOOD)
            table.may_answer.set()
            await app.first(lambda one: one.json["user"] == "ana")
    before = [request.who for request in table.asked].index("ana")
    assert before <= 2, "what was being answered, and one turn of the other user"
    told = [line["user"] for line in logged if line["event"] == "mqtt-too-many-commands"]
    assert set(told) == {"app"}, "who floods is in the log"


async def test_an_event_of_a_device_waits_for_one_command_at_most_in_a_flood(
    broker: Mosquitto, journal: WatchedJournal, version: MqttVersion
) -> None:
    """Devices and commands have one queue, and the connection puts its next command there when one is answered."""
    line_, device = line(journal)
    opened(line_)
    unanswered: set[Request] = set()
    before: list[int] = []

    async def submit(request: Request) -> Answer:
        unanswered.add(request)
        asked = asyncio.create_task(line_.submit_request(request))
        await asyncio.sleep(0)  # it is in the queue, and the line has not run since
        before.append(len(unanswered))
        line_.queue_input(report(ButtonPressed(Button("green")), 2 + len(before)))
        answer = await asked
        unanswered.remove(request)
        return answer

    table = HandTable(journal)
    table.submit = submit  # type: ignore[method-assign]
    session = table.session(reach(broker.port, version))
    sending = replace(reach(broker.port), session_expiry_s=0, in_flight_max=1_000)
    async with (
        listening(broker.port, f"{TOPICS.base}/reply/#") as app,
        connected(sending, "sender", None) as sender,
        line_running(line_),
        running(session),
    ):
        await asyncio.wait_for(session.there.wait(), PATIENCE_S)
        for number in range(FLOOD):
            sender.post(TOPICS.command(("app", "ana")[number % 2], "bet"), written(command(number)))
        await app.until(lambda _: len(before) >= 2 * SHARE_MAX)  # what the table takes of two users however slow it is
        await line_.probe()
    assert max(before) <= 1 < len(before)
    taken_events = [receipt.seq for receipt, _ in device.acknowledged]
    assert len(taken_events) >= len(before), "and none of them was lost"


@pytest.mark.parametrize("beside", [False, True], ids=["in the command", "in its properties"])
async def test_what_is_too_long_for_a_command_does_not_wait(
    broker: Mosquitto, journal: WatchedJournal, beside: bool
) -> None:
    """Commands that wait are held as they came: 200 of a megabyte from each user were the daemon's memory."""
    table = HandTable(journal)
    table.may_answer.clear()
    properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
    properties.CorrelationData = b"which"
    properties.UserProperty = [("note", "x" * 60_000)] * (2 if beside else 0)
    payload = written(command()) + b" " * (0 if beside else COMMAND_BYTES_MAX)
    session = table.session(reach(broker.port))
    async with listening(broker.port, f"{TOPICS.base}/reply/#") as app, running(session):
        await asyncio.wait_for(session.there.wait(), PATIENCE_S)
        await app.client.publish(TOPICS.command("app", "bet"), payload, 1, properties=properties)
        reply = await app.first(lambda _: True)
    assert (reply.topic, reply.json["code"], reply.correlation) == (TOPICS.reply("app"), "too-long", None)
    assert not table.reached.is_set()


async def test_what_is_too_long_and_came_while_we_were_away_is_not_kept(
    broker: Mosquitto, journal: WatchedJournal
) -> None:
    """Before a daemon serves it holds what came: of a broker that sends 1,024 at once, a gigabyte."""
    table, settings = HandTable(journal), reach(broker.port)
    async with running(table.session(settings)) as _, listening(broker.port, TOPICS.status) as app:
        await app.first(lambda one: one.json["status"] == "running")
    async with listening(broker.port, f"{TOPICS.base}/reply/#") as app:
        await app.send(TOPICS.command("app", "bet"), b" " * COMMAND_BYTES_MAX + written(command(1)))
        await app.send(TOPICS.command("app", "bet"), written(command(2)))
        async with running(table.session(settings)):
            reply = await app.first(lambda _: True)
    assert reply.json["id"] == "request-2"
    assert [request.id for request in table.asked] == ["request-2"]


async def test_of_a_flood_that_comes_before_the_table_serves_only_so_much_is_kept(
    broker: Mosquitto, journal: WatchedJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("daemon.mqtt.session.EARLY_MAX", 3)
    table, settings = HandTable(journal), reach(broker.port)
    before = table.session(settings)
    async with running(before):  # from now on the broker keeps what comes
        await asyncio.wait_for(before.there.wait(), PATIENCE_S)
    async with listening(broker.port, f"{TOPICS.base}/reply/#") as app:
        for number in range(5):
            await app.send(TOPICS.command("ana", "bet"), written(command(number)))
        session = table.session(settings)
        async with running(session):
            await asyncio.wait_for(session.there.wait(), PATIENCE_S)
            await app.send(TOPICS.command("ana", "bet"), written(command(9)))
            await app.first(lambda one: request_number(one) == 9)
        answered = [request_number(one) for one in app.heard]
    assert answered == [0, 1, 2, 9]


async def test_what_is_sent_after_a_good_end_in_a_flood_is_answered_by_the_next(
    broker: Mosquitto, journal: WatchedJournal, version: MqttVersion
) -> None:
    """Subscriptions to single users have QoS 0, and for these a broker keeps nothing."""
    table, settings = HandTable(journal), reach(broker.port, version)
    async with listening(broker.port, f"{TOPICS.base}/reply/#") as app:
        session = table.session(settings)
        async with running(session):
            await asyncio.wait_for(session.there.wait(), PATIENCE_S)
            for _ in range(int(REFUSED_MAX) + 1):
                session._hearing.note_refused("app")
            await app.send(TOPICS.command("ana", "bet"), written(command(1)))
            await app.first(lambda one: request_number(one) == 1)
        await app.send(TOPICS.command("ana", "bet"), written(command(2)))
        async with running(table.session(settings)):
            await app.first(lambda one: request_number(one) == 2)


async def test_a_resend_keeps_no_command_waiting(broker: Mosquitto, journal: WatchedJournal) -> None:
    table = HandTable(journal)
    table.commit(1_000)
    session = table.session(reach(broker.port))
    async with listening(broker.port, f"{TOPICS.base}/reply/#") as app, running(session):
        await asyncio.wait_for(session.there.wait(), PATIENCE_S)
        wanted = [written(command(number, data={"from": 1, "to": 1_000})) for number in range(5)]
        resends = [app.send(TOPICS.command("store", "resend"), one) for one in wanted]
        # All leave at once: one after the other, a quick table has sent everything before the bet comes.
        await asyncio.gather(*resends, app.send(TOPICS.command("ana", "bet"), written(command())))
        await app.first(lambda one: one.json.get("user") == "ana")
        heard = list(app.heard)
    assert sum("specversion" in one.json for one in heard) < 5_000
