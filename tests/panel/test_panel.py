"""The panel, by a real client over real sockets, on a real journal."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Never

import aiohttp
import pytest
import structlog

from daemon.journal.journal import Journal
from daemon.mqtt.documents import STATE, State
from daemon.mqtt.envelope import sequence_text
from daemon.panel import server
from daemon.panel.server import FACTS_SHOWN, STREAMS_MAX, Panel, Sources
from daemon.table.state import TableState
from daemon.table.step import Step
from daemon.table.view import public
from drivers.events import CameBack, WentStale
from tests.sim_hardware.free_port import free_port
from tests.table.playing import Table

TOPIC = "felt/v1/north/t7"


class JournaledTable(Table):
    """The table under test, whose every step is committed as in the straight line."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.panel: Panel | None = None
        super().__init__()

    def picture(self) -> bytes:
        """As it is retained on MQTT."""
        return STATE.encode(State(self.journal.id, sequence_text(self.journal.last_sequence()), public(self.state)))

    def _took(self, step: Step[TableState]) -> None:
        super()._took(step)
        self.journal.append(self.inputs[-1], step)
        if self.panel is not None:
            self.panel.wake()


@dataclass
class Shown:
    """A running panel, the table behind it, and a browser's side of it."""

    table: JournaledTable
    port: int
    client: aiohttp.ClientSession
    running: asyncio.Task[Never]
    line_moves: asyncio.Event

    async def stop(self) -> None:
        self.running.cancel()
        with suppress(asyncio.CancelledError):
            await self.running

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    @asynccontextmanager
    async def stream(self, last_seen: str | None = None) -> AsyncIterator[Stream]:
        headers = {} if last_seen is None else {"Last-Event-ID": last_seen}
        async with self.client.get(self.url("/events"), headers=headers) as response:
            assert response.status == 200
            yield Stream(response)


@dataclass
class Stream:
    """Server-sent events as a browser reads them."""

    response: aiohttp.ClientResponse

    async def message(self) -> dict[str, str]:
        block = await self.response.content.readuntil(b"\n\n")
        return dict(line.split(": ", 1) for line in block.decode().splitlines() if line.strip(":"))

    async def until_state(self) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """The facts up to the next picture, and the picture."""
        facts: list[dict[str, Any]] = []
        while True:
            message = await self.message()
            if message.get("event") == "state":
                return facts, json.loads(message["data"])
            if message:
                fact = json.loads(message["data"])
                facts.append(fact | {"sequence": int(fact["sequence"])})
                assert message["id"] == str(facts[-1]["sequence"])


@pytest.fixture
def table(tmp_path: Path) -> Iterator[JournaledTable]:
    journal = Journal.open(tmp_path / "t.journal", create=True)
    yield JournaledTable(journal)
    journal.close()


@asynccontextmanager
async def serving(table: JournaledTable, port: int | None = None) -> AsyncIterator[Shown]:
    chosen = free_port() if port is None else port
    line_moves = asyncio.Event()
    line_moves.set()
    sources = Sources(TOPIC, table.journal, table.picture, line_moves.wait)
    table.panel = Panel("127.0.0.1", chosen, sources)
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as client:
        shown = Shown(table, chosen, client, asyncio.create_task(table.panel.run()), line_moves)
        try:
            await until_listening(chosen)
            yield shown
        finally:
            await shown.stop()


async def until(is_so: Callable[[], bool]) -> None:
    """For what the other end of a socket brings about and nobody announces."""
    while True:
        if is_so():
            return
        await asyncio.sleep(0.001)


async def until_listening(port: int) -> None:
    def answers() -> bool:
        with socket.socket() as caller:
            return caller.connect_ex(("127.0.0.1", port)) == 0

    await until(answers)


@pytest.fixture
async def shown(table: JournaledTable) -> AsyncIterator[Shown]:
    async with serving(table) as running:
        yield running


async def test_the_picture_is_the_tables_own(shown: Shown) -> None:
    async with shown.client.get(shown.url("/state")) as response:
        assert response.content_type == "application/json"
        assert await response.read() == shown.table.picture()


async def test_a_stream_begins_with_what_just_happened_and_goes_on_with_what_happens(shown: Shown) -> None:
    async with shown.stream() as stream:
        facts, picture = await stream.until_state()
        assert [fact["type"] for fact in facts] == ["table-configured", "dealer-prompted"]
        assert picture == json.loads(shown.table.picture())
        shown.table.link_up()
        facts, picture = await stream.until_state()
        assert facts[0]["type"] == "device-up"
        assert facts[0]["source"] == TOPIC
        assert picture["table"]["devices"][0]["presence"] == "up"


async def test_every_fact_comes_once_and_in_order(shown: Shown) -> None:
    async with shown.stream() as stream:
        seen, _ = await stream.until_state()
        shown.table.dealt(1, 2)
        last = shown.table.journal.last_sequence()
        while seen[-1]["sequence"] < last:
            facts, _ = await stream.until_state()
            seen += facts
    assert [fact["sequence"] for fact in seen] == list(range(1, last + 1))


async def test_no_hidden_card_is_on_the_wire_before_the_game_shows_it(shown: Shown) -> None:
    async with shown.stream() as stream:
        shown.table.dealt(1, 2)
        facts, picture = await stream.until_state()
        last = shown.table.journal.last_sequence()
        while facts[-1]["sequence"] < last:
            more, picture = await stream.until_state()
            facts += more
    running = shown.table.state.round
    assert running is not None
    hidden = [str(face) for hand in running.hands for face in hand.faces or ()]
    assert len(hidden) == 10
    for fact in facts:
        del fact["id"]  # random hexadecimal digits, among which 4c is no card
    assert [card for card in hidden if re.search(rf"\b{card}\b", json.dumps([facts, picture]))] == []


async def test_a_browser_that_comes_back_gets_what_it_missed(shown: Shown) -> None:
    async with shown.stream() as stream:
        facts, _ = await stream.until_state()
    shown.table.dealt(1, 2)
    async with shown.stream(last_seen=str(facts[-1]["sequence"])) as stream:
        missed, _ = await stream.until_state()
    assert missed[0]["sequence"] == facts[-1]["sequence"] + 1
    assert missed[-1]["sequence"] == shown.table.journal.last_sequence()


@pytest.mark.parametrize("last_seen", ["", "x", "-1", "999999", "9" * 6000, "１"])
async def test_a_browser_that_saw_something_else_gets_the_latest(shown: Shown, last_seen: str) -> None:
    shown.table.link_up()
    while shown.table.journal.last_sequence() <= FACTS_SHOWN:
        shown.table.device(WentStale(1))
        shown.table.device(CameBack())
    async with shown.stream(last_seen) as stream:
        facts, _ = await stream.until_state()
    assert len(facts) == FACTS_SHOWN
    assert facts[-1]["sequence"] == shown.table.journal.last_sequence()


async def test_an_open_stream_does_not_hold_up_the_end(table: JournaledTable) -> None:
    loop = asyncio.get_running_loop()
    async with serving(table) as shown:
        response = await shown.client.get(shown.url("/events"))
        await Stream(response).until_state()
        begun_s = loop.time()
        await shown.stop()
        assert loop.time() - begun_s < server.SHUTDOWN_S_MAX
        assert await response.content.read() == b""
        response.close()


async def test_a_browser_that_went_away_is_forgotten_at_the_next_heartbeat(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "HEARTBEAT_S", 0.001)
    assert shown.table.panel is not None
    async with shown.stream() as stream:
        await stream.until_state()
        assert await stream.message() == {}
    await until(lambda: shown.table.panel is not None and shown.table.panel.streams == 0)


async def test_streams_are_bounded(shown: Shown) -> None:
    streams = [await shown.client.get(shown.url("/events")) for _ in range(STREAMS_MAX)]
    async with shown.client.get(shown.url("/events")) as refused:
        assert refused.status == 503
    for stream in streams:
        stream.close()


async def test_health_is_that_of_the_line(shown: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    async with shown.client.get(shown.url("/healthz")) as response:
        assert (response.status, await response.text()) == (200, "The table's queue moves.\n")
    monkeypatch.setattr(server, "PROBE_S_MAX", 0.01)
    shown.line_moves.clear()
    async with shown.client.get(shown.url("/healthz")) as response:
        assert (response.status, await response.text()) == (503, "The table's queue stands still.\n")


@pytest.mark.parametrize("path", ["/", "/panel.js", "/panel.css", "/state", "/healthz", "/events", "/nowhere"])
async def test_no_answer_lets_a_foreign_script_or_frame_in(shown: Shown, path: str) -> None:
    async with shown.client.get(shown.url(path)) as response:
        policy = response.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; script-src 'self';")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.headers["Cache-Control"] == "no-store"
        assert "Access-Control-Allow-Origin" not in response.headers


async def test_everything_that_the_page_names_is_there_and_ours(shown: Shown) -> None:
    async with shown.client.get(shown.url("/")) as response:
        page = await response.text()
    named = re.findall(r'(?:src|href)="([^"]*)"', page)
    assert sorted(named) == ["/panel.css", "/panel.js"]
    assert "<style" not in page
    assert re.search(r"<script(?![^>]* src=)", page) is None
    for path, kind in (("/panel.css", "text/css"), ("/panel.js", "text/javascript")):
        async with shown.client.get(shown.url(path)) as response:
            assert (response.status, response.content_type) == (200, kind)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
async def test_nothing_can_be_commanded(shown: Shown, method: str) -> None:
    for path in ("/", "/state", "/events", "/healthz"):
        async with shown.client.request(method, shown.url(path)) as response:
            assert response.status == 405


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200),
        ("localhost:8050", 200),
        ("[::1]:8050", 200),
        ("evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("", 421),
    ],
)
async def test_only_names_that_are_ours_are_answered(shown: Shown, host: str, status: int) -> None:
    async with shown.client.get(shown.url("/state"), headers={"Host": host}) as response:
        assert response.status == status


async def test_a_taken_port_is_tried_again_and_said_once(
    table: JournaledTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "BIND_AGAIN_S", 0.001)
    port = free_port()
    with structlog.testing.capture_logs() as lines:
        taken = socket.create_server(("127.0.0.1", port))
        taken.listen()
        async with serving(table, port) as shown:
            await until(lambda: bool(lines))
            taken.close()
            await until_listening(port)
            async with shown.stream() as stream:
                facts, _ = await stream.until_state()
                assert facts
                table.link_up()
                facts, _ = await stream.until_state()
                assert [fact["type"] for fact in facts][:1] == ["device-up"]
    (said,) = [line for line in lines if line["log_level"] == "error"]
    assert said["event"] == "panel-cannot-listen"
    assert said["remedy"].startswith("Free the port")
