"""Whose commands the table hears: everybody's, but in a flood of one user everybody's but theirs.

Theory of operation. A broker takes in a flood far faster than feltd can refuse it: 50,000 commands a second against
some thousands. What feltd has not read yet waits at the broker in the order in which it came, so a dealer's command
would wait behind all of it, without a bound. Only the broker can keep a flood away. So a user who goes on after
`REFUSED_MAX` refusals is not heard for `UNHEARD_S`. MQTT has no filter for all users but one. In place of `cmd/+/+` the
connection then has a subscription for each other user of the file of people. All users who are not in that file share
one place and are left out together.

The subscriptions to single users have QoS 0: what comes on them passes what the broker has for us already, where that
waits for acknowledgements, and takes no place of those. So NATS, which has 63 places for subscriptions at QoS 1, takes
any number. The new filters are subscribed before the old ones end. A command between the two can come twice, as any
message at QoS 1 can, and none falls between them. What the broker had for us of the flood still comes, and is
acknowledged without an answer. NATS alone drops it, and the commands of others in it: their senders get no answer.

Their later commands so pass their earlier ones: `daemon.mqtt.order` says which may still be asked. Nobody returns
before it says that nothing of the flood is left, and a connection after a flood's begins with single users.

A starved table reads what the broker has of the flood for half a minute, and then NATS ends its connection as too slow.
A new connection has nothing of it at QoS 0. So a table whose broker does not answer within `TURN_S_MAX` connects again,
once in a flood. The session brings the flood again until it is ended, so a connection asks for its end at once, and
waits for no other answer before.

A broker can refuse the subscription to a single user: a list made by hand may allow everybody's filter alone. RabbitMQ
closes the connection then. If that happens `SINGLE_ENDS_MAX` times before the first of them was answered, or if the
refusal is said, the table stays with everybody for `SINGLE_AGAIN_S`, and others wait behind the flood. Then nobody is
refused as overtaken, so a process that finds the mark must not give up at the first end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Final

import aiomqtt
import structlog

from daemon.mqtt.client import QOS, Connection
from daemon.mqtt.delivery import BrokerAwayError, BrokerRefusesError
from daemon.mqtt.order import Marks, Order
from daemon.mqtt.topics import Topics
from daemon.mqtt.waiting import USERS_MAX, Allowance

REFUSED_MAX: Final = 400.0  # a terminal that sends what it kept during an outage is refused fewer
REFUSED_PER_S: Final = 10.0
UNHEARD_S: Final = 60.0  # each return of a flood that goes on makes others wait for a moment
SINGLE_ENDS_MAX: Final = 2  # one can have another cause, as the flood itself
SINGLE_AGAIN_S: Final = 600.0
TURN_S_MAX: Final = 5.0  # the answer came within 2.3 s wherever the table had time to read

_log = structlog.get_logger(__name__)


class Hearing:
    """Who floods, and the subscriptions that follow from it. `begin` each connection, then `keep` it."""

    def __init__(self, topics: Topics, users: Callable[[], Collection[str]], marks: Marks) -> None:
        self._topics = topics
        self._users = users
        self._order = Order(marks)
        self._refused: dict[str, Allowance] = {}
        self._unheard: dict[str, float] = {}  # until when, by user
        self._everybody: Final = frozenset({topics.commands})
        self._held = self._everybody
        self._begun: set[str] = set()  # filters of single users since the start, also of who has left the file since
        self._asks_single = False  # and has no answer of the broker yet
        self._single_ends: int | None = 0  # connections that ended before that answer; None after the first answer
        self._single_again_s = 0.0
        self._patient_until_s = 0.0
        self._woken = asyncio.Event()

    def hears(self, user: str) -> bool:
        """Return whether this user's commands are taken."""
        return user not in self._unheard

    def is_overtaken(self, user: str, message: aiomqtt.Message, *, is_again: bool = False) -> bool:
        """Note a command that came, and whether the broker says that it sends it again.

        Return whether it or a later one of this user may have been answered before.
        """
        self._order.note_came(message.qos)
        # who is not heard has theirs dropped
        return self.hears(user) and self._order.is_overtaken(user, message, is_again=is_again)

    def note_refused(self, user: str) -> None:
        """Note that a command of this user exceeded their share. From some number on, stop hearing them."""
        if user not in self._refused and len(self._refused) >= USERS_MAX:
            self._refused.clear()
        now_s = _now_s()
        allowance = self._refused.setdefault(user, Allowance(REFUSED_MAX, REFUSED_PER_S, now_s))
        if not allowance.spend(now_s):
            del self._refused[user]
            self._unheard[user] = now_s + UNHEARD_S
            _log.warning("mqtt-user-unheard", user=user, seconds=int(UNHEARD_S))
            self._woken.set()

    def wake(self) -> None:
        """Look at the users again: the file of people was read again, and may name a new one."""
        self._woken.set()

    async def begin(self, connection: Connection) -> None:
        """Subscribe to everybody, and then to what a flood wants. Raise BrokerAwayError or BrokerRefusesError."""
        self._held = self._everybody
        self._order.begin()
        if self._asks_single and self._single_ends is not None:
            self._single_ends += 1
            if self._single_ends >= SINGLE_ENDS_MAX:
                self._do_without_single("the connection ended")
        self._asks_single = False
        # A user can retain as many commands as they find names for, and each connection would begin with all of them.
        # RabbitMQ ends no subscription of the session that was not asked for on this connection, so this comes first.
        everybody = connection.listen(self._topics.commands, retained=False)
        # A connection that ended in a flood left filters of single users in its session at the broker.
        left = connection.stop_listening(self._begun | {self._topics.commands_of(user) for user in self._users()})
        turning = (self._hold_wanted(connection),) if self._order.is_single else ()
        await asyncio.gather(everybody, left, *turning)  # none waits behind the flood for the answer to the one before

    async def keep(self, connection: Connection) -> None:
        """Hold the subscriptions that are wanted now. Raise BrokerAwayError when the connection has ended."""
        self._order.note_served()
        while True:
            self._woken.clear()
            await self._hold_wanted(connection)
            self._order.forget()
            now_s, ends_s = _now_s(), (*self._unheard.values(), *self._order.ends_s())
            with suppress(TimeoutError):
                async with asyncio.timeout(min((end_s - now_s for end_s in ends_s if end_s > now_s), default=None)):
                    await self._woken.wait()

    async def end(self, connection: Connection) -> None:
        """Subscribe to everybody before a good end. Raise BrokerAwayError or BrokerRefusesError."""
        if self._held != self._everybody:  # at QoS 0 the broker keeps nothing while we are away
            await connection.listen(self._topics.commands, retained=False)

    async def _hold_wanted(self, connection: Connection) -> None:
        now_s, leftovers = _now_s(), self._order.has_leftovers()
        self._unheard = {user: until_s for user, until_s in self._unheard.items() if leftovers or until_s > now_s}
        try:
            await self._hold(connection, self._wanted(leftovers))
        except BrokerRefusesError as error:
            if self._held == self._everybody:
                raise
            self._do_without_single(error.message)
            await self._hold(connection, self._everybody)

    def _wanted(self, leftovers: bool) -> frozenset[str]:
        if _now_s() < self._single_again_s or not (self._unheard or leftovers):
            return self._everybody
        return frozenset(self._topics.commands_of(user) for user in self._users() if self.hears(user))

    async def _hold(self, connection: Connection, wanted: frozenset[str]) -> None:
        begun, ended = wanted - self._held, self._held - wanted
        self._held = wanted
        qos = QOS if wanted == self._everybody else 0
        if qos == 0:
            self._begun |= begun
            self._asks_single = bool(begun)
        self._order.turn_to(qos, is_change=self._everybody <= begun | ended)
        # Both are on their way before the first is acknowledged: that comes behind what the broker has for us.
        stopping = connection.stop_listening(ended)
        await asyncio.gather(self._listen(connection, begun, qos, self._everybody <= ended), stopping)
        self._order.note_turned()
        if self._asks_single:
            self._asks_single = False
            self._single_ends = None

    async def _listen(self, connection: Connection, begun: Collection[str], qos: int, leaves_flood: bool) -> None:
        asked_s = _now_s()
        is_patient = not leaves_flood or asked_s < self._patient_until_s
        answer_s_max = None if is_patient else TURN_S_MAX
        try:
            await connection.listen(*begun, qos=qos, retained=False, answer_s_max=answer_s_max)
        except BrokerAwayError:
            if not is_patient and _now_s() - asked_s >= TURN_S_MAX:
                self._patient_until_s = _now_s() + UNHEARD_S
                self._asks_single = False  # it was the flood, and no refusal
            raise

    def _do_without_single(self, message: str) -> None:
        _log.warning("mqtt-single-users-refused", message=message, seconds=int(SINGLE_AGAIN_S))
        self._asks_single = False
        self._single_again_s = _now_s() + SINGLE_AGAIN_S


def _now_s() -> float:
    return asyncio.get_running_loop().time()
