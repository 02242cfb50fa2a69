"""The panel's small web server: one page, the picture of the table, its facts as they come, and a sign of life.

Theory of operation. A stream is a cursor in the journal, like the outbox: it writes the facts after its cursor
and then the picture, and waits until something is committed. So a slow browser holds up nobody, keeps nothing in
memory, and misses nothing; one that comes back says which fact it saw last, as every browser does by itself. A
stream that shows a browser more than it can have missed starts with the latest facts instead.

Everything shown is public already: the facts in their MQTT envelope, and the picture that is retained there.
There is nothing here that commands, and no password, so it listens where the configuration says, by default on
this machine alone, and answers only to names that belong to it: a page from elsewhere cannot borrow a browser
that may reach it.

A port that is taken is a technician's matter and never the table's: it is tried again, slowly.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
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
    "Free the port (ss -ltnp says who has it), or give [panel] a host and port that are free on this machine and "
    "restart feltd. Until then the port is tried again by itself; play does not need the panel."
)
SHUTDOWN_S_MAX: Final = 2.0
HEARTBEAT_S: Final = 15.0  # so that a browser that went away without a word is noticed, and no proxy grows impatient
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
    """As much of the journal as is shown."""

    def last_sequence(self) -> int:
        """The sequence of the latest fact."""

    def facts_after(self, sequence: int, limit: int) -> Sequence[JournaledFact]:
        """The next facts in order."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Where what is shown comes from, asked afresh every time. `topic` is the table's, which its facts name."""

    topic: str
    facts: Facts
    state: Callable[[], bytes]
    probe: Callable[[], Awaitable[object]]


class Panel:
    """One table's page. `run` it for ever, and `wake` it after every commit."""

    def __init__(self, host: str, port: int, sources: Sources) -> None:
        self._host = host
        self._port = port
        self._sources = sources
        self._streams: set[asyncio.Event] = set()
        self._closing = False

    @property
    def streams(self) -> int:
        """How many browsers listen."""
        return len(self._streams)

    def wake(self) -> None:
        """Something was committed."""
        for stirred in self._streams:
            stirred.set()

    async def run(self) -> Never:
        """Serve until cancelled; streams are then ended in good order."""
        told = False
        while True:
            try:
                async with self._listening():
                    _log.info("panel-listens", host=self._host, port=self._port)
                    await asyncio.Event().wait()
            except OSError as error:
                if not told:
                    where = {"host": self._host, "port": self._port}
                    _log.error("panel-cannot-listen", **where, reason=error, remedy=_REMEDY)
                told = True
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
            app.router.add_get(path, _serving((_PAGE / file).read_bytes(), kind))
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
        if not self._is_ours(request.url.host or ""):
            raise web.HTTPMisdirectedRequest(text="this table answers to its address or its configured name only\n")
        return await handler(request)

    def _is_ours(self, name: str) -> bool:
        """A name that somebody else made point here is not ours; an address cannot be made to."""
        return name in ("localhost", self._host) or _is_address(name)

    async def _state(self, _: web.Request) -> web.Response:
        return web.Response(body=self._sources.state(), content_type="application/json")

    async def _healthz(self, _: web.Request) -> web.Response:
        try:
            async with asyncio.timeout(PROBE_S_MAX):
                await self._sources.probe()
        except TimeoutError:
            return web.Response(status=503, text="the line stands still\n")
        return web.Response(text="the line moves\n")

    async def _events(self, request: web.Request) -> web.StreamResponse:
        if self.streams >= STREAMS_MAX:
            raise web.HTTPServiceUnavailable(text=f"at most {STREAMS_MAX} pages at a time\n")
        cursor = self._start(request.headers.get("Last-Event-ID", ""))
        response = web.StreamResponse(headers={hdrs.CONTENT_TYPE: "text/event-stream"})
        await response.prepare(request)
        with self._stream() as stirred:
            try:
                await self._write(response, stirred, cursor)
            except ConnectionResetError:
                return response  # the browser went away, as browsers do
        return response

    def _start(self, last_seen: str) -> int:
        latest = self._sources.facts.last_sequence()
        oldest = max(latest - FACTS_SHOWN, 0)
        if not _SEQUENCE.fullmatch(last_seen):
            return oldest
        seen = int(last_seen)
        return seen if latest - FACTS_MISSED_MAX <= seen <= latest else oldest

    @contextmanager
    def _stream(self) -> Iterator[asyncio.Event]:
        stirred = asyncio.Event()
        self._streams.add(stirred)
        try:
            yield stirred
        finally:
            self._streams.discard(stirred)

    async def _write(self, response: web.StreamResponse, stirred: asyncio.Event, cursor: int) -> None:
        while not self._closing:
            stirred.clear()
            for fact in self._sources.facts.facts_after(cursor, FACTS_A_READ):
                await response.write(_message("fact", envelope(self._sources.topic, fact), fact.sequence))
                cursor = fact.sequence
            if cursor < self._sources.facts.last_sequence():
                continue
            await response.write(_message("state", self._sources.state()))
            await _until(stirred, response)

    async def _end_streams(self, _: web.Application) -> None:
        """A stream never ends by itself, and the server waits for every answer before it stops."""
        self._closing = True
        self.wake()


async def _add_headers(_: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(_HEADERS)


async def _until(stirred: asyncio.Event, response: web.StreamResponse) -> None:
    while not stirred.is_set():
        try:
            async with asyncio.timeout(HEARTBEAT_S):
                await stirred.wait()
        except TimeoutError:
            await response.write(b":\n\n")


def _message(event: str, data: bytes, number: int | None = None) -> bytes:
    """One message of the stream (HTML Living Standard, 9.2); JSON has no line break of its own."""
    named = b"" if number is None else b"id: %d\n" % number
    return b"event: %b\n%bdata: %b\n\n" % (event.encode(), named, data)


def _serving(body: bytes, kind: str) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def serve(_: web.Request) -> web.Response:
        return web.Response(body=body, content_type=kind, charset="utf-8")

    return serve


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
