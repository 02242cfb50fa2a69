"""What systemd hears, over the sockets that it really uses."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest
import structlog
from structlog.typing import EventDict

from daemon.watchdog import Notifier, deadline_ns, notifier, watch

FOREVER_S = 60.0


@pytest.fixture(autouse=True)
def _logging_as_it_was() -> Iterator[None]:
    yield
    structlog.reset_defaults()


@contextmanager
def manager_socket(address: str) -> Iterator[socket.socket]:
    """The service manager's end."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as server:
        server.bind("\0" + address[1:] if address.startswith("@") else address)
        server.settimeout(FOREVER_S)
        yield server


@pytest.fixture(params=["path", "abstract"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return f"@feltd-test-{uuid4()}" if request.param == "abstract" else str(tmp_path / "notify")


def test_ready_status_alive_and_stopping_arrive_as_systemd_words_them(address: str) -> None:
    with manager_socket(address) as server:
        manager = notifier({"NOTIFY_SOCKET": address})
        manager.ready("table 7 waits for bets")
        manager.status("round 12: dealing")
        manager.alive()
        manager.stopping("asked to")
        heard = [server.recv(4096) for _ in range(4)]
    assert heard == [
        b"READY=1\nSTATUS=table 7 waits for bets",
        b"STATUS=round 12: dealing",
        b"WATCHDOG=1",
        b"STOPPING=1\nSTATUS=asked to",
    ]


def test_a_start_that_takes_long_asks_for_more_time(address: str) -> None:
    with manager_socket(address) as server:
        Notifier(address).extend_start()
        assert server.recv(4096) == b"EXTEND_TIMEOUT_USEC=30000000"


def test_a_status_cannot_smuggle_in_another_assignment(address: str) -> None:
    with manager_socket(address) as server:
        Notifier(address).status("well\nWATCHDOG=1")
        assert server.recv(4096) == b"STATUS=well WATCHDOG=1"


def test_without_a_manager_nothing_is_said_and_nothing_breaks() -> None:
    notifier({}).ready("alone")


def test_a_manager_that_went_away_does_not_stop_the_table(address: str) -> None:
    Notifier(address).alive()


def test_a_manager_that_does_not_read_does_not_hold_the_table_up(address: str) -> None:
    with manager_socket(address) as server:
        manager = Notifier(address)
        for _ in range(5000):  # far more than the kernel keeps for one socket
            manager.alive()
        server.setblocking(False)
        assert server.recv(4096) == b"WATCHDOG=1"


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "30000000"}, 30_000_000_000),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "42"}, 30_000_000_000),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "43"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
    ],
)
def test_the_deadline_is_the_managers_and_only_for_this_process(environ: dict[str, str], expected: int | None) -> None:
    assert deadline_ns(environ, pid=42) == expected


async def test_each_probe_that_comes_back_feeds_the_watchdog_once(address: str) -> None:
    beats = asyncio.Queue[None]()
    with manager_socket(address) as server:
        server.setblocking(False)
        watching = asyncio.create_task(watch(Notifier(address), beats.get, deadline_ns=1_000_000))
        loop = asyncio.get_running_loop()
        for _ in range(3):
            beats.put_nowait(None)
            assert await loop.sock_recv(server, 4096) == b"WATCHDOG=1"
        await stopped(watching)
        with pytest.raises(BlockingIOError):
            server.recv(4096)


async def test_a_line_that_stands_still_feeds_nothing_and_says_so(address: str) -> None:
    warned = asyncio.Event()
    lines: list[EventDict] = []

    def remember(_: object, __: str, line: EventDict) -> EventDict:
        lines.append(line)
        warned.set()
        raise structlog.DropEvent

    structlog.configure(processors=[structlog.processors.add_log_level, remember])
    with manager_socket(address) as server:
        watching = asyncio.create_task(watch(Notifier(address), asyncio.Event().wait, deadline_ns=2_000_000))
        await warned.wait()
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.recv(4096)
        await stopped(watching)
    assert [(line["event"], line["level"]) for line in lines] == [("line-stands-still", "error")]


async def test_a_beat_that_fails_ends_the_watch() -> None:
    async def broken() -> None:
        raise ConnectionError

    with pytest.raises(ConnectionError):
        await watch(Notifier(), broken, deadline_ns=1_000_000)


async def test_without_a_deadline_nobody_asks_for_a_beat() -> None:
    async def unwanted() -> None:
        pytest.fail("nobody watches")

    await watch(Notifier(), unwanted, deadline_ns=None)


async def stopped(task: asyncio.Task[None]) -> None:
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
