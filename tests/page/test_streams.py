"""What the page keeps for browsers that take little or nothing, and who gives way when it is full."""

from __future__ import annotations

import asyncio
import gc
from typing import cast

import pytest
from aiohttp import web

from daemon.page import streams
from daemon.page.board import Board
from daemon.page.room import Room
from tests.page.served import page_settings, serving
from tests.support.mosquitto import Mosquitto


def test_a_browser_that_takes_nothing_loses_pictures_and_then_its_stream() -> None:
    stream = streams.Stream(frozenset())
    for number in range(3):
        stream.put("state", "t7", b"%d" % number)
    stream.put("event", "t7", b"7")
    assert stream.taken() == (b"7", b"2")
    for _ in range(streams.WAITING_MAX + 1):
        stream.put("event", "t7", b"7")
    assert stream.is_over


class Slow:
    """A browser that takes a piece when it is told to."""

    def __init__(self) -> None:
        self.offered: asyncio.Queue[bytes] = asyncio.Queue(1)

    async def write(self, piece: bytes) -> None:
        await self.offered.put(piece)


async def test_a_picture_is_made_when_its_browser_takes_the_one_before() -> None:
    """Two hundred visitors who took nothing of forty tables were 2 GB, and the page ended for everybody."""
    made: dict[str, int] = {}
    news, taken = 0, 0
    browser, every = Slow(), streams.Streams()
    tables = [f"t{number}" for number in range(40)]

    def picture(table: str) -> tuple[bytes, ...]:
        made[table] = news
        return (b"{}",)

    response = cast("web.StreamResponse", browser)
    serving = asyncio.create_task(every.serve(response, "", frozenset(), b"{}", tables, picture))
    for taken in range(10):
        assert len(made) <= taken + 1, "one is taken, one waits, and no other is there"
        await browser.offered.get()
    news = 1
    for table in tables:
        every.tell("event", table, b'{"of":"%b"}' % table.encode())
    told = b""
    while b'"of"' not in told:
        told = await browser.offered.get()
    every.end()
    serving.cancel()
    assert made.keys() == set(tables)
    for table in tables:
        assert (b'"of":"%b"' % table.encode() in told) is (made[table] == 0), "in its picture, or told after it"


async def test_a_stream_that_gave_way_is_sent_no_more_pictures() -> None:
    """Its place is taken already: slow readers of many tables would be more than there is room for."""
    made: list[str] = []
    browser, every = Slow(), streams.Streams()

    def picture(table: str) -> tuple[bytes, ...]:
        made.append(table)
        return (b"{}",)

    response = cast("web.StreamResponse", browser)
    serving = asyncio.create_task(every.serve(response, "", frozenset(), b"{}", ["t1", "t2", "t3"], picture))
    await browser.offered.get()
    every.end()
    await browser.offered.get()
    await serving
    assert made == ["t1"]


@pytest.mark.parametrize(("path", "rounds"), [(b"tables/t7/rounds", 60), (b"tables/t7/rounds/t7-0", 1), (b"stream", 1)])
async def test_a_browser_that_takes_nothing_of_large_events_leaves_little_here(
    broker: Mosquitto, path: bytes, rounds: int
) -> None:
    """Sixty of them, at one round of which a table told 7 MB, were 870 MB, and eighty streams 640 MB."""
    event = '{"type":"round-settled","time":"","roundid":"t7-%d","id":"j:1:0","sequence":"%d","data":"%s"}'
    async with serving(page_settings(broker.port)) as served:
        for board in [each for each in gc.get_objects() if isinstance(each, Board)]:
            for number in range(60):
                board.take("t7", "event/round-settled", (event % (number % rounds, number, "x" * 60_000)).encode())
        reader, writer = await asyncio.open_connection("127.0.0.1", served.settings.port, limit=1)
        writer.write(b"GET /" + path + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
        async with asyncio.timeout(30):
            while not (held := _held_for_browsers()):  # noqa: ASYNC110  the library tells nobody of it
                await asyncio.sleep(0)
        assert held < 4 * streams.PIECE_BYTES
        whole = bytearray()
        while whole.count(b"round-settled") < 60:
            whole += await reader.read(1 << 16)
        writer.close()


def _held_for_browsers() -> int:
    """Return how many bytes this process has for connections that do not take them."""
    servers = [each for each in gc.get_objects() if isinstance(each, web.Server)]
    inside = [handler.transport for each in servers for handler in each.connections]
    return sum(each.get_write_buffer_size() for each in inside if isinstance(each, asyncio.WriteTransport))


def test_what_waits_is_written_in_pieces() -> None:
    large = [b"x" * 30_000] * 7
    found = list(streams.pieces(large))
    assert b"".join(found) == b"".join(large)
    assert max(map(len, found)) < streams.PIECE_BYTES + 30_000
    assert list(streams.pieces([])) == []


async def test_a_visitor_with_hundreds_of_addresses_shuts_out_nobody_who_is_logged_in() -> None:
    """From 450 addresses of one machine not a press of a dealer came through."""
    ended: list[str] = []
    room = Room("connections", lambda: frozenset({"dealer", "pit"}))
    places = [(holder, lambda holder=holder: ended.append(holder)) for holder in ("dealer", *map(str, range(9)))]
    assert room.make_room(places, "pit")
    assert len(ended) == 1
    assert ended[0].isdigit()
    assert not room.make_room(places, "stranger")
    many = [*places, *((("9", lambda: ended.append("9")),) * 2)]
    assert room.make_room(many, "stranger")
    assert ended[1:] == ["9"]
    at_home = [("dealer", lambda: ended.append("dealer"))] * 3
    assert room.make_room(at_home, "pit")
    assert ended[2:] == ["dealer"]


@pytest.mark.parametrize("newcomer", ["tablet", "player", "wall"])
async def test_one_who_is_logged_in_and_fills_the_page_is_a_stranger_again(newcomer: str) -> None:
    """A player's address held 449 of 450 places: no tablet came as far as the login, and the wall went dark."""
    ended: list[str] = []
    room = Room("connections", lambda: frozenset({"player"}))
    places = [(holder, lambda holder=holder: ended.append(holder)) for holder in (*["player"] * 449, "wall")]
    assert room.make_room(places, newcomer) is (newcomer != "player")
    assert ended == ["player"] * (newcomer != "player")
