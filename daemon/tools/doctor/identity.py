"""Proves against the running broker that a user is held to their own name.

The table trusts the user in a command's topic, because the broker's access list lets nobody publish under another name.
So doctor logs in as a real user and tries what no user may do: to publish as another, as the table, to read another's
answers or anybody's commands, to take a message out of a shared subscription, to take another's client id, and the ways
of `daemon.tools.doctor.entrances`. What it publishes is empty, not retained, and on names that nothing else uses. Only
the table's own documents have no such name: there it publishes once more, not retained, what is retained.

A broker says "refused" in many ways: by a reason code, by closing the connection, by granting a subscription that
delivers nothing, or, in MQTT 3.1.1, by acknowledging. So most checks look at what arrives.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final
from uuid import uuid4

import aiomqtt

from daemon.errors import FeltdError
from daemon.mqtt.client import Connection, Will, connected
from daemon.mqtt.delivery import BrokerAwayError, Refused
from daemon.mqtt.settings import MqttSettings, MqttVersion
from daemon.mqtt.topics import Topics
from daemon.tools.access import DOCTOR_CHECK
from daemon.tools.doctor.entrances import check_amqp, check_namelessness
from daemon.tools.doctor.findings import CheckName, Finding, fine, problem, warning
from daemon.tools.login import with_certificate
from drivers.transports.holders import Holder
from protocols.frozen import dataclass

NAME: Final = DOCTOR_CHECK
ARRIVES_S_MAX: Final = 1.0
_REWRITE: Final = (
    "Write the broker's access list with feltd access from the site's file of people, and reload the broker."
)
_SHARES: Final = (
    "An acl_file of Mosquitto does not look at shared subscriptions. Use none, or Mosquitto's dynamic security."
)
_CLIENT_IDS: Final = (
    "Bind client ids to users, in Mosquitto with use_username_as_clientid true. Elsewhere set a client_id that "
    "nobody can guess."
)
_GIVES_COMMANDS: Final = "A display gives none. Name a user who gives commands at this table, too."


@dataclass(frozen=True, slots=True)
class Trial:
    """The user with whom doctor tries what nobody may do."""

    user: str
    password: str | None
    certificate_file: Path | None = None
    key_file: Path | None = None


async def check_identity(
    settings: MqttSettings, topics: Topics, trial: Trial, others: Sequence[str] = ()
) -> list[Finding]:
    """Try everything, each on a connection of its own: some brokers close it after a refusal.

    The others are the site's other users: a list may have a line too many for one of them alone.
    """
    return await _Trial(settings, topics, trial, others).findings()


def not_tried(trial: Trial | None, daemon: Holder) -> Iterator[Finding]:
    """Say that nothing was proven of this user: the proof needs the table's own login, which its daemon has."""
    if trial is not None:
        said = f"was not tried, because the table's daemon has the login of the table, {daemon}."
        yield problem("identity", trial.user, said, "Stop the table, and run doctor again.")


class _Trial:
    def __init__(self, settings: MqttSettings, topics: Topics, trial: Trial, others: Sequence[str]) -> None:
        self._table = replace(settings, session_expiry_s=0)
        own = with_certificate(settings.tls, trial.certificate_file, trial.key_file)
        self._person = replace(self._table, user=trial.user, password=trial.password, tls=own)
        self._topics = topics
        self._user = trial.user
        self._others = others
        self._closed = f"is closed to {trial.user}."
        self._and_others = f"{trial.user}, and perhaps by others."
        self._table_id = settings.own_client_id(topics.site, topics.table)
        # What somebody knows who has only read our documents.
        stranger = replace(settings, password=None, tls=None, client_id=None)
        self._guessed_id = stranger.own_client_id(topics.site, topics.table)

    async def findings(self) -> list[Finding]:
        """Return a finding for each thing that a user might do."""
        try:
            async with self._as_user():
                pass
        except FeltdError as error:
            return [problem("identity", self._user, error.message, error.remedy)]
        own = self._topics.reply(NAME)
        return [
            *[await self._publishing(topic) for topic in self._forbidden()],
            *[await self._publishing(topic, payload) for topic, payload in (await self._documents()).items()],
            *(await self._as_each_other() if self._others else ()),
            await self._reading_answers(own),
            await self._reading_answers(f"{self._topics.base}/reply/#"),
            await self._reading_commands(),
            await self._sharing(f"$share/{NAME}/{self._topics.base}/reply/#"),
            await self._taking_a_client_id(),
            await check_namelessness(self._person),
            await check_amqp(self._person.host, self._user, self._person.password),
        ]

    def _forbidden(self) -> tuple[str, ...]:
        topics = self._topics
        said = (topics.command(NAME, NAME), topics.event(NAME), topics.device(NAME), topics.alert(NAME))
        # Nobody may read this one, so without MQTT 5's reason codes nothing shows whether it was written.
        return (*said, topics.reply(NAME)) if self._person.version is MqttVersion.V5 else said

    async def _documents(self) -> dict[str, bytes]:
        """Return the table's own documents, each as it is retained, or empty."""
        topics = self._topics
        found = {topics.status: b"", topics.state: b"", topics.metrics: b""}
        async with self._as_table() as table:
            with suppress(FeltdError):
                await table.listen(topics.status, topics.state)
            retained = await _heard(table, 2, retained=True)
        return found | {str(message.topic): bytes(message.payload) for message in retained}

    @asynccontextmanager
    async def _as_user(self) -> AsyncIterator[Connection]:
        will = Will(self._topics.reply(self._user), b"")
        async with connected(self._person, self._user + _once(), will) as connection:
            yield connection

    @asynccontextmanager
    async def _as_table(self, ends_in: str | None = None) -> AsyncIterator[Connection]:
        client_id = self._table_id + (ends_in or _once())
        async with connected(self._table, client_id, Will(self._topics.reply(NAME), b"")) as connection:
            yield connection

    async def _publishing(self, topic: str, payload: bytes = b"") -> Finding:
        if self._person.version is MqttVersion.V5:
            async with self._as_user() as user:
                delivery = await user.post(topic, payload)
            is_open = not isinstance(delivery, Refused)
        else:
            is_open = await self._arrives_somewhere(topic, payload)
        if is_open:
            return problem("identity-publish", topic, f"may be written by {self._and_others}", _REWRITE)
        return fine("identity-publish", topic, self._closed)

    async def _arrives_somewhere(self, topic: str, payload: bytes) -> bool:
        """Return whether what the user publishes arrives: at themselves what no table reads, all else at the table."""
        async with self._as_table() as table, self._as_user() as user:
            listener = user if topic in {self._topics.event(NAME), self._topics.metrics} else table
            with suppress(FeltdError):
                await listener.listen(topic)
            user.post(topic, payload)
            return await _first(listener) == topic

    async def _as_each_other(self) -> list[Finding]:
        """Try each other's name: one connection of the user at a time, because some brokers let them have no more."""
        topics = self._topics
        commands = [topics.command(other, NAME) for other in self._others]
        async with self._as_table() as table:
            with suppress(FeltdError):
                await table.listen(topics.commands)
            for topic in commands:
                async with self._as_user() as user:
                    await asyncio.wait({user.post(topic, b"")}, timeout=ARRIVES_S_MAX)
            arrived = {str(message.topic) for message in await _heard(table, len(commands))}
        answers = [f"{topics.reply(other)}/{NAME}" for other in self._others]
        read = [topic for topic in answers if await self._hears_an_answer(topic, topic)]
        return [
            *self._of_others("identity-publish", commands, "written", arrived),
            *self._of_others("identity-answers", answers, "read", read),
        ]

    def _of_others(
        self, check: CheckName, topics: Sequence[str], done: str, is_open: Collection[str]
    ) -> Iterator[Finding]:
        if not is_open:
            yield fine(check, topics[0], f"and the same of each other user {self._closed}")
        for topic in topics:
            if topic in is_open:
                yield problem(check, topic, f"may be {done} by {self._user}.", _REWRITE)

    async def _reading_answers(self, filter_: str) -> Finding:
        if await self._hears_an_answer(filter_):
            return problem("identity-answers", filter_, f"may be read by {self._and_others}", _REWRITE)
        return fine("identity-answers", filter_, self._closed)

    async def _sharing(self, filter_: str) -> Finding:
        if await self._hears_an_answer(filter_):
            return warning("identity-share", filter_, f"may be read by {self._and_others}", _SHARES)
        return fine("identity-share", filter_, self._closed)

    async def _hears_an_answer(self, filter_: str, topic: str | None = None) -> bool:
        """Return whether another's answer comes to the user who subscribes to this, before one of their own."""
        another, own = topic or self._topics.reply(NAME), f"{self._topics.reply(self._user)}/{NAME}"
        async with self._as_table() as table, self._as_user() as user:
            with suppress(FeltdError):  # a display has no answers
                await user.listen(own)
            try:
                await user.listen(filter_)
            except FeltdError:
                return False
            table.post(another, b"")
            table.post(own, b"")
            return await _first(user) == another

    async def _reading_commands(self) -> Finding:
        filter_ = f"{self._topics.base}/cmd/#"
        async with self._as_table() as table, self._as_user() as user:
            try:
                await user.listen(filter_)
            except FeltdError:
                return fine("identity-commands", filter_, self._closed)
            with suppress(FeltdError):
                await table.listen(self._topics.commands)
            user.post(self._topics.command(self._user, NAME), b"")
            is_heard, is_there = await asyncio.gather(_first(user), _first(table))
        if is_heard is not None:
            return problem("identity-commands", filter_, f"may be read by {self._and_others}", _REWRITE)
        if is_there is None:
            said = f"was not tried, because no command of {self._user} reached the table."
            return warning("identity-commands", filter_, said, _GIVES_COMMANDS)
        return fine("identity-commands", filter_, self._closed)

    async def _taking_a_client_id(self) -> Finding:
        will, ends_in = Will(self._topics.reply(self._user), b""), _once()
        async with self._as_table(ends_in) as table:
            ending = asyncio.create_task(table.until_lost())
            with suppress(FeltdError):
                async with connected(self._person, self._guessed_id + ends_in, will):
                    await asyncio.wait({ending}, timeout=ARRIVES_S_MAX)
            is_open = ending.done()
            ending.cancel()
            with suppress(asyncio.CancelledError, BrokerAwayError):
                await ending
        said = "The table's client id can be taken: its connection then ends"
        if is_open:
            return warning("identity-client-id", self._user, f"{said}.", _CLIENT_IDS)
        return fine("identity-client-id", self._user, "The table's client id cannot be taken, or not be guessed.")


def _once() -> str:
    """Return how a client id ends that comes once.

    NATS takes an id that comes back at once, before it has seen the last one go, for two clients that throw each other
    out. It then answers the next with nothing.
    """
    return f":doctor-{uuid4().hex}"


async def _first(connection: Connection) -> str | None:
    """Return the topic of the first message that comes within a second."""
    heard = await _heard(connection, 1)
    return str(heard[0].topic) if heard else None


async def _heard(connection: Connection, most: int, *, retained: bool = False) -> list[aiomqtt.Message]:
    """Return what comes within a second, and not more than this: what was retained before, or what is sent now."""
    heard: list[aiomqtt.Message] = []
    try:
        async with asyncio.timeout(ARRIVES_S_MAX):
            async for message in connection.messages:
                connection.acknowledge(message)
                heard += [message] if message.retain == retained else []
                if len(heard) == most:
                    break
    except (TimeoutError, aiomqtt.MqttError):  # a broker may close the connection instead of refusing
        pass
    return heard
