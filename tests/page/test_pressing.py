"""A press goes out again where no answer comes, and is judged by who the user is now."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import aiohttp
import msgspec
import pytest

from daemon.config.people import Person
from daemon.mqtt.client import Connection, connected
from daemon.mqtt.topics import Topics
from daemon.page import users
from daemon.page.users import Logins
from daemon.page.watching import ended
from tests.page.published import PASSWORD, PEOPLE, SITE, PublishedTable, published
from tests.page.served import page_settings, serving
from tests.page.test_server import until
from tests.page.test_users import SOON_S, bet, logged_in, logins, table
from tests.support.mosquitto import Mosquitto
from tests.table.playing import Table

__all__ = ["logins", "table"]


@dataclass
class Forgetful:
    """A table that does not get the first of dana's commands, and answers the others."""

    connection: Connection
    dropped: int
    heard: list[str] = field(default_factory=list)

    async def listen(self) -> None:
        async for message in self.connection.messages:
            self.connection.acknowledge(message)
            self.heard.append(msgspec.json.decode(message.payload)["id"])
            if len(self.heard) > self.dropped:
                self.answer(self.heard[-1])

    def answer(self, request: str) -> None:
        reply = {"id": request, "accepted": True, "code": "accepted", "message": ""}
        self.connection.post(Topics(SITE, "t7").reply("dana"), msgspec.json.encode(reply))


@asynccontextmanager
async def forgetful(broker: Mosquitto, dropped: int) -> AsyncIterator[Forgetful]:
    settings = replace(page_settings(broker.port).mqtt, user="feltd", password=PASSWORD, session_expiry_s=0)
    async with connected(settings, "t7") as connection:
        await connection.listen(Topics(SITE, "t7").command("dana", "bet"))
        table = Forgetful(connection, dropped)
        listening = asyncio.create_task(table.listen())
        yield table
        await ended(listening)


async def test_a_press_that_the_table_did_not_get_goes_out_again_under_its_id(
    logins: Logins, broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(users, "AGAIN_S", 0.05)
    monkeypatch.setattr(users, "ANSWER_S_MAX", SOON_S)
    dana = await logged_in(logins, "dana")
    async with forgetful(broker, dropped=2) as table:
        assert (await dana.press(bet(1, "press-0001"))).accepted
        assert table.heard[:3] == ["press-0001"] * 3


async def test_a_press_does_not_go_out_again_behind_a_later_one(
    logins: Logins, broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table would take the older stake last."""
    monkeypatch.setattr(users, "AGAIN_S", 0.05)
    monkeypatch.setattr(users, "ANSWER_S_MAX", SOON_S)
    dana, now_s = await logged_in(logins, "dana"), asyncio.get_running_loop().time
    async with forgetful(broker, dropped=1) as table:
        first = asyncio.create_task(dana.press(bet(1, "press-0001")))
        second = asyncio.create_task(dana.press(bet(1, "press-0002")))  # they begin in this order
        assert (await second).accepted
        again_s, number = now_s() + 4 * users.AGAIN_S, 3
        while now_s() < again_s:
            assert (await dana.press(bet(1, f"press-{number:04}"))).accepted
            number += 1
        table.answer("press-0001")
        assert (await first).accepted
    assert table.heard.index("press-0002") > 0
    assert "press-0001" not in table.heard[table.heard.index("press-0002") :]


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


@pytest.mark.parametrize(
    ("done", "left_s"),
    [
        ((), users.VISIT_S_MAX),
        (("enter-cards", "enter-cards"), users.VISIT_S_MAX),
        (("clear-alert",), users.VISIT_LEFT_S),
        (("clear-alert", "enter-cards", "press"), users.VISIT_LEFT_S),
        (("rule",), 0.0),
        (("clear-alert", "void-round"), 0.0),
    ],
)
async def test_the_server_ends_a_visit_when_the_visitors_command_was_taken(
    logins: Logins, done: tuple[str, ...], left_s: float
) -> None:
    """A tablet that was cut off at the ruling, or a win that was verified, left the supervisor logged in there."""
    before = await logins.log_in("dana", PASSWORD, "127.0.0.1")
    token = await logins.log_in("sue", PASSWORD, "127.0.0.1", before)
    for command in done:
        await logins.has_done(token, command)
    assert left_s - SOON_S < logins.visit_s(token) <= left_s
    assert name(logins, token) == ("sue" if left_s else "dana")
    await logins.has_done(before, "rule")
    alone = await logins.log_in("sue", PASSWORD, "127.0.0.1")
    await logins.has_done(alone, "rule")
    assert name(logins, alone) == "sue", "who came to stay stays"


async def test_who_comes_for_a_moment_where_nobody_is_leaves_nobody_behind(logins: Logins) -> None:
    """A dealer who logged out before the supervisor came had the supervisor's session for twelve hours."""
    for again in (False, True):
        token = await logins.log_in("sue", PASSWORD, "127.0.0.1", "")
        if again:
            token = await logins.log_in("sue", PASSWORD, "127.0.0.1", token)
        assert logins.visit_s(token) > users.VISIT_S_MAX - SOON_S
        await logins.has_done(token, "rule")
        assert name(logins, token) is None
    before = await logins.log_in("sue", PASSWORD, "127.0.0.1")
    token = await logins.log_in("sue", PASSWORD, "127.0.0.1", before)
    assert (logins.visit_s(token), name(logins, token)) == (0.0, "sue"), "it is their own screen"


def name(logins: Logins, token: str) -> str | None:
    user = logins.user(token)
    return None if user is None else user.name


async def test_after_a_ruling_the_tablet_is_the_dealers_though_its_browser_asks_for_nothing(
    broker: Mosquitto, tmp_path: Path
) -> None:
    """And a browser that asks for it afterwards does not log the dealer out."""
    jar = aiohttp.CookieJar(unsafe=True)
    async with (
        published(Table().ready(), tmp_path, broker.port) as table,
        serving(page_settings(broker.port)) as served,
        aiohttp.ClientSession(served.url, headers={"Origin": served.url.rstrip("/")}, cookie_jar=jar) as tablet,
    ):

        async def post(path: str, **body: object) -> dict[str, object]:
            async with tablet.post(path, json=body) as response:
                answer: dict[str, object] = await response.json()
                return answer

        async def hello() -> tuple[str, str | None]:
            async with tablet.get("/stream") as response:
                said = await until(response.content, "hello")
                return said["user"], said["waits"]

        async with tablet.get("/stream") as response:
            await until(response.content, "state")
        for user in ("dana", "sue"):
            await post("/login", user=user, password=PASSWORD, for_now=user == "sue")
        assert await hello() == ("sue", "dana")
        ruling = {"press_id": "press-0001", "round": "t7-1", "data": {"reason": "Players agree"}}
        assert (await post("/tables/t7/cmd/void-round", **ruling))["accepted"]
        for _ in range(2):
            assert await hello() == ("dana", None)
            again = await post("/tables/t7/cmd/close-table", press_id=f"press-{secrets.token_hex(4)}")
            assert again["code"] == "not-permitted"
            await post("/logout", only_visit=True)
    assert [request.who for request in table.requests] == ["sue", "dana", "dana"]
