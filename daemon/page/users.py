"""People who are logged in, each over one connection to the broker of their own.

Theory of operation. The broker decides who somebody is: a login is a connection with that name and password. A command
goes over this connection to `cmd/<user>/<name>`, so the table sees the person, and this server cannot speak for
anybody else. The password stays in memory as long as the session, to connect again, and is written nowhere.

A broker that checks no passwords lets everybody in under every name. So a login is taken only after the broker has
refused a name and password of chance. At a broker that lets them in, only the users of a trial may log in.

Who works at two screens has two sessions and one connection: at a broker that takes the user's name for the client's
id, two would go on ending each other. Each login connects anew, because only the broker can check a password; the new
connection then serves the older sessions too. Sessions of another password end: somebody has changed it.

A supervisor who rules at a dealer's tablet logs in over the dealer for a moment. The dealer's session waits beneath.
The browser's token means it again when the supervisor's session is over: at once after a ruling, half a minute after
anything else that was taken but an entry of cards, at the latest after ten minutes. The server sees to that: a tablet
that is cut off at the ruling would keep the supervisor's name for the next round.

A press has an id from its browser, which is the command's id at the table. The same press again waits for the same
answer, so a press is done once, however often a browser sends it. In a flood a broker can drop a command, so one that
is not answered goes out again, under its id. After the user's next press it does not: the table would take it last.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections import Counter, OrderedDict
from dataclasses import field, replace
from datetime import UTC, datetime, timedelta
from typing import Final

import aiomqtt
import msgspec
import structlog

from daemon.errors import OutageError, SetupError
from daemon.mqtt.client import Connection, connected
from daemon.mqtt.delivery import BrokerRefusesError, Lost, Refused
from daemon.mqtt.settings import MqttSettings
from daemon.mqtt.topics import Topics, table_of
from daemon.page.answers import BROKER_AWAY, BROKER_LOST, NO_ANSWER, Answer, LoginRefusedError, by_the_page
from daemon.page.failures import Failures
from daemon.page.named import Named
from daemon.page.reply import Press, read_reply
from daemon.page.watching import BACKOFF_S_MAX, BACKOFF_S_MIN, client_id, ended
from drivers.backoff import Backoff
from protocols.frozen import dataclass

SESSION_S_MAX: Final = 12 * 3_600.0
VISIT_S_MAX: Final = 600.0
VISIT_LEFT_S: Final = 30.0  # for the second of two alerts
ENDS_A_VISIT: Final = frozenset({"rule", "void-round"})
SESSIONS_MAX: Final = 200
ANSWER_S_MAX: Final = 8.0
AGAIN_S: Final = 3.0  # longer than a table waits in a flood; `press.js` says it at the same time
CONNECT_S_MAX: Final = 10.0
UNKNOWN: Final = "The broker does not know this name and password."
VALID: Final = timedelta(seconds=10)
PRESSES_KEPT: Final = 100
SESSIONS_OF_A_USER_MAX: Final = 8
LOGINS_AT_ONCE_MAX: Final = 16
LOGINS_OF_AN_ADDRESS_MAX: Final = 4

_log = structlog.get_logger(__name__)


class User:
    """One person who is logged in. Start `run` once."""

    def __init__(self, name: str, settings: MqttSettings, site: str) -> None:
        self.name = name
        self._settings = settings
        self._site = site
        self._connection: Connection | None = None
        self._heard: set[str] = set()  # tables whose answers are subscribed to on this connection
        self._waiting: dict[tuple[str, str], asyncio.Future[Answer]] = {}
        self._presses: OrderedDict[tuple[str, str], asyncio.Task[Answer]] = OrderedDict()
        self._last: dict[str, str] = {}  # the id of the last press, by table

    async def run(self, logged_in: asyncio.Future[None]) -> None:
        """Keep connected until cancelled. The first connection resolves `logged_in`, with its error if it fails.

        A broker that lets this name and password in no longer ends it: somebody has changed the one or taken the other.
        """
        backoff = Backoff(BACKOFF_S_MIN, BACKOFF_S_MAX, jitter=random.random)
        while True:
            try:
                async with connected(self._settings, client_id(self.name)) as connection:
                    self._heard.clear()
                    self._connection, since_s = connection, _now_s()
                    if not logged_in.done():
                        logged_in.set_result(None)
                    try:
                        await self._listen(connection)
                    finally:
                        if _now_s() - since_s > BACKOFF_S_MAX:  # else another program may have this name, and would be
                            backoff.reset()  # thrown out as quickly again
            except (OutageError, SetupError, aiomqtt.MqttError) as error:
                if not logged_in.done():
                    logged_in.set_exception(error)
                elif isinstance(error, BrokerRefusesError):
                    return
            finally:
                self._connection = None
            await asyncio.sleep(backoff.next_s())

    async def press(self, press: Press) -> Answer:
        """Send the command and return its answer. The same press again is the same command."""
        key = (press.table, press.id)
        if key not in self._presses:
            self._presses[key] = asyncio.create_task(self._send(press))
            while len(self._presses) > PRESSES_KEPT:
                self._presses.popitem(last=False)
        return await asyncio.shield(self._presses[key])

    async def say(self, topic: str, payload: bytes) -> Answer:
        """Publish something that nobody answers, and return whether the broker has it."""
        connection = self._connection
        if connection is None:
            return BROKER_AWAY
        sent = await connection.post(topic, payload)
        if isinstance(sent, Lost):
            return BROKER_LOST
        return Answer(accepted=not isinstance(sent, Refused), code="said", message="")

    async def _send(self, press: Press) -> Answer:
        connection = self._connection
        if connection is None:
            return BROKER_AWAY
        topics = Topics(self._site, press.table)
        expires = (datetime.now(UTC) + VALID).isoformat()
        payload = msgspec.json.encode({"id": press.id, "expires": expires, "round": press.round, "data": press.data})
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[press.table, press.id] = answer
        try:
            async with asyncio.timeout(ANSWER_S_MAX):
                if press.table not in self._heard:
                    await connection.listen(topics.reply(self.name))
                    self._heard.add(press.table)
                self._last[press.table] = press.id
                while not answer.done() and self._last[press.table] == press.id:
                    sent = await connection.post(topics.command(self.name, press.name), payload)
                    if isinstance(sent, Refused):
                        message = f"{self.name} may not do this here: the broker says {sent.reason}."
                        return by_the_page(False, "broker-refused", message)
                    if isinstance(sent, Lost):
                        return BROKER_LOST
                    await asyncio.wait({answer}, timeout=AGAIN_S)
                return await answer
        except TimeoutError:
            return NO_ANSWER
        except SetupError as error:
            return Answer(accepted=False, code=error.code, message=error.message)
        except OutageError:
            return BROKER_LOST
        finally:
            del self._waiting[press.table, press.id]

    async def _listen(self, connection: Connection) -> None:
        async for message in connection.messages:
            reply = read_reply(bytes(message.payload))
            table = table_of(str(message.topic))
            future = self._waiting.get((table, reply.id)) if reply is not None and reply.id else None
            if reply is not None and future is not None and not future.done():
                future.set_result(Answer(reply.accepted, reply.code, reply.message, reply.said))
            connection.acknowledge(message)


@dataclass(frozen=True, slots=True)
class Present:
    """A person whose connection is kept."""

    user: User
    password: str | None
    running: asyncio.Task[None]


@dataclass(slots=True)
class Session:
    """One browser's login. A later login of the same person puts its own connection here."""

    who: Present
    ends_s: float
    address: str  # from which they logged in
    is_visit: bool = False  # for a moment, at somebody else's screen
    beneath: str | None = None  # the token of the session that waits until this one is over, if anybody does


@dataclass(slots=True)
class Logins:
    """Who is logged in, by the token in their browser's cookie."""

    settings: MqttSettings
    site: str
    trial_users: tuple[str, ...]
    failures: Failures = field(default_factory=Failures)
    named: Named = field(default_factory=Named)
    _sessions: dict[str, Session] = field(default_factory=dict)
    _trying: Counter[str] = field(default_factory=Counter)  # by address

    def user(self, token: str | None) -> User | None:
        """Return who has this token."""
        session = self._sessions.get(token or "")
        if session is None:
            return None
        if _is_over(session):
            self._end(token or "")
            return self.user(token)  # of who waited beneath
        return session.who.user

    def who_waits(self, token: str | None) -> str | None:
        """Return whose session waits beneath the one of this token."""
        session = self._sessions.get(token or "")
        beneath = None if session is None else self.user(session.beneath)
        return None if beneath is None else beneath.name

    def visit_s(self, token: str | None) -> float:
        """Return how long the user of this token is here still if they came for a moment, or else 0."""
        session = self._sessions.get(token or "") if self.user(token) is not None else None
        return session.ends_s - _now_s() if session is not None and session.is_visit else 0.0

    async def has_done(self, token: str | None, command: str) -> None:
        """Let a visitor of whom a command was taken go, soon or at once: they came for it alone."""
        if (session := self._sessions.get(token or "")) is None or not session.is_visit:
            return
        if command in ENDS_A_VISIT:
            await self.log_out(token or "")
        elif command != "enter-cards":  # a ruling needs several
            session.ends_s = min(session.ends_s, _now_s() + VISIT_LEFT_S)

    def addresses(self) -> frozenset[str]:
        """Return where people have logged in from, and not out since."""
        return frozenset(session.address for session in self._sessions.values())

    async def log_in(self, name: str, password: str, address: str, over: str | None = None) -> str:
        """Connect as this user and return the session's token, or raise LoginRefusedError.

        `over` is for who comes for a moment: the token of somebody else's session, which waits meanwhile, or "".
        """
        self._refuse_too_many(name, address)
        self._trying[address] += 1  # each is two connections to the broker: a flood of logins must not become one there
        try:
            token = await self._log_in(name, password, address)
            await self._put_over(token, over)
            return token
        finally:
            self._trying[address] -= 1
            if not self._trying[address]:
                del self._trying[address]

    async def _log_in(self, name: str, password: str, address: str) -> str:
        if name in self.trial_users:
            secret = None
        elif not self.named.may_log_in(name):
            raise self._not_a_person(name, address)
        elif await self._lets_everybody_in():
            message = "This broker checks no passwords, so nobody can be told apart. The page takes no logins."
            raise LoginRefusedError("open-broker", message)
        else:
            secret = password
        who = await self._connected(name, secret, address)
        await self._take_over(who)
        own = [token for token, session in self._sessions.items() if session.who is who]
        if len(own) >= SESSIONS_OF_A_USER_MAX:
            await self.log_out(own[0])  # the oldest
        token = secrets.token_urlsafe(32)
        self._sessions[token] = Session(who, _now_s() + SESSION_S_MAX, address)
        _log.info("logged-in", user=name)
        return token

    def _not_a_person(self, name: str, address: str) -> LoginRefusedError:
        """Return why the file of people keeps this user out. A stranger hears no more than of a wrong password."""
        self.failures.add(name, address)
        _log.warning("login-not-named", user=name)
        if self.named.gives_no_commands(name):
            message = "The site's file of people names this user as a table, a screen or a program. Log in as a person."
            return LoginRefusedError("not-a-person", message)
        return LoginRefusedError("refused", UNKNOWN)

    async def _connected(self, name: str, secret: str | None, address: str) -> Present:
        settings = _of_a_person(self.settings, name, secret)
        user, logged_in = User(name, settings, self.site), asyncio.get_running_loop().create_future()
        running = asyncio.create_task(user.run(logged_in))
        try:
            async with asyncio.timeout(CONNECT_S_MAX):
                await logged_in
        except BrokerRefusesError:
            await ended(running)
            self.failures.add(name, address)
            raise LoginRefusedError("refused", UNKNOWN) from None
        except (OutageError, SetupError, TimeoutError):
            await ended(running)
            raise LoginRefusedError("broker-away", "The broker cannot be reached. Try again.") from None
        return Present(user, secret, running)

    async def _take_over(self, who: Present) -> None:
        """Put the person's sessions on this connection, and end the one that they had."""
        before = {token: session for token, session in self._sessions.items() if session.who.user.name == who.user.name}
        for token, session in before.items():
            if session.who.password == who.password:
                replaced, session.who = session.who, who
                await ended(replaced.running)
            else:
                await self.log_out(token)

    async def _put_over(self, token: str, over: str | None) -> None:
        """Let the session beneath wait. Of several visitors only the last is over the one who was there first."""
        session, below, waits = self._sessions[token], self._sessions.get(over or ""), over
        if over is None:
            return
        was_here = below is not None and below.who is session.who and not below.is_visit
        if below is not None and (below.is_visit or was_here):
            waits, below.beneath = below.beneath, None
            await self.log_out(over)
        waiting = self._sessions.get(waits or "")
        if was_here or (waiting is not None and waiting.who is session.who):
            return
        # A key touched twice logs in twice. Only one may lie over who waits: its end would take them along.
        for other, twin in tuple(self._sessions.items()):
            if waiting is not None and twin.beneath == waits:
                twin.beneath = None
                await self.log_out(other)
        session.is_visit, session.ends_s = True, _now_s() + VISIT_S_MAX
        session.beneath = None if waiting is None else waits

    async def log_out(self, token: str) -> None:
        """End this session, and with a person's last one their connection. Do nothing if there is none.

        The token then means the session that waited beneath, if one did.
        """
        left = self._take_away(token)
        if left is not None:
            await ended(left.running)

    async def log_out_all(self, token: str) -> None:
        """End this session and the one beneath it."""
        while token in self._sessions:
            await self.log_out(token)

    def _take_away(self, token: str) -> Present | None:
        """Take this session away. Return the person if it was their last one, so that their connection can end."""
        session = self._sessions.pop(token, None)
        if session is None:
            return None
        waited = self._sessions.pop(session.beneath or "", None)
        if waited is not None:
            self._sessions[token] = waited
        return None if any(other.who is session.who for other in self._sessions.values()) else session.who

    async def end(self) -> None:
        """End all sessions."""
        for token in tuple(self._sessions):
            await self.log_out_all(token)

    def _refuse_too_many(self, name: str, address: str) -> None:
        for token in [token for token, session in self._sessions.items() if _is_over(session)]:
            self._end(token)
        if len(self._sessions) >= SESSIONS_MAX:
            raise LoginRefusedError("too-many-users", "Too many people are logged in. Somebody has to log out.")
        if self._trying.total() >= LOGINS_AT_ONCE_MAX or self._trying[address] >= LOGINS_OF_AN_ADDRESS_MAX:
            raise LoginRefusedError("too-many-logins", "Too many people log in at this moment. Try again.")
        if self.failures.are_too_many(name, address):
            raise LoginRefusedError("too-many-failures", "Too many wrong passwords. Wait a minute.")

    async def _lets_everybody_in(self) -> bool:
        chance = _of_a_person(self.settings, f"nobody-{secrets.token_hex(8)}", secrets.token_hex(16))
        try:
            async with connected(chance, client_id(chance.user)):
                return True
        except BrokerRefusesError:
            return False
        except (OutageError, SetupError):
            raise LoginRefusedError("broker-away", "The broker cannot be reached. Try again.") from None

    def _end(self, token: str) -> None:
        if (left := self._take_away(token)) is not None:
            left.running.cancel()


def _of_a_person(settings: MqttSettings, name: str, password: str | None) -> MqttSettings:
    """Return the settings of a person's connection, without the server's own certificate: some brokers name by it."""
    tls = None if settings.tls is None else replace(settings.tls, certificate_file=None, key_file=None)
    return replace(settings, user=name, password=password, tls=tls)


def _is_over(session: Session) -> bool:
    return session.who.running.done() or session.ends_s <= _now_s()


def _now_s() -> float:
    return asyncio.get_running_loop().time()
