"""Commands and their answers on a real broker: who may give which, where the answer goes, and resent events."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from daemon.mqtt.commands import RESEND_EVENTS_MAX
from daemon.mqtt.settings import MqttVersion
from daemon.table.inputs import Bet
from daemon.table.step import Answer
from daemon.table.vocabulary import Actor, SeatNumber
from tests.mqtt.conftest import reach
from tests.mqtt.listening import PATIENCE_S, Heard, listening
from tests.mqtt.running import TOPICS, HandTable, WatchedJournal, running
from tests.support.mosquitto import Mosquitto
from tests.support.sentences import Says

BET = TOPICS.command("app", "bet")
RESENT = TOPICS.command("app", "resend")
ANSWERS = TOPICS.reply("app") + "/answers"


def command(number: int = 1, /, **changed: object) -> dict[str, Any]:
    """A bet, or whatever else is asked for."""
    whole: dict[str, Any] = {
        "id": f"request-{number}",
        "expires": (datetime.now(UTC) + timedelta(minutes=1)).isoformat(),
        "data": {"seat": 1, "wager": "big_50", "stake_cents": 500},
    }
    return whole | changed


def written(whole: object) -> bytes:
    return json.dumps(whole).encode()


def is_status(status: str) -> Any:  # noqa: ANN401
    return lambda one: one.topic == TOPICS.status and one.json["status"] == status


def is_reply(one: Heard) -> bool:
    return "/reply/" in one.topic


async def test_a_command_reaches_the_table_and_its_answer_the_requester(
    broker: Mosquitto, journal: WatchedJournal
) -> None:
    table = HandTable(journal, answer=Answer(False, "betting-closed", "Bets are taken while betting is open."))
    session = table.session(reach(broker.port))
    async with listening(broker.port, ANSWERS) as app, running(session):
        await asyncio.wait_for(session.there.wait(), PATIENCE_S)
        await app.send(BET, written(command()), answer_to=ANSWERS)
        reply = await app.first(lambda _: True)
    assert reply.correlation == b"correlation"
    assert reply.json == {
        "user": "app",
        "id": "request-1",
        "command": "bet",
        "accepted": False,
        "code": "betting-closed",
        "message": "Bets are taken while betting is open.",
        "where": None,
        "said": None,
    }
    (asked,) = table.asked
    assert (asked.who, asked.id, asked.role, asked.seats) == ("app", "request-1", Actor.PLAYER, (1,))
    assert isinstance(asked.action, Bet)
    assert (asked.action.seat, asked.action.stake_cents) == (SeatNumber(1), 500)


async def test_without_a_response_topic_the_answer_goes_to_the_users_own(
    broker: Mosquitto, journal: WatchedJournal, version: MqttVersion
) -> None:
    session = HandTable(journal).session(reach(broker.port, version))
    async with listening(broker.port) as app, running(session):
        await asyncio.wait_for(session.there.wait(), PATIENCE_S)
        await app.send(TOPICS.command("ana", "bet"), written(command()))
        reply = await app.first(is_reply)
    assert reply.topic == TOPICS.reply("ana")
    assert reply.json["accepted"]


@pytest.mark.parametrize("wanted", [TOPICS.event("hand-settled"), TOPICS.reply("ana"), "elsewhere"])
async def test_a_response_topic_that_is_not_the_users_own_is_refused(
    broker: Mosquitto, journal: WatchedJournal, wanted: str
) -> None:
    table = HandTable(journal)
    async with listening(broker.port) as app, running(table.session(reach(broker.port))) as _:
        await app.first(is_status("running"))
        await app.send(BET, written(command()), answer_to=wanted)
        reply = await app.first(is_reply)
    assert (reply.topic, reply.json["code"]) == (TOPICS.reply("app"), "bad-response-topic")
    assert reply.correlation == b"correlation"
    assert not app.about(wanted)
    assert table.asked == []


@pytest.mark.parametrize(
    ("user", "name", "code"),
    [
        ("mallory", "bet", "not-known"),
        ("screen", "bet", "not-permitted"),
        ("screen", "resend", "not-permitted"),
        ("store", "bet", "not-permitted"),
        ("store", "resend", "resent"),
    ],
)
async def test_a_user_may_do_what_the_file_of_people_says_and_nothing_else(
    broker: Mosquitto, journal: WatchedJournal, user: str, name: str, code: str
) -> None:
    table = HandTable(journal)
    table.commit(1)
    async with listening(broker.port) as app, running(table.session(reach(broker.port))):
        await app.first(is_status("running"))
        whole = command(data={"from": 1, "to": 1}) if name == "resend" else command()
        await app.send(TOPICS.command(user, name), written(whole))
        reply = await app.first(lambda one: is_reply(one) and "accepted" in one.json)
    assert (reply.topic, reply.json["user"], reply.json["code"]) == (TOPICS.reply(user), user, code)
    assert table.asked == []


@pytest.mark.parametrize("claim", [{"role": "supervisor"}, {"client": "ana"}, {"who": "ana"}, {"user": "ana"}])
async def test_nothing_in_a_command_says_who_sends_it(
    broker: Mosquitto, journal: WatchedJournal, claim: dict[str, str]
) -> None:
    async with listening(broker.port) as app, running(HandTable(journal).session(reach(broker.port))):
        await app.first(is_status("running"))
        await app.send(BET, written(command(**claim)))
        reply = await app.first(is_reply)
    assert (reply.json["code"], reply.json["where"]) == ("malformed", "$")


async def test_a_command_that_is_retained_while_we_listen_is_refused_too(
    broker: Mosquitto, journal: WatchedJournal
) -> None:
    table = HandTable(journal)
    async with listening(broker.port) as app, running(table.session(reach(broker.port))):
        await app.first(is_status("running"))
        await app.send(BET, written(command()), retain=True)
        reply = await app.first(is_reply)
    assert (reply.json["id"], reply.json["code"]) == ("request-1", "retained")
    assert table.asked == []


async def test_commands_that_were_retained_before_do_not_come_at_each_connection(
    broker: Mosquitto, journal: WatchedJournal
) -> None:
    """A user could retain a hundred thousand of them, one under each name."""
    table = HandTable(journal)
    async with listening(broker.port, ANSWERS) as app:
        await app.send(BET, written(command(1)), retain=True, answer_to=ANSWERS)
        async with running(table.session(reach(broker.port))) as _, listening(broker.port, TOPICS.status) as other:
            await other.first(lambda one: one.json["status"] == "running")
            await app.send(BET, written(command(2)), answer_to=ANSWERS)
            reply = await app.first(lambda _: True)
    assert reply.json["id"] == "request-2"
    assert [request.id for request in table.asked] == ["request-2"]


async def test_a_command_sent_while_we_are_away_comes_when_we_are_back(
    broker: Mosquitto, journal: WatchedJournal, version: MqttVersion
) -> None:
    table = HandTable(journal)
    settings = reach(broker.port, version)
    session = table.session(settings)
    async with running(session):
        await asyncio.wait_for(session.there.wait(), PATIENCE_S)
    async with listening(broker.port) as app:
        await app.send(BET, written(command()))
        async with running(table.session(settings)):
            await app.first(is_reply)
    assert [request.id for request in table.asked] == ["request-1"]


async def test_a_command_that_was_not_answered_comes_again(
    broker: Mosquitto, journal: WatchedJournal, version: MqttVersion
) -> None:
    table = HandTable(journal)
    table.may_answer.clear()
    async with listening(broker.port) as app:
        session = table.session(reach(broker.port, version))
        async with running(session):
            await asyncio.wait_for(session.there.wait(), PATIENCE_S)
            await app.send(BET, written(command()))
            await asyncio.wait_for(table.reached.wait(), PATIENCE_S)
        assert table.asked == []
        table.may_answer.set()
        async with running(table.session(reach(broker.port, version))):
            await app.first(is_reply)
    assert [request.id for request in table.asked] == ["request-1"]


@pytest.mark.parametrize(
    ("first", "last", "got"),
    [
        (3, 5, [3, 4, 5]),
        (9, 99, [9, 10]),
        (10, 10, [10]),
    ],
)
async def test_a_hole_is_filled_from_the_journal(
    broker: Mosquitto, journal: WatchedJournal, first: int, last: int, got: list[int], says: Says
) -> None:
    table = HandTable(journal)
    table.commit(10)
    asked = written(command(data={"from": first, "to": last}))
    async with listening(broker.port) as app, running(table.session(reach(broker.port))):
        await journal.delivered(10)
        await app.send(RESENT, asked, answer_to=ANSWERS)
        await app.first(lambda one: one.topic == ANSWERS and "accepted" in one.json)
    *events, reply = app.about(ANSWERS)
    assert [int(one.json["sequence"]) for one in events] == got
    assert reply.json["accepted"] is True
    says(reply.json["message"])
    originals = {one.json["id"]: one.payload for one in app.about("/event/")}
    assert all(originals[one.json["id"]] == one.payload for one in events)


async def test_a_resend_is_bounded_and_says_where_it_ended(
    broker: Mosquitto, journal: WatchedJournal, says: Says
) -> None:
    table = HandTable(journal)
    table.commit(RESEND_EVENTS_MAX + 5)
    asked = written(command(data={"from": 2, "to": RESEND_EVENTS_MAX + 5}))
    session = table.session(reach(broker.port))
    async with listening(broker.port, f"{TOPICS.reply('app')}/#") as app, running(session):
        await asyncio.wait_for(session.there.wait(), PATIENCE_S)
        await app.send(RESENT, asked, answer_to=ANSWERS)
        reply = await app.first(lambda one: "accepted" in one.json)
    assert len(app.heard) == RESEND_EVENTS_MAX + 1
    says(reply.json["message"])


@pytest.mark.parametrize(("first", "last"), [(11, 12), (5, 4)])
async def test_a_range_that_does_not_exist_is_refused(
    broker: Mosquitto, journal: WatchedJournal, first: int, last: int, says: Says
) -> None:
    table = HandTable(journal)
    table.commit(10)
    session = table.session(reach(broker.port))
    async with listening(broker.port, f"{TOPICS.reply('app')}/#") as app, running(session):
        await asyncio.wait_for(session.there.wait(), PATIENCE_S)
        asked = written(command(data={"from": first, "to": last}))
        await app.send(RESENT, asked, answer_to=ANSWERS)
        reply = await app.first(lambda _: True)
    assert (reply.json["accepted"], reply.json["code"]) == (False, "no-such-events")
    says(reply.json["message"])
