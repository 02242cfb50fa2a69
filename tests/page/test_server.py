"""The page's server, by a real client over real sockets: who may reach it, and what it lets through."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from daemon.errors import SetupError
from daemon.page import server, streams
from daemon.page.files import FOLDER, page_files, without_comments
from tests.page.published import PASSWORD, SITE, published
from tests.page.served import Served, page_settings, serving
from tests.support.mosquitto import Mosquitto
from tests.table.playing import Table

BODY = json.dumps({"press_id": "0123456789", "data": {}})


@pytest.fixture
async def client() -> AsyncIterator[aiohttp.ClientSession]:
    connector = aiohttp.TCPConnector(limit=0, force_close=True)
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30), connector=connector) as session:
        yield session


@pytest.fixture
async def served(broker: Mosquitto) -> AsyncIterator[Served]:
    async with serving(page_settings(broker.port)) as running:
        yield running


async def message(content: aiohttp.StreamReader) -> tuple[str, Any]:
    """Read one message of a stream."""
    while True:
        block = (await content.readuntil(b"\n\n")).decode()
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "event" in fields:
            return fields["event"], json.loads(fields["data"])


async def until(content: aiohttp.StreamReader, kind: str) -> Any:  # noqa: ANN401  JSON
    while True:
        said, data = await message(content)
        if said == kind:
            return data


async def test_every_file_is_served_with_its_type_and_is_not_sent_twice(
    served: Served, client: aiohttp.ClientSession
) -> None:
    for path, file in page_files().items():
        async with client.get(served.url + path[1:]) as response:
            assert (response.status, response.content_type) == (200, file.kind)
            assert await response.read() == file.body
            etag = response.headers["ETag"]
        async with client.get(served.url + path[1:], headers={"If-None-Match": etag}) as response:
            assert response.status == 304


async def test_a_file_is_sent_packed_to_whoever_can_unpack_it(served: Served, client: aiohttp.ClientSession) -> None:
    for path, file in page_files().items():
        for asked, coding, body in (("gzip, br", "gzip", file.packed), ("identity", None, file.body)):
            headers = {"Accept-Encoding": asked}
            async with client.get(served.url + path[1:], headers=headers, auto_decompress=False) as response:
                assert response.headers.get("Content-Encoding") == coding
                assert response.headers["Vary"] == "Accept-Encoding"
                assert await response.read() == body


def test_a_script_is_sent_without_comments_and_its_lines_keep_their_numbers() -> None:
    source = '// @ts-check\n/**\n * Says.\n */\nconst a = /** @type {any} */ (b);\n  // why\n  go("http://x");\n'
    assert without_comments(source) == '\n\n\n\nconst a = (b);\n\ngo("http://x");\n'
    for path in FOLDER.glob("*.js"):
        text = path.read_text()
        assert without_comments(text).count("\n") == text.count("\n")
        assert re.search(r"[^\s(]/\*", text) is None, f"{path.name} has a comment mark that begins no comment"


async def test_everything_that_the_page_names_is_there_and_ours() -> None:
    files = page_files()
    text = "".join(file.body.decode() for file in files.values() if file.kind != "text/css")
    marks = ('src="/', 'href="/', 'from "./', 'import("./')
    named = {part.split('"')[0] for mark in marks for part in text.split(mark)[1:]}
    assert {f"/{name}" for name in named} <= files.keys()
    for word in ("<style", "style=", "innerHTML", "onclick=", "eval("):
        assert word not in text


@pytest.mark.parametrize("path", ["", "stream", "nowhere", "healthz", "tables/t7/rounds"])
async def test_no_answer_lets_a_foreign_script_or_frame_in(
    served: Served, client: aiohttp.ClientSession, path: str
) -> None:
    async with client.get(served.url + path) as response:
        policy = response.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; script-src 'self';")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert "Access-Control-Allow-Origin" not in response.headers


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200),
        ("localhost:1", 200),
        ("evil.example", 421),
        ("127.0.0.1.evil", 421),
        ("localhost:99999999", 421),
    ],
)
async def test_only_names_that_are_ours_are_answered(
    served: Served, client: aiohttp.ClientSession, host: str, status: int
) -> None:
    async with client.get(served.url, headers={"Host": host}) as response:
        assert response.status == status


@pytest.mark.parametrize("path", ["login", "logout", "tables/t7/cmd/press"])
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Content-Type": "application/json"}, 403),
        ({"Content-Type": "application/json", "Origin": "http://evil.example"}, 403),
        ({"Content-Type": "application/json", "Origin": "null"}, 403),
        ({"Content-Type": "text/plain", "Origin": "own"}, 415),
    ],
)
async def test_a_post_of_another_page_is_refused(
    served: Served, client: aiohttp.ClientSession, path: str, headers: dict[str, str], status: int
) -> None:
    own = served.url.rstrip("/")
    sent = {name: own if value == "own" else value for name, value in headers.items()}
    async with client.post(served.url + path, data=BODY, headers=sent) as response:
        assert response.status == status


async def test_a_command_needs_a_login(served: Served, client: aiohttp.ClientSession) -> None:
    headers = {"Content-Type": "application/json", "Origin": served.url.rstrip("/")}
    async with client.post(served.url + "tables/t7/cmd/press", data=BODY, headers=headers) as response:
        assert response.status == 401
        assert (await response.json())["code"] == "log-in"


async def test_no_command_goes_to_a_table_of_which_nobody_heard(
    served: Served, client: aiohttp.ClientSession, broker: Mosquitto, tmp_path: Path
) -> None:
    """The page subscribed to the answers of each, at the broker, and kept its name."""
    headers = {"Content-Type": "application/json", "Origin": served.url.rstrip("/")}
    async with published(Table(), tmp_path, broker.port):
        async with client.get(served.url + "stream") as response:
            await until(response.content, "state")
        who = json.dumps({"user": "dana", "password": PASSWORD})
        async with client.post(served.url + "login", data=who, headers=headers) as response:
            [(name, cookie)] = response.cookies.items()
        headers["Cookie"] = f"{name}={cookie.value}"
        for table, status in (("t7", 200), ("invented", 404), ("%2e%2e", 404)):
            url = f"{served.url}tables/{table}/cmd/press"
            async with client.post(url, data=BODY, headers=headers) as response:
                assert response.status == status, table


async def test_a_stream_begins_with_the_whole_and_goes_on_with_what_happens(
    served: Served, client: aiohttp.ClientSession, broker: Mosquitto, tmp_path: Path
) -> None:
    async with published(Table(), tmp_path, broker.port) as table, client.get(served.url + "stream") as response:
        hello = await until(response.content, "hello")
        assert (hello["user"], hello["site"], hello["trial_users"]) == (None, "north", [])
        state = await until(response.content, "state")
        assert state["state"]["table"]["phase"] == "idle"
        table.play.ready()
        while state["state"]["table"]["phase"] != "betting":
            state = await until(response.content, "state")
        async with client.get(served.url + "stream?tables=t7,other") as late:
            whole = await until(late.content, "table")
            assert whole["table"] == "t7"
            assert whole["state"]["table"]["phase"] == "betting"
            assert whole["recent"][-1]["type"] == "dealer-prompted"
        async with client.get(served.url + "tables/t7/rounds") as rounds:
            assert [row["round"] for row in await rounds.json()] == ["t7-1"]
        async with client.get(served.url + "tables/t7/rounds/t7-1") as one:
            assert (await one.json())[0]["type"] == "round-opened"
        async with client.get(served.url + "tables/t7/rounds/t7-2") as none:
            assert none.status == 404


async def test_a_stream_beats_and_says_that_the_broker_is_gone(
    served: Served, client: aiohttp.ClientSession, broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "BEAT_S", 0.01)
    async with client.get(served.url + "stream") as response:
        while not (await until(response.content, "link") or {}).get("broker"):
            pass
        broker.stop()
        while (await until(response.content, "link"))["broker"]:
            pass
        broker.start()
        while not (await until(response.content, "link"))["broker"]:
            pass


async def test_who_may_do_what_is_for_people_who_work_at_tables_now(
    broker: Mosquitto, client: aiohttp.ClientSession, tmp_path: Path
) -> None:
    """Not for players, and not for a user who was taken out of the file while their session lasts."""
    sue, dana = (
        'sue = { role = "supervisor", tables = ["t7"] }\n',
        'dana = { role = "player", tables = ["t7"], seats = [1] }\n',
    )
    tables = '[tables]\nt7 = { user = "feltd" }\nt8 = { user = "feltd8" }\n'
    elsewhere = 'vera = { role = "dealer", tables = ["t8"] }\n'
    head, file = f'site = "{SITE}"\n{tables}[people]\n', tmp_path / "people.toml"
    file.write_text(head + sue + dana + elsewhere)
    async with serving(page_settings(broker.port, people_file=file)) as served:

        async def logged_in(user: str) -> dict[str, str]:
            posts = {"Content-Type": "application/json", "Origin": served.url.rstrip("/")}
            login = json.dumps({"user": user, "password": PASSWORD})
            async with client.post(served.url + "login", data=login, headers=posts) as entered:
                [cookie] = entered.cookies.values()
                return {"Cookie": f"{cookie.key}={cookie.value}"}

        async def seen(cookies: dict[str, str]) -> list[str]:
            async with client.get(served.url + "people", headers=cookies) as answer:
                return [row["user"] for row in await answer.json()]

        supervisor = await logged_in("sue")
        assert await seen(supervisor) == ["sue", "dana"]
        assert await seen(await logged_in("dana")) == []
        assert await seen(await logged_in("vera")) == ["vera"]
        file.write_text(head + dana)
        assert await seen(supervisor) == []


async def test_two_servers_on_one_host_do_not_take_each_others_logins(
    broker: Mosquitto, client: aiohttp.ClientSession
) -> None:
    """A browser tells a host's ports apart in everything but cookies."""
    names = set()
    for _ in range(2):
        async with serving(page_settings(broker.port)) as served:
            posts = {"Content-Type": "application/json", "Origin": served.url.rstrip("/")}
            login = json.dumps({"user": "dana", "password": PASSWORD})
            async with client.post(served.url + "login", data=login, headers=posts) as entered:
                [cookie] = entered.cookies.values()
            names.add(cookie.key)
            assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == ("/", True, "Strict")
            assert cookie["domain"] == ""
            jar = {"Cookie": f"{cookie.key}={cookie.value}"}
            async with client.get(served.url + "stream", headers=jar) as stream:
                assert (await until(stream.content, "hello"))["user"] == "dana"
    assert len(names) == 2


async def test_a_request_that_is_none_is_one_plain_line_in_the_log(
    served: Served, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(3):
        reader, writer = await asyncio.open_connection("127.0.0.1", served.settings.port)
        writer.write(b"GET /" + b"x" * server.HEADER_FIELD_BYTES_MAX + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answer = await reader.read()
        assert answer.startswith(b"HTTP/1.0 400 "), answer
        writer.close()
    said = capfd.readouterr()
    assert [line.split() for line in said.out.splitlines() if "bad-request" in line] != []
    assert (said.out + said.err + caplog.text).count("bad-request") == 1
    assert "Traceback" not in said.out + said.err + caplog.text


async def test_a_stream_has_no_head_alone(served: Served, client: aiohttp.ClientSession) -> None:
    """Its events came behind an answer that has no body."""
    async with client.head(served.url + "stream") as response:
        assert response.status == 405


async def test_streams_are_bounded(
    served: Served, client: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "STREAMS_MAX", 2)
    async with AsyncExitStack() as opened:
        for _ in range(2):
            response = await opened.enter_async_context(client.get(served.url + "stream"))
            await until(response.content, "hello")
        async with client.get(served.url + "stream") as refused:
            assert refused.status == 503


@pytest.mark.long
async def test_connections_are_bounded_and_a_free_place_is_taken_again(
    served: Served, client: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "CONNECTIONS_MAX", 2)
    port = served.settings.port
    writers = [(await asyncio.open_connection("127.0.0.1", port))[1] for _ in range(2)]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    assert await reader.read() == b""
    for each in (*writers, writer):
        each.close()
        await each.wait_closed()
    while True:
        try:
            async with client.get(served.url + "healthz") as response:
                assert response.status == 200
                break
        except aiohttp.ServerDisconnectedError:
            pass  # the server has not noticed yet that the others are gone


async def test_one_visitor_who_takes_all_places_shuts_nobody_out(
    served: Served, client: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The address that holds most gives way to another address: first a connection, then a stream."""
    monkeypatch.setattr(server, "STREAMS_MAX", 3)
    monkeypatch.setattr(server, "CONNECTIONS_MAX", 4)
    async with AsyncExitStack() as opened:
        hoarded = []
        for _ in range(3):
            response = await opened.enter_async_context(client.get(served.url + "stream"))
            await until(response.content, "hello")
            hoarded.append(response)
        _, idle = await asyncio.open_connection("127.0.0.1", served.settings.port)
        opened.callback(idle.close)
        elsewhere = aiohttp.TCPConnector(local_addr=("127.0.0.2", 0))
        other = await opened.enter_async_context(aiohttp.ClientSession(connector=elsewhere))
        screen = await opened.enter_async_context(other.get(served.url + "stream"))
        assert screen.status == 200
        await until(screen.content, "hello")
        with suppress(aiohttp.ServerDisconnectedError):
            async with client.get(served.url + "stream") as refused:
                assert refused.status == 503
        await until(screen.content, "link")


@pytest.mark.parametrize(
    "headers",
    [{"X-Long": "x" * 10_000}, {f"X-{number}": "x" for number in range(200)}],
    ids=["a long one", "many"],
)
async def test_headers_are_bounded(served: Served, client: aiohttp.ClientSession, headers: dict[str, str]) -> None:
    async with client.get(served.url + "healthz", headers=headers) as response:
        assert response.status == 400


async def test_a_body_is_bounded(served: Served, client: aiohttp.ClientSession) -> None:
    headers = {"Content-Type": "application/json", "Origin": served.url.rstrip("/")}
    async with client.post(served.url + "login", data=b" " * 20_000, headers=headers) as response:
        assert response.status == 413
    async with client.post(served.url + "login", data=b'{"user": 1}', headers=headers) as response:
        assert response.status == 400


async def test_a_packed_body_is_not_unpacked(served: Served, client: aiohttp.ClientSession) -> None:
    """150 bodies of 200 kB that become 200 MB each kept every screen waiting for half a minute, and 400 MB for good."""
    headers = {"Content-Type": "application/json", "Origin": served.url.rstrip("/"), "Content-Encoding": "gzip"}
    packed = gzip.compress(json.dumps({"user": "dana", "password": PASSWORD}).encode())
    async with client.post(served.url + "login", data=packed, headers=headers) as response:
        assert response.status == 400


async def test_headers_that_come_too_slowly_end_the_connection(
    broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "IDLE_S_MAX", 0.05)
    async with serving(page_settings(broker.port)) as served:
        reader, writer = await asyncio.open_connection("127.0.0.1", served.settings.port)
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        assert await reader.read() == b""
        writer.close()
        await writer.wait_closed()


async def test_an_open_stream_does_not_hold_up_the_end(served: Served, client: aiohttp.ClientSession) -> None:
    loop = asyncio.get_running_loop()
    response = await client.get(served.url + "stream")
    await until(response.content, "hello")
    begun_s = loop.time()
    await served.end()
    assert loop.time() - begun_s < server.SHUTDOWN_S_MAX
    response.close()


async def test_a_port_that_is_taken_is_a_technicians_matter(served: Served, broker: Mosquitto) -> None:
    with pytest.raises(SetupError) as error:
        async with serving(page_settings(broker.port, port=served.settings.port)):
            pass
    assert error.value.code == "page.cannot-listen"
