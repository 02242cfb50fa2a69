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

In what the broker had for us are earlier commands of the others too, at QoS 1, and their later ones pass these. A stake
replaces the one that lies there, so an earlier command that is taken last would leave the wrong stake. While single
users are subscribed, a command that comes at QoS 1 was sent under the subscription before. It is refused if one of the
same user came at QoS 0 meanwhile. Who publishes at QoS 0 has no command at QoS 1, and none is refused. All this is
forgotten at one moment: before the subscription to everybody is sent. What is sent under that one comes at QoS 1 too,
perhaps before its acknowledgement, and is in order. It would come behind what is left of the flood. So nobody returns
before nothing of that came for `LEFTOVERS_S`, and a connection after a flood's begins with single users.

Who was overtaken is not on the disk. A process that starts while the broker still has some of a flood takes a user's
earlier command from there, also after a later one that the process before took. A broker that refuses the
subscription to a single user keeps the table with everybody, and others wait behind the flood.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Final

import structlog

from daemon.mqtt.client import QOS, Connection
from daemon.mqtt.delivery import BrokerRefusesError
from daemon.mqtt.topics import Topics
from daemon.mqtt.waiting import USERS_MAX, Allowance

REFUSED_MAX: Final = 400.0  # a terminal that sends what it kept during an outage is refused fewer
REFUSED_PER_S: Final = 10.0
UNHEARD_S: Final = 60.0  # each return of a flood that goes on makes others wait for a moment
LEFTOVERS_S: Final = 5.0  # far longer than the broker waits between two messages that it has for us

_log = structlog.get_logger(__name__)


class Hearing:
    """Who floods, and the subscriptions that follow from it. `begin` each connection, then `keep` it."""

    def __init__(self, topics: Topics, users: Callable[[], Collection[str]]) -> None:
        self._topics = topics
        self._users = users
        self._refused: dict[str, Allowance] = {}
        self._unheard: dict[str, float] = {}  # until when, by user
        self._everybody: Final = frozenset({topics.commands})
        self._held = self._everybody
        self._begun: set[str] = set()  # filters of single users since the start, also of who has left the file since
        self._passing: set[str] = set()  # of whom a command came at QoS 0, past what the broker had for us
        self._leftovers_until_s = 0.0
        self._is_single_refused = False  # by the broker, on this connection
        self._woken = asyncio.Event()

    def hears(self, user: str) -> bool:
        """Return whether this user's commands are taken."""
        return user not in self._unheard

    def is_overtaken(self, user: str, qos: int) -> bool:
        """Note a command that came with this QoS. Return whether a later one of this user may have come before it."""
        if self._held != self._everybody:
            if qos == 0:
                self._passing.add(user)
            else:
                self._leftovers_until_s = _now_s() + LEFTOVERS_S
        return qos > 0 and user in self._passing

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
        """Subscribe to everybody's commands. Raise BrokerAwayError or BrokerRefusesError."""
        self._held = self._everybody
        self._is_single_refused = False
        if self._passing:
            self._leftovers_until_s = _now_s() + LEFTOVERS_S
        # A user can retain as many commands as they find names for, and each connection would begin with all of them.
        await connection.listen(self._topics.commands, retained=False)
        # A connection that ended in a flood left filters of single users in its session at the broker.
        await connection.stop_listening(self._begun | {self._topics.commands_of(user) for user in self._users()})

    async def keep(self, connection: Connection) -> None:
        """Hold the subscriptions that are wanted now. Raise BrokerAwayError when the connection has ended."""
        while True:
            self._woken.clear()
            now_s = _now_s()
            leftovers = self._leftovers_until_s > now_s
            self._unheard = {user: until_s for user, until_s in self._unheard.items() if leftovers or until_s > now_s}
            try:
                await self._hold(connection, self._wanted(leftovers))
            except BrokerRefusesError as error:
                if self._held == self._everybody:
                    raise
                # A list made by hand may allow everybody's filter and none of a single user.
                _log.warning("mqtt-single-users-refused", message=error.message)
                self._is_single_refused = True
                await self._hold(connection, self._wanted(leftovers))
            waits = [until_s - now_s for until_s in (*self._unheard.values(), self._leftovers_until_s)]
            with suppress(TimeoutError):
                async with asyncio.timeout(min((wait_s for wait_s in waits if wait_s > 0), default=None)):
                    await self._woken.wait()

    async def end(self, connection: Connection) -> None:
        """Subscribe to everybody before a good end. Raise BrokerAwayError or BrokerRefusesError."""
        if self._held != self._everybody:  # at QoS 0 the broker keeps nothing while we are away
            await connection.listen(self._topics.commands, retained=False)

    def _wanted(self, leftovers: bool) -> frozenset[str]:
        if self._is_single_refused or not (self._unheard or leftovers):
            return self._everybody
        return frozenset(self._topics.commands_of(user) for user in self._users() if self.hears(user))

    async def _hold(self, connection: Connection, wanted: frozenset[str]) -> None:
        begun, ended = wanted - self._held, self._held - wanted
        self._held = wanted
        qos = 0
        if wanted == self._everybody:
            qos = QOS
            self._passing.clear()
        else:
            self._begun |= begun
        # Both are on their way before the first is acknowledged: that comes behind what the broker has for us.
        await asyncio.gather(connection.listen(*begun, qos=qos, retained=False), connection.stop_listening(ended))


def _now_s() -> float:
    return asyncio.get_running_loop().time()
