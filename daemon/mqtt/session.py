"""The table on MQTT: one connection after the other, each with everything that the table says and hears.

Theory of operation. Each connection is a new client with the same client id. So the broker keeps the subscriptions
and the commands that came while there was no connection. First the session looks whether the table at the broker is its
own (`daemon.mqtt.rivals`). Five coroutines run on a connection: the retained picture,
whose first message is the birth; the outbox, from its cursor; the commands, one at a time; whom the table hears; and a
watch for the end. `daemon.mqtt.waiting` says whose command is next, `daemon.mqtt.hearing` who is not heard in a flood.
When one of them finds that the connection ended, all end, and the next connection is tried after the backoff. The
backoff is reset only by a connection that lasted: two daemons with one client id disconnect each other, and would
otherwise do so many times a second. A broker that is not there is looked for every few seconds: when it is back, people
at the table wait. The log has one line when the broker goes away and one when it is back.

A command is acknowledged to the broker only after its answer was sent. If the connection or the process ends
before that, the broker delivers the command again. If it was already committed, the journal has its answer. In a flood
commands come at QoS 0, and of these the broker keeps none: what is sent while a crashed table is away gets no answer,
and its sender sends it again under the same id. Before a good end the session subscribes to everybody at QoS 1 again.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Collection, Coroutine
from contextlib import suppress
from typing import Any, Final, Never

import aiomqtt
import structlog

from daemon.clock import Clock, rfc3339
from daemon.errors import FeltdError, OutageError, SetupError
from daemon.journal.journal import Journal
from daemon.mqtt.answering import Answering, PersonOf, Submit, is_too_long
from daemon.mqtt.client import Connection, Will, connected
from daemon.mqtt.commands import RESEND
from daemon.mqtt.delivery import BrokerAwayError
from daemon.mqtt.documents import METRICS, STATUS, Running, State, Status, picture
from daemon.mqtt.envelope import sequence_text
from daemon.mqtt.hearing import Hearing
from daemon.mqtt.metrics import Metrics
from daemon.mqtt.outbox import Outbox
from daemon.mqtt.problems import Problems
from daemon.mqtt.retained import RetainedPicture
from daemon.mqtt.rivals import LOOK_S_MAX, TAKEN_AGAIN_S, AnotherDaemonError, Rivals, TableTakenError
from daemon.mqtt.settings import MqttSettings
from daemon.mqtt.topics import Topics
from daemon.mqtt.waiting import WaitingCommands
from daemon.table.picture import TableView
from drivers.backoff import Backoff
from protocols.frozen import dataclass

FAREWELL_S_MAX: Final = 1.0
LOOKING_S_MAX: Final = 3.0  # a hundred tables then ask a machine without a broker fifty times a second
EARLY_MAX: Final = 1_000  # commands that are kept until the table serves; a flood would bring them without end
PEOPLE_PROBLEM: Final = "people-file"
NOBODY: Final = ""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Table:
    """The table, as the session uses it."""

    journal: Journal
    view: Callable[[], TableView]
    submit: Submit
    person_of: PersonOf
    clock: Clock
    version: str
    metrics: Callable[[], Metrics | None] = lambda: None
    users: Callable[[], Collection[str]] = tuple
    """Who may give commands, by the site's file of people."""


class MqttSession:
    """Connects one table to its broker. Start `run` once, and call `wake` after every commit.

    `down` says why there is no connection. `there` is set while there is a connection, `away` after one failed or
    ended. Before the first attempt has ended neither is set.
    """

    def __init__(self, settings: MqttSettings, topics: Topics, table: Table) -> None:
        self.down: OutageError | SetupError | None = None
        self.there, self.away = asyncio.Event(), asyncio.Event()
        self.connections = 0  # since the start
        self.problems = Problems(self.wake)
        self.outbox = Outbox(settings, topics, table.journal, self.problems)
        self._settings = settings
        self._topics = topics
        self._table = table
        self._retained = RetainedPicture(settings, self._picture, self.outbox.answered, self.problems)
        self._answering = Answering(topics, table.journal, table.submit, table.person_of, table.clock)
        self._hearing = Hearing(topics, table.users, table.journal)
        self._rivals = Rivals(topics, table.journal)
        self._connected = ""
        self._backoff = Backoff(settings.backoff_s_min, settings.backoff_s_max, jitter=random.random)
        self._looking = Backoff(
            settings.backoff_s_min, min(LOOKING_S_MAX, settings.backoff_s_max), jitter=random.random
        )
        self._is_let_in = False  # whether the last try came to a connection

    def wake(self) -> None:
        """Send what is new, events first: call this after a commit, and when a problem begins or ends."""
        self.outbox.publish_new()
        self._retained.wake()

    def report_people(self, error: FeltdError | None) -> None:
        """Show a problem of the site's file of people, which was read again, or that it is solved."""
        self._hearing.wake()
        if error is None:
            self.problems.end(PEOPLE_PROBLEM)
            return
        remedy = f"{error.remedy} Until then the users of before may give commands."
        self.problems.begin(PEOPLE_PROBLEM, error.message, remedy)

    async def run(self) -> Never:
        """Keep connected until cancelled, and then publish the status `stopped`. A JournalError is raised.

        A daemon that another one of the same table came after does not connect again.
        """
        now_s = asyncio.get_running_loop().time
        while True:
            began_s, self._is_let_in = now_s(), False
            try:
                await self._connection()
            except (OutageError, SetupError) as error:
                if self.down is None or self.down.code != error.code:
                    _log.warning("broker-away", code=error.code, message=error.message, remedy=error.remedy)
                self.down = error
                self.there.clear()
                self.away.set()
                if isinstance(error, AnotherDaemonError):
                    await asyncio.Event().wait()  # until a person stops this daemon
            if now_s() - began_s > self._settings.backoff_s_max:
                self._backoff.reset()
            await asyncio.sleep(self._pause_s())

    def _pause_s(self) -> float:
        """Return how long to wait before the next try."""
        if self._is_let_in:
            self._looking.reset()
        if isinstance(self.down, TableTakenError):
            return TAKEN_AGAIN_S
        if isinstance(self.down, BrokerAwayError) and not self._is_let_in:
            self._backoff.reset()  # the connection before ended with the broker, and not by another client of our name
            return self._looking.next_s()
        return self._backoff.next_s()

    async def _connection(self) -> None:
        self._connected = rfc3339(self._table.clock().utc_ns)
        self._rivals.note_tried(self._connected)
        client_id = self._settings.own_client_id(self._topics.site, self._topics.table)
        will = Will(self._topics.status, self._status(Running.LOST))
        async with connected(self._settings, client_id, will) as connection:
            self._is_let_in = True
            early = await self._look(connection)
            try:
                await self._serve(connection, early)
            except asyncio.CancelledError:
                with suppress(OutageError, SetupError, TimeoutError):
                    async with asyncio.timeout(FAREWELL_S_MAX):
                        await self._hearing.end(connection)
                stopped = connection.post(self._topics.status, self._status(Running.STOPPED), retain=True)
                await asyncio.wait({stopped}, timeout=FAREWELL_S_MAX)
                raise

    async def _look(self, connection: Connection) -> list[aiomqtt.Message]:
        """Subscribe, and return what came. Raise TableTakenError if another journal's daemon was or is here."""
        early: list[aiomqtt.Message] = []
        commands: list[aiomqtt.Message] = []
        there = asyncio.Event()

        def take(message: aiomqtt.Message) -> None:
            if not message.topic.matches(self._topics.commands):
                early.append(message)
            elif len(commands) < EARLY_MAX and not is_too_long(message):
                commands.append(message)
                return  # acknowledged when it is answered
            connection.acknowledge(message)  # what is too long is not kept, not even to refuse it
            if str(message.topic) == self._topics.state:
                there.set()

        connection.deliver_to(take)
        # Who else serves this table is asked for first, so that it comes before a window of commands. In a flood each
        # answer comes behind what the broker has for us, so no request waits for the answer to the one before.
        about_us = (self._topics.status, self._topics.state, self._topics.alerts, self._topics.devices)
        await asyncio.gather(
            *(connection.listen(topic, own=False) for topic in about_us), self._hearing.begin(connection)
        )
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK_S_MAX):
                await there.wait()
        self._rivals.look(early)
        return early + commands

    async def _serve(self, connection: Connection, early: list[aiomqtt.Message]) -> None:
        self.down = None
        self._rivals.note_served(self._connected)
        self.connections += 1
        self.away.clear()
        self.there.set()
        _log.info("broker-there", host=self._settings.host, port=self._settings.port)
        # The resends have a queue of their own: a thousand events on their way keep no bet waiting.
        now_s = asyncio.get_running_loop().time
        commands, resends = WaitingCommands(now_s), WaitingCommands(now_s)
        await _until_one_fails(
            connection.until_lost(),
            self._retained.keep(connection),
            self._hearing.keep(connection),
            self.outbox.pump(connection),
            self._take_messages(connection, early, commands, resends),
            self._answer(connection, commands),
            self._answer(connection, resends),
        )

    async def _take_messages(
        self,
        connection: Connection,
        early: list[aiomqtt.Message],
        commands: WaitingCommands,
        resends: WaitingCommands,
    ) -> None:
        """Take each message as it is read. Return never; raise what went wrong with one."""
        wrong: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def take(message: aiomqtt.Message) -> None:
            try:
                self._take_message(connection, message, commands, resends)
            except Exception as error:  # in here it would only end the connection
                if not wrong.done():
                    wrong.set_exception(error)

        connection.deliver_to(take)
        for message in early:  # the others were looked at
            if message.topic.matches(self._topics.commands):
                take(message)
            else:
                self._note_retained(message)
        await wrong

    def _take_message(
        self, connection: Connection, message: aiomqtt.Message, commands: WaitingCommands, resends: WaitingCommands
    ) -> None:
        if message.topic.matches(self._topics.commands):
            if self._is_put(connection, message, commands, resends):
                return
        elif str(message.topic) == self._topics.status:
            self._rivals.hear(message)
        else:
            self._note_retained(message)
        connection.acknowledge(message)

    def _is_put(
        self, connection: Connection, message: aiomqtt.Message, commands: WaitingCommands, resends: WaitingCommands
    ) -> bool:
        """Queue the command, or refuse it. One that a flood had on its way to us is dropped."""
        *_, user, name = str(message.topic).split("/")
        # All who are not in the file share one place: their names are without number.
        known = user if self._table.person_of(user) is not None else NOBODY
        # A resend changes nothing, and comes whenever it comes.
        is_again = message.mid in connection.sent_again
        overtaken = name != RESEND and self._hearing.is_overtaken(known, message, is_again=is_again)
        if not self._hearing.hears(known):
            return False
        if is_too_long(message):
            self._answering.refuse_too_long(connection, message)
        elif (resends if name == RESEND else commands).put(known, message, overtaken):
            return True
        else:
            self._answering.refuse_too_many(connection, message)
        self._hearing.note_refused(known)
        return False

    def _note_retained(self, message: aiomqtt.Message) -> None:
        """Note what the broker holds of alerts and devices, which are removed when they are no longer there."""
        topic = str(message.topic)
        if message.retain and topic not in (self._topics.state, self._topics.status):
            self._retained.add_held(topic, bytes(message.payload))

    async def _answer(self, connection: Connection, waiting: WaitingCommands) -> None:
        while True:
            user, message, overtaken = await waiting.take()
            await self._answering.answer(connection, message, overtaken)
            connection.acknowledge(message)  # after the answer: a crash before it has the command come again
            waiting.finish(user)

    def _picture(self) -> dict[str, bytes]:
        journal = self._table.journal
        sequence = journal.last_sequence()
        self._rivals.note_told(sequence)
        state = State(journal.id, sequence_text(sequence), self._table.view())
        figures = self._table.metrics()
        metrics = {} if figures is None else {self._topics.metrics: METRICS.encode(figures)}
        return {self._topics.status: self._status(Running.RUNNING), **picture(self._topics, state), **metrics}

    def _status(self, running: Running) -> bytes:
        problems = self.problems.now if running is Running.RUNNING else ()
        return STATUS.encode(Status(running, self._table.version, self._table.journal.id, self._connected, problems))


async def _until_one_fails(*work: Coroutine[Any, Any, None]) -> None:
    """Run all coroutines until one fails, cancel the others, and raise its error. Prefer one that is not the broker's.

    This is not a TaskGroup: up to Python 3.12 a group with a failed task loses a cancellation that comes at the same
    time. A broker that goes away while the daemon is stopped would then keep the daemon from stopping.
    """
    parts = [asyncio.ensure_future(each) for each in work]
    try:
        await asyncio.wait(parts, return_when=asyncio.FIRST_EXCEPTION)
    finally:
        for part in parts:
            part.cancel()
        ends = await asyncio.gather(*parts, return_exceptions=True)
    errors = [end for end in ends if isinstance(end, BaseException) and not isinstance(end, asyncio.CancelledError)]
    raise min(errors, key=lambda error: isinstance(error, BrokerAwayError))
