"""The panel's web server: one page, the picture of the table, a stream of its facts, and a health check.

Theory of operation. A stream is a cursor in the journal, like the outbox. It writes the facts after its cursor and
then the picture, and waits for the next commit. So a slow browser delays nobody, needs no memory here, and misses
no fact. A browser that reconnects sends the last sequence that it saw (`Last-Event-ID`), and its stream goes on
there. If that is too long ago, the stream begins with the latest facts.

The panel shows what is public on MQTT as well: the facts in their envelope, and the retained state. It takes no
commands and has no password. So it listens on this machine only, unless the configuration says otherwise. It
answers only requests for its own names: a page of another site cannot read it through the browser of a person who
can reach it.

If the port is taken, the panel tries again every few seconds and the table plays without it.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Final, Never, Protocol

import structlog
from aiohttp import hdrs, web

from daemon.journal.reading import JournaledFact
from daemon.mqtt.envelope import envelope

PROBE_S_MAX: Final = 2.0
BIND_AGAIN_S: Final = 5.0
_REMEDY: Final = (
    "Free the port (ss -ltnp shows which process has it), or give [panel] a free host and port and restart feltd. "
    "The table plays without the panel, and feltd tries the port again by itself."
)
SHUTDOWN_S_MAX: Final = 2.0
HEARTBEAT_S: Final = 15.0  # notices a browser that went away silently, and keeps a proxy from closing the stream
STREAMS_MAX: Final = 16
FACTS_SHOWN: Final = 50
FACTS_MISSED_MAX: Final = 1000
FACTS_A_READ: Final = 100

_PAGE: Final = Path(__file__).parent / "page"
_FILES: Final = {
    "/": ("index.html", "text/html"),
    "/panel.css": ("panel.css", "text/css"),
    "/panel.js": ("panel.js", "text/javascript"),
}
_HEADERS: Final = {
    hdrs.CACHE_CONTROL: "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    hdrs.SERVER: "feltd",
    "X-Content-Type-Options": "nosniff",
}
_SEQUENCE: Final = re.compile(r"[0-9]{1,18}")
_log = structlog.get_logger(__name__)


class Facts(Protocol):
    """The journal, as the panel uses it."""

    def last_sequence(self) -> int:
        """Return the sequence of the newest fact, 0 if there is none."""

    def facts_after(self, sequence: int, limit: int) -> Sequence[JournaledFact]:
        """Return the next facts after this one, at most `limit`."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the panel reads what it shows. `topic` is the table's base topic, the `source` of its events."""

    topic: str
    facts: Facts
    state: Callable[[], bytes]
    probe: Callable[[], Awaitable[object]]


class Panel:
    """One table's page. Start `run` once, and call `wake` after every commit."""

    def __init__(self, host: str, port: int, sources: Sources) -> None:
        self._host = host
        self._port = port
        self._sources = sources
        self._streams: set[asyncio.Event] = set()
        self._closing = False

    @property
    def streams(self) -> int:
        """The number of browsers with an open stream."""
        return len(self._streams)

    def wake(self) -> None:
        """Have every stream write what was committed."""
        for woken in self._streams:
            woken.set()

    async def run(self) -> Never:
        """Serve until cancelled, and then end the streams."""
        is_logged = False
        while True:
            try:
                async with self._listening():
                    _log.info("panel-listens", host=self._host, port=self._port)
                    await asyncio.Event().wait()
            except OSError as error:
                if not is_logged:
                    where = {"host": self._host, "port": self._port}
                    _log.error("panel-cannot-listen", **where, reason=error, remedy=_REMEDY)
                is_logged = True
                await asyncio.sleep(BIND_AGAIN_S)

    @asynccontextmanager
    async def _listening(self) -> AsyncIterator[None]:
        self._closing = False
        runner = web.AppRunner(self._app(), access_log=None, shutdown_timeout=SHUTDOWN_S_MAX)
        await runner.setup()
        try:
            await web.TCPSite(runner, self._host, self._port).start()
            yield
        finally:
            await runner.cleanup()

    def _app(self) -> web.Application:
        app = web.Application(middlewares=[self._guard])
        for path, (file, kind) in _FILES.items():
            app.router.add_get(path, _file_handler((_PAGE / file).read_bytes(), kind))
        app.router.add_get("/state", self._state)
        app.router.add_get("/events", self._events)
        app.router.add_get("/healthz", self._healthz)
        app.on_response_prepare.append(_add_headers)
        app.on_shutdown.append(self._end_streams)
        return app

    @web.middleware
    async def _guard(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        name = request.url.host or ""
        # Anybody can have a name of their own point to this machine (DNS rebinding). An address cannot be forged so.
        if name not in ("localhost", self._host) and not _is_address(name):
            text = "This panel answers only to its address and its configured name.\n"
            raise web.HTTPMisdirectedRequest(text=text)
        return await handler(request)

    async def _state(self, _: web.Request) -> web.Response:
        return web.Response(body=self._sources.state(), content_type="application/json")

    async def _healthz(self, _: web.Request) -> web.Response:
        try:
            async with asyncio.timeout(PROBE_S_MAX):
                await self._sources.probe()
        except TimeoutError:
            return web.Response(status=503, text="The table's queue stands still.\n")
        return web.Response(text="The table's queue moves.\n")

    async def _events(self, request: web.Request) -> web.StreamResponse:
        if self.streams >= STREAMS_MAX:
            raise web.HTTPServiceUnavailable(text=f"At most {STREAMS_MAX} pages can be open at a time.\n")
        cursor = self._first_cursor(request.headers.get("Last-Event-ID", ""))
        response = web.StreamResponse(headers={hdrs.CONTENT_TYPE: "text/event-stream"})
        await response.prepare(request)
        woken = asyncio.Event()
        self._streams.add(woken)
        try:
            await self._write_stream(response, woken, cursor)
        except ConnectionResetError:
            pass  # the browser closed the page
        finally:
            self._streams.discard(woken)
        return response

    def _first_cursor(self, last_seen: str) -> int:
        latest = self._sources.facts.last_sequence()
        oldest = max(latest - FACTS_SHOWN, 0)
        if not _SEQUENCE.fullmatch(last_seen):
            return oldest
        seen = int(last_seen)
        return seen if latest - FACTS_MISSED_MAX <= seen <= latest else oldest

    async def _write_stream(self, response: web.StreamResponse, woken: asyncio.Event, cursor: int) -> None:
        while not self._closing:
            woken.clear()
            for fact in self._sources.facts.facts_after(cursor, FACTS_A_READ):
                await response.write(_message("fact", envelope(self._sources.topic, fact), fact.sequence))
                cursor = fact.sequence
            if cursor < self._sources.facts.last_sequence():
                continue
            await response.write(_message("state", self._sources.state()))
            while not woken.is_set():
                try:
                    async with asyncio.timeout(HEARTBEAT_S):
                        await woken.wait()
                except TimeoutError:
                    await response.write(b":\n\n")  # a comment: it raises if the browser is gone

    async def _end_streams(self, _: web.Application) -> None:
        """End all streams: the server waits for open answers before it stops, and a stream has no end."""
        self._closing = True
        self.wake()


async def _add_headers(_: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(_HEADERS)


def _message(event: str, data: bytes, number: int | None = None) -> bytes:
    """Return one message of the stream (HTML Living Standard, 9.2). Our JSON contains no line break."""
    named = b"" if number is None else b"id: %d\n" % number
    return b"event: %b\n%bdata: %b\n\n" % (event.encode(), named, data)


def _file_handler(body: bytes, kind: str) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def serve(_: web.Request) -> web.Response:
        return web.Response(body=body, content_type=kind, charset="utf-8")

    return serve


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
