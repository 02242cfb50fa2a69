"""Who reaches the port of `feltd metrics` holds no scrape back, and no memory."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager

import pytest

from daemon.tools.metrics.families import Tables
from daemon.tools.metrics.page import _listening
from daemon.tools.metrics.places import CONNECTIONS_MAX, HEADER_FIELD_BYTES_MAX, HEADERS_MAX
from tests.sim_hardware.free_port import free_port

HOST = "127.0.0.1"
SOON_S = 60.0
IDLE = 500
REQUEST = b"GET /metrics HTTP/1.1\r\nHost: x\r\n"


@asynccontextmanager
async def page() -> AsyncIterator[int]:
    port = free_port()
    async with asyncio.timeout(SOON_S), _listening(Tables(lambda: None), HOST, port):
        yield port


async def answered(port: int, request: bytes) -> bytes:
    """Return all that comes until the server ends the connection."""
    reader, writer = await asyncio.open_connection(HOST, port)
    try:
        writer.write(request)
        return await reader.read()
    except ConnectionResetError:
        return b""
    finally:
        writer.close()


def open_ones() -> int:
    """Return how many connections this process has accepted: no end of ours is served by another."""
    loop = asyncio.get_running_loop()
    return len(loop._selector.get_map())  # type: ignore[attr-defined]


async def test_500_connections_that_say_nothing_hold_no_scrape_back_and_keep_no_place() -> None:
    async with page() as port:
        before = open_ones()
        with ExitStack() as callers:
            for number in range(IDLE):
                caller = callers.enter_context(socket.create_connection((HOST, port)))
                caller.sendall(REQUEST[: number % len(REQUEST)])  # also some that end within a header
                if number % 50 == 0:
                    assert (await answered(port, REQUEST + b"\r\n")).startswith(b"HTTP/1.1 200 ")
            answer = await answered(port, REQUEST + b"\r\n")
            assert open_ones() - before <= CONNECTIONS_MAX
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert answer.endswith(b"# EOF\n")
    assert b"feltd_broker_up 0.0" in answer


async def test_a_request_that_comes_a_byte_at_a_time_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("daemon.tools.metrics.places.CONNECTION_S_MAX", 0.2)
    async with page() as port:
        reader, writer = await asyncio.open_connection(HOST, port)
        ended = asyncio.create_task(reader.read())
        sent = 0
        while not ended.done():
            writer.write(b"a: b\r\n" if sent else REQUEST)
            sent += 1
            await asyncio.wait({ended}, timeout=0.01)
        assert ended.exception() is not None or ended.result() == b""
        assert sent > 1
        writer.close()


async def test_a_connection_serves_one_request() -> None:
    async with page() as port:
        answer = await answered(port, 2 * (REQUEST + b"\r\n"))
    assert answer.count(b"HTTP/1.1 200 ") == 1


@pytest.mark.parametrize(
    "header",
    [b"a: " + b"b" * 2 * HEADER_FIELD_BYTES_MAX, b"a: b\r\n" * (HEADERS_MAX + 1), b"a" * 1_000_000],
    ids=["one that is long", "many", "one without an end"],
)
async def test_a_header_beyond_all_measure_is_refused(header: bytes) -> None:
    async with page() as port:
        answer = await answered(port, REQUEST + header + b"\r\n\r\n")
    assert not answer or answer.startswith(b"HTTP/1.0 400 ")
