"""A press goes out again where no answer comes, and is judged by who the user is now."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace

import msgspec
import pytest

from daemon.config.people import Person
from daemon.mqtt.client import connected
from daemon.mqtt.topics import Topics
from daemon.page import users
from daemon.page.users import Logins
from daemon.page.watching import ended
from tests.page.published import PASSWORD, PEOPLE, SITE, PublishedTable
from tests.page.served import page_settings
from tests.page.test_users import SOON_S, bet, logged_in, logins, table
from tests.support.mosquitto import Mosquitto

__all__ = ["logins", "table"]


@asynccontextmanager
async def forgetful(broker: Mosquitto, dropped: int) -> AsyncIterator[list[str]]:
    """Yield the ids that come to a table which does not get the first `dropped` commands, and answers the others."""
    heard: list[str] = []
    topics = Topics(SITE, "t7")
    settings = replace(page_settings(broker.port).mqtt, user="feltd", password=PASSWORD, session_expiry_s=0)
    async with connected(settings, "t7") as connection:
        await connection.listen(topics.command("dana", "bet"))

        async def answer() -> None:
            async for message in connection.messages:
                connection.acknowledge(message)
                heard.append(msgspec.json.decode(message.payload)["id"])
                if len(heard) > dropped:
                    reply = {"id": heard[-1], "accepted": True, "code": "accepted", "message": ""}
                    connection.post(topics.reply("dana"), msgspec.json.encode(reply))

        answering = asyncio.create_task(answer())
        yield heard
        await ended(answering)


async def test_a_press_that_the_table_did_not_get_goes_out_again_under_its_id(
    logins: Logins, broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(users, "AGAIN_S", 0.05)
    monkeypatch.setattr(users, "ANSWER_S_MAX", SOON_S)
    dana = await logged_in(logins, "dana")
    async with forgetful(broker, dropped=2) as heard:
        assert (await dana.press(bet(1, "press-0001"))).accepted
        assert heard[:3] == ["press-0001"] * 3


async def test_a_press_does_not_go_out_again_behind_a_later_one(
    logins: Logins, broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table would take the older stake last."""
    monkeypatch.setattr(users, "AGAIN_S", 0.5)
    monkeypatch.setattr(users, "ANSWER_S_MAX", 2.0)
    dana = await logged_in(logins, "dana")
    async with forgetful(broker, dropped=1) as heard:
        first, second = await asyncio.gather(dana.press(bet(1, "press-0001")), dana.press(bet(1, "press-0002")))
    assert (first, second.accepted) == (users.NO_ANSWER, True)
    assert heard[0] == "press-0001"
    assert set(heard[1:]) == {"press-0002"}


def work_by(table: PublishedTable, people: Mapping[str, Person]) -> None:
    """Have the table look its users up here, as after the file of people was read again."""
    table.session._table = replace(table.session._table, person_of=people.get)
    table.session._answering._person_of = people.get


async def test_whose_role_changes_in_mid_session_is_who_they_are_now_at_the_next_press(
    logins: Logins, table: PublishedTable
) -> None:
    dana, people = await logged_in(logins, "dana"), dict(PEOPLE)
    work_by(table, people)
    assert (await dana.press(bet(1, "press-0001"))).accepted
    people["dana"] = PEOPLE["screen"]
    assert (await dana.press(bet(2, "press-0002"))).code == "not-permitted"
    del people["dana"]
    assert (await dana.press(bet(2, "press-0003"))).code == "not-known"
    assert (await dana.press(bet(1, "press-0001"))).accepted, "what was done is answered as it was"
    people["dana"] = PEOPLE["dana"]
    assert (await dana.press(bet(2, "press-0004"))).accepted
    assert len(table.requests) == 2


async def test_a_visitor_who_is_taken_out_of_the_file_can_do_nothing_and_the_tablet_goes_back(
    logins: Logins, table: PublishedTable
) -> None:
    people = dict(PEOPLE)
    work_by(table, people)
    dealer = await logins.log_in("dana", PASSWORD, "127.0.0.1")
    visit = await logins.log_in("sue", PASSWORD, "127.0.0.1", over=dealer)
    del people["sue"]
    sue = logins.user(visit)
    assert sue is not None
    assert sue.name == "sue"
    assert (await sue.press(bet(1, "press-0001"))).code == "not-known"
    await logins.log_out(visit)
    dana = logins.user(visit)
    assert dana is not None
    assert (await dana.press(bet(1, "press-0002"))).accepted
    assert [request.who for request in table.requests] == ["dana"]
