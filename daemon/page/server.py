"""The page's web server: files, one stream for each page, logins, and commands.

Theory of operation. Everybody who reaches the server may look: it shows what every reader of the broker sees. To act, a
person logs in (`users.py`). Their session is a cookie that no script can read and no other site's page can send.

Another site's page in the same browser could still try to post here. So a post must come from this server's own
address (`Origin`), be JSON, and the request must name this server (`Host`): anybody can have a name of their own point
to this machine (DNS rebinding). The pages load nothing from elsewhere, and a message of the table is never markup.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Annotated, Final, TypeVar

import msgspec
from aiohttp import hdrs, web

from daemon.bad_requests import quiet_logger
from daemon.config.document import InvalidConfigurationError
from daemon.config.page import PageSettings
from daemon.config.people import Person, Role, load_people
from daemon.errors import SetupError
from daemon.mqtt.topics import is_level
from daemon.page.answers import LoginRefusedError, PageCode
from daemon.page.bench import Benches
from daemon.page.board import Board, as_list
from daemon.page.earlier import Earlier
from daemon.page.files import PageFile, build_of, page_files
from daemon.page.reply import Press
from daemon.page.room import SEND_BUFFER_BYTES, Hall
from daemon.page.steps import Steps
from daemon.page.streams import BEAT_S, STREAMS_MAX, Streams, write
from daemon.page.users import SESSION_S_MAX, UNKNOWN, Logins, User
from drivers.addresses import is_ip_address

CONNECTIONS_MAX: Final = 400
REQUEST_BYTES_MAX: Final = 16_384
HEADER_FIELD_BYTES_MAX: Final = 4_096
HEADERS_MAX: Final = 64
IDLE_S_MAX: Final = 15.0  # also for a first request whose headers come slowly
BODY_S_MAX: Final = 5.0
SHUTDOWN_S_MAX: Final = 2.0
COOKIE: Final = "feltd-page"
SECURE_PREFIX: Final = (
    "__Host-"  # a browser takes such a cookie only over TLS, from this host itself (RFC 6265bis, 4.1.3)
)

_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "screen-wake-lock=(self)",
    "Referrer-Policy": "no-referrer",
    hdrs.SERVER: "feltd",
    "X-Content-Type-Options": "nosniff",
}
_SEE_PEOPLE: Final = (Role.DEALER, Role.SUPERVISOR, Role.TECHNICIAN)
_COMMAND: Final = re.compile(r"[a-z][a-z-]{0,31}")
BodyT = TypeVar("BodyT")
_Text64 = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class _Login(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    user: _Text64
    password: Annotated[str, msgspec.Meta(max_length=256)] = ""
    for_now: bool = False  # for a moment; the person who is logged in here waits meanwhile


class _Logout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    only_visit: bool = False  # give the screen back to who waits; where nobody does, who is logged in stays


class _Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    press_id: Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9-]{8,64}\Z")]
    round: _Text64 | None = None
    data: msgspec.Raw = msgspec.field(default_factory=lambda: msgspec.Raw(b"{}"))


class PageServer:
    """The routes, and the streams behind one of them."""

    def __init__(
        self,
        settings: PageSettings,
        board: Board,
        streams: Streams,
        logins: Logins,
        earlier: Earlier,
        benches: Benches,
    ) -> None:
        self._settings = settings
        self._board = board
        self._streams = streams
        self._logins = logins
        self._earlier = earlier
        self._benches = benches
        self._steps = Steps(settings.journals)
        self._cookie = COOKIE  # until it listens
        self._files = page_files()
        self._build = build_of(self._files)

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[int]:
        """Listen, and yield the port. Afterwards the streams are ended and the port is free."""
        runner = web.AppRunner(
            self._app(),
            access_log=None,
            logger=quiet_logger(),
            shutdown_timeout=SHUTDOWN_S_MAX,
            keepalive_timeout=IDLE_S_MAX,
            max_line_size=HEADER_FIELD_BYTES_MAX,
            max_field_size=HEADER_FIELD_BYTES_MAX,
            max_headers=HEADERS_MAX,
            auto_decompress=False,  # no page packs what it sends, and 200 kB can become 200 MB
        )
        await runner.setup()
        server = runner.server
        assert server is not None, "set up just now"
        settings = self._settings
        hall = Hall(server, CONNECTIONS_MAX, settings.tls_context(), self._logins.addresses)
        try:
            listener = await asyncio.get_running_loop().create_server(hall.meet, settings.host, settings.port)
        except OSError as error:
            await runner.cleanup()
            message = f"The page cannot listen on {settings.host}:{settings.port}: {error.strerror or error}."
            remedy = "Free the port (ss -ltnp shows which process has it), or choose another host and port."
            raise SetupError("page.cannot-listen", message, remedy) from error
        try:
            for each in listener.sockets:  # and so each connection that comes in there
                each.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
            port = listener.sockets[0].getsockname()[1]
            self._cookie = cookie_name(port, is_secure=settings.certificate is not None)
            yield port
        finally:
            listener.close()
            await hall.close()
            self._streams.end()
            await runner.cleanup()

    def _app(self) -> web.Application:
        app = web.Application(middlewares=[self._guard], client_max_size=REQUEST_BYTES_MAX)
        for path, file in self._files.items():
            app.router.add_get(path, _file_handler(file))
        app.router.add_get("/stream", self._stream, allow_head=False)  # a stream is all body
        app.router.add_get("/healthz", self._healthz)
        app.router.add_get("/people", self._people)
        app.router.add_get("/tables/{table}/rounds", self._rounds, allow_head=False)
        app.router.add_get("/tables/{table}/rounds/{round}", self._round, allow_head=False)
        app.router.add_get("/tables/{table}/rounds/{round}/steps", self._steps_of_round)
        app.router.add_post("/login", self._log_in)
        app.router.add_post("/logout", self._log_out)
        app.router.add_post("/tables/{table}/cmd/{command}", self._command)
        app.router.add_post("/bench/{table}/do/{word}", self._bench_word)
        app.on_response_prepare.append(_add_headers)
        return app

    @web.middleware
    async def _guard(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        name = _host_of(request)
        if name not in ("localhost", *self._settings.names) and not is_ip_address(name):
            raise web.HTTPMisdirectedRequest(text="This server answers only to its address and its configured names.\n")
        if request.method == hdrs.METH_POST:
            scheme = "http" if self._settings.certificate is None else "https"
            if request.headers.get(hdrs.ORIGIN) != f"{scheme}://{request.host}":
                raise web.HTTPForbidden(text="Only this server's own page may post here.\n")
            if request.content_type != "application/json":
                raise web.HTTPUnsupportedMediaType(text="Post JSON.\n")
        return await handler(request)

    def _user(self, request: web.Request) -> User | None:
        return self._logins.user(request.cookies.get(self._cookie))

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        address = request.remote or ""
        if not self._streams.has_room(address, STREAMS_MAX):
            raise web.HTTPServiceUnavailable(text=f"At most {STREAMS_MAX} pages can be open at a time.\n")
        named = filter(None, request.query.get("tables", "").split(","))
        tables = frozenset(name for name in named if is_level(name))
        user = self._user(request)
        hello = {
            "build": self._build,
            "beat_s": BEAT_S,
            "site": self._settings.site,
            "user": None if user is None else user.name,
            "waits": self._logins.who_waits(request.cookies.get(self._cookie)),
            "visit_s": self._logins.visit_s(request.cookies.get(self._cookie)),
            "person": self._person(user),
            "trial_users": self._logins.trial_users,
            "bench": self._benches.shown,
        }
        headers = {hdrs.CONTENT_TYPE: "text/event-stream", hdrs.CACHE_CONTROL: "no-store"}
        response = web.StreamResponse(headers=headers)
        await response.prepare(request)
        shown = [name for name in self._board.names if not tables or name in tables]
        await self._streams.serve(response, address, tables, msgspec.json.encode(hello), shown, self._board.snapshot)
        return response

    async def _rounds(self, request: web.Request) -> web.StreamResponse:
        await self._earlier.fetch(request.match_info["table"])
        return await _listed(request, map(msgspec.json.encode, self._board.rounds(request.match_info["table"])))

    async def _round(self, request: web.Request) -> web.StreamResponse:
        await self._earlier.fetch(request.match_info["table"])
        events = self._board.round(request.match_info["table"], request.match_info["round"])
        if events is None:
            raise web.HTTPNotFound(text="This round is not kept here. The journal has it: feltd journal show.\n")
        return await _listed(request, events)

    async def _steps_of_round(self, request: web.Request) -> web.Response:
        """Answer the table at every step, or nothing where no journal is beside this server: then events have to do."""
        table, round_id = request.match_info["table"], request.match_info["round"]
        steps = None if self._board.round(table, round_id) is None else await self._steps.of(table, round_id)
        if steps is None:
            return web.Response(status=204)
        response = _json(steps)
        response.headers[hdrs.CONTENT_ENCODING] = "gzip"  # every browser takes it
        return response

    async def _people(self, request: web.Request) -> web.Response:
        """Answer who may do what, as the site's file has it, to those in it who work at the same tables."""
        user = self._user(request)
        if user is None:
            return _json(_refusal("log-in", "Log in first."), status=401)
        try:
            people = self._everybody()
        except InvalidConfigurationError as error:
            raise web.HTTPServiceUnavailable(text=f"{error.message}\n") from None
        own = people.get(user.name)
        rows = [
            {"user": name, "role": person.role.value, "tables": person.tables, "seats": person.seats}
            for name, person in people.items()
            if own is not None and own.role in _SEE_PEOPLE and own.shares_a_table_with(person)
        ]
        return _json(msgspec.json.encode(rows))

    def _everybody(self) -> Mapping[str, Person]:
        file = self._settings.people_file
        return {} if file is None else load_people(file).people

    def _person(self, user: User | None) -> dict[str, object] | None:
        """Return what the site's file says of this user, so that the page offers what they may do.

        Without a file, or with one that has a problem, nobody knows: then the table alone refuses.
        """
        if self._settings.people_file is None:
            return None
        try:
            own = None if user is None else self._everybody().get(user.name)
        except InvalidConfigurationError:
            return None
        return {"role": None, "tables": ()} if own is None else {"role": own.role.value, "tables": own.tables}

    async def _healthz(self, _: web.Request) -> web.Response:
        if not self._streams.hears_broker:
            return web.Response(status=503, text="The broker cannot be reached. The page tries again by itself.\n")
        return web.Response(text="The page hears the broker.\n")

    async def _log_in(self, request: web.Request) -> web.Response:
        login = await _body(request, _Login)
        if not is_level(login.user):
            return _json(_refusal("refused", UNKNOWN), status=401)
        before = request.cookies.get(self._cookie)
        over = (before or "") if login.for_now else None
        try:
            token = await self._logins.log_in(login.user, login.password, request.remote or "", over)
        except LoginRefusedError as error:
            return _json(_refusal(error.code, error.message), status=401)
        if before is not None and not login.for_now:
            await self._logins.log_out_all(before)
        response = _json(msgspec.json.encode({"user": login.user}))
        secure = self._settings.certificate is not None
        response.set_cookie(
            self._cookie, token, max_age=int(SESSION_S_MAX), path="/", httponly=True, samesite="Strict", secure=secure
        )
        return response

    async def _log_out(self, request: web.Request) -> web.Response:
        """End the session. Who waited beneath is logged in again; if nobody did, the cookie goes too."""
        token = request.cookies.get(self._cookie, "")
        logout = await _body(request, _Logout)
        if not logout.only_visit or self._logins.visit_s(token):
            await self._logins.log_out(token)
        response = _json(b"{}")
        if self._logins.user(token) is not None:
            return response
        secure = self._settings.certificate is not None
        response.del_cookie(self._cookie, path="/", httponly=True, samesite="Strict", secure=secure)
        return response

    async def _command(self, request: web.Request) -> web.Response:
        user = self._user(request)
        if user is None:
            return _json(_refusal("log-in", "Log in first."), status=401)
        table, name = request.match_info["table"], request.match_info["command"]
        # A table of which nobody heard: the page would subscribe to its answers, and to as many as a person invents.
        if table not in self._board.names or _COMMAND.fullmatch(name) is None:
            raise web.HTTPNotFound
        asked = await _body(request, _Command)
        answer = await user.press(Press(table, name, asked.press_id, asked.round, asked.data))
        if answer.accepted:
            await self._logins.has_done(request.cookies.get(self._cookie), name)
        return _json(msgspec.json.encode(answer))

    async def _bench_word(self, request: web.Request) -> web.Response:
        """Say a word to a bench, over the user's own connection. A site has none to say it to."""
        user = self._user(request)
        if user is None:
            return _json(_refusal("log-in", "Log in first."), status=401)
        table, word = request.match_info["table"], request.match_info["word"]
        if table not in self._benches.shown or _COMMAND.fullmatch(word) is None:
            raise web.HTTPNotFound
        said = await _body(request, dict[str, msgspec.Raw])
        answer = await user.say(self._benches.word_topic(table, word), msgspec.json.encode(said))
        return _json(msgspec.json.encode(answer))


def cookie_name(port: int, *, is_secure: bool) -> str:
    """Return what a server's cookie is called. Browsers do not tell the ports of a host apart, so its name does."""
    return f"{SECURE_PREFIX if is_secure else ''}{COOKIE}-{port}"


async def _body(request: web.Request, kind: type[BodyT]) -> BodyT:
    try:
        async with asyncio.timeout(BODY_S_MAX):
            return msgspec.json.decode(await request.read(), type=kind)
    except TimeoutError:
        raise web.HTTPRequestTimeout(text="The request came too slowly.\n") from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise web.HTTPBadRequest(text=f"{error}\n") from None


async def _listed(request: web.Request, documents: Iterable[bytes]) -> web.StreamResponse:
    """Answer a JSON list of these documents. Whole, it would lie here once for each browser that takes nothing."""
    response = web.StreamResponse(headers={hdrs.CONTENT_TYPE: "application/json", hdrs.CACHE_CONTROL: "no-store"})
    await response.prepare(request)
    try:
        await write(response, as_list(documents))
    except (ConnectionResetError, TimeoutError):
        if request.transport is not None:
            request.transport.abort()
    return response


def _refusal(code: PageCode, message: str) -> bytes:
    return msgspec.json.encode({"accepted": False, "code": code, "message": message})


def _json(body: bytes, status: int = 200) -> web.Response:
    headers = {hdrs.CACHE_CONTROL: "no-store"}
    return web.Response(body=body, status=status, content_type="application/json", headers=headers)


async def _add_headers(_: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(_HEADERS)
    response.headers.setdefault(hdrs.CACHE_CONTROL, "no-store")


def _file_handler(file: PageFile) -> Callable[[web.Request], Awaitable[web.Response]]:
    headers = {hdrs.CACHE_CONTROL: "no-cache", hdrs.ETAG: file.etag, hdrs.VARY: hdrs.ACCEPT_ENCODING}
    packed = {**headers, hdrs.CONTENT_ENCODING: "gzip"}

    async def serve(request: web.Request) -> web.Response:
        if request.headers.get(hdrs.IF_NONE_MATCH) == file.etag:
            return web.Response(status=304, headers=headers)
        if "gzip" in request.headers.get(hdrs.ACCEPT_ENCODING, ""):
            return web.Response(body=file.packed, content_type=file.kind, charset="utf-8", headers=packed)
        return web.Response(body=file.body, content_type=file.kind, charset="utf-8", headers=headers)

    return serve


def _host_of(request: web.Request) -> str:
    """Return the name by which this server is asked, or nothing where no address can be read from the request."""
    try:
        return request.url.host or ""
    except ValueError:  # anybody could fill the log with its traceback
        return ""
