"""The bench's own MQTT client: it hears the table like any subscriber, and sends commands like any terminal."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Never, TypeAlias
from uuid import uuid4

import aiomqtt
import msgspec

from daemon.errors import OutageError
from daemon.mqtt import client as mqtt
from daemon.mqtt.delivery import Delivered
from daemon.mqtt.settings import MqttSettings, MqttVersion
from daemon.mqtt.topics import Topics
from daemon.table.vocabulary import Actor
from protocols.frozen import dataclass

REQUEST_VALID: Final = timedelta(seconds=60)
ANSWER_S_MAX: Final = 30.0
AGAIN_S: Final = 10.0  # in a flood a broker can drop a command
KEEP_AND_READ: Final = "Run it again with --keep DIRECTORY and read feltd.log there."

USERS: Final = {role: f"bench-{role.value}" for role in Actor}
"""The bench's broker checks no passwords, so one connection is all of these users."""
GUEST: Final = "bench-guest"
"""A second player, for somebody who tries what two players can do."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def broker_gone(error: aiomqtt.MqttError) -> OutageError:
    """Return what ends a bench whose broker is gone. Of its connections any can notice first."""
    ended = f"The bench's connection to its broker ended: {error}."
    return OutageError("bench.broker-gone", ended, "Look at the broker, then start the bench again.")


@dataclass(frozen=True, slots=True)
class EventHeard:
    """One event of the table, out of its envelope."""

    kind: str
    sequence: int
    round_id: str | None
    data: dict[str, Any]
    latency_ns: int  # from the bytes that caused it, as the transport stamped them, to this client


def read_event(payload: bytes, now_utc_ns: int) -> EventHeard:
    """Take the envelope off an event."""
    event = msgspec.json.decode(payload)
    passed = datetime.fromisoformat(event["time"]) - _EPOCH
    happened_ns = ((passed.days * 86_400 + passed.seconds) * 1_000_000 + passed.microseconds) * 1_000
    return EventHeard(
        event["type"], int(event["sequence"]), event.get("roundid"), event["data"], now_utc_ns - happened_ns
    )


OnEvent: TypeAlias = Callable[[EventHeard], None]
Document: TypeAlias = "dict[str, Any]"


class TableClient:
    """One connection to the bench's broker. `state` and `status` are the last documents that were heard."""

    def __init__(self, client: mqtt.Connection, topics: Topics) -> None:
        self.state: Document = {}
        self.status: Document = {}
        self._client = client
        self._topics = topics
        self._events: Final = topics.event("")
        self._listening: asyncio.Task[Never] | None = None
        self._name = f"bench-{uuid4().hex[:8]}"
        self._numbers = itertools.count(1)
        self._answers: dict[str, asyncio.Future[Document]] = {}
        self._last: dict[str, str] = {}  # the id of the last command, by user
        self._listeners: list[OnEvent] = []
        self._unheard: list[EventHeard] = []  # before anybody listened: the screens may take long to start
        self._state_listeners: list[Callable[[], None]] = []

    def listen(self, listener: OnEvent) -> None:
        """Call `listener` with each event, and those who listen at once with what came before anybody did."""
        if not self._listeners:
            asyncio.get_running_loop().call_soon(self._tell_what_was_unheard)
        self._listeners.append(listener)

    def listen_to_state(self, listener: Callable[[], None]) -> None:
        """Call `listener` after each change of `state`."""
        self._state_listeners.append(listener)

    async def ask(self, command: str, role: Actor, round_id: str | None = None, **data: object) -> Document:
        """Send a command as the bench's user of this role, for the round if one is named, and return the answer."""
        return await self.ask_as(USERS[role], command, round_id, **data)

    async def ask_as(self, user: str, command: str, round_id: str | None = None, **data: object) -> Document:
        """Send a command as this user, again if no answer comes, unless they have given another one since."""
        request_id = f"{self._name}-{next(self._numbers)}"
        answer: asyncio.Future[Document] = asyncio.get_running_loop().create_future()
        self._answers[request_id] = answer
        self._last[user] = request_id
        message = {
            "id": request_id,
            "expires": (datetime.now(UTC) + REQUEST_VALID).isoformat(),
            "round": round_id,
            "data": data,
        }
        topic = self._topics.command(user, command)
        try:
            async with asyncio.timeout(ANSWER_S_MAX):
                while not answer.done() and self._last[user] == request_id:
                    sent = await self._client.post(topic, msgspec.json.encode(message))
                    if not isinstance(sent, Delivered):
                        not_sent = f"The broker did not take the command {command}."
                        raise OutageError("bench.not-sent", not_sent, KEEP_AND_READ)
                    await asyncio.wait({answer}, timeout=AGAIN_S)
                return await answer
        except aiomqtt.MqttError:
            await self.watch()  # it knows how the connection ended
        except TimeoutError:
            late = f"The table has not answered {command} within {ANSWER_S_MAX:.0f} s."
            raise OutageError("bench.no-answer", late, KEEP_AND_READ) from None
        finally:
            del self._answers[request_id]

    async def open(self) -> None:
        """Subscribe to this table's messages and to our own answers."""
        replies = [self._topics.reply(user) for user in (*USERS.values(), GUEST)]
        for topic in (self._topics.event("+"), self._topics.state, self._topics.status, *replies):
            await self._client.listen(topic)
        self._listening = asyncio.create_task(self._listen())

    async def forget_earlier_bench(self) -> None:
        """Remove what the table of an earlier bench left at this broker: its journal was another one."""
        for topic in (self._topics.state, self._topics.status):
            await self._client.post(topic, b"", retain=True)

    async def watch(self) -> Never:
        """Wait for the end of the connection, and raise it as an OutageError."""
        assert self._listening is not None, "it was never opened"
        await asyncio.shield(self._listening)

    async def close(self) -> None:
        """Stop listening."""
        if self._listening is not None:
            self._listening.cancel()
            with suppress(asyncio.CancelledError, OutageError):
                await self._listening

    async def _listen(self) -> Never:
        try:
            async for message in self._client.messages:
                self._note_message(str(message.topic), bytes(message.payload))
                self._client.acknowledge(message)
        except aiomqtt.MqttError as error:
            raise broker_gone(error) from error
        raise AssertionError("a connection that ends raises")

    def _tell_what_was_unheard(self) -> None:
        unheard, self._unheard = self._unheard, []
        for heard in unheard:
            for listener in self._listeners:
                listener(heard)

    def _note_message(self, topic: str, payload: bytes) -> None:
        if topic.startswith(self._events):
            self._unheard.append(read_event(payload, time.time_ns()))
            if self._listeners:
                self._tell_what_was_unheard()
            return
        document = msgspec.json.decode(payload) if payload else {}
        if topic == self._topics.state:
            self.state = document
            for told in self._state_listeners:
                told()
        elif topic == self._topics.status:
            self.status = document
        elif (answer := self._answers.get(str(document.get("id")))) is not None and not answer.done():
            answer.set_result(document)


@asynccontextmanager
async def connected(port: int, topics: Topics, version: MqttVersion = MqttVersion.V5) -> AsyncIterator[TableClient]:
    """Yield a client that is subscribed already."""
    settings = MqttSettings(host="127.0.0.1", port=port, version=version, session_expiry_s=0)
    async with mqtt.connected(settings, f"bench-{uuid4().hex}", None) as client:
        table = TableClient(client, topics)
        await table.open()
        try:
            yield table
        finally:
            await table.close()
