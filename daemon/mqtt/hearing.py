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
before nothing of that came for `LEFTOVERS_S`, and a connection after a flood's begins with single users. For as long
after the return it is the other way round: what comes late at QoS 0 is refused if one at QoS 1 came before it.

A command that was sent at a change comes twice, once at each QoS. If the first copy was refused, the second must not be
taken: a later command may have been taken between them. So until `LEFTOVERS_S` after a change the hearing notes the QoS
at which each command came first. For `COPIES_S` more it refuses the copy at the other QoS, too. What was taken has its
answer in the journal, and each copy gets that answer.

A process that dies in a flood forgets whose commands it heard at QoS 0. So the journal has a mark from before the first
single user is subscribed, until no copy can come any longer after the return. A process that finds the mark acts as if
a later command of everybody had been taken. It begins with single users, and refuses what the broker has at QoS 1 until
nothing of that came for `LEFTOVERS_S`. While the table is away in a flood the broker keeps nothing at QoS 0. If the
table was ended well, or died at a change, the broker kept commands at QoS 1 meanwhile. Those are refused in vain.

A broker can refuse the subscription to a single user: a list made by hand may allow everybody's filter alone. RabbitMQ
closes the connection then. If that happens `SINGLE_ENDS_MAX` times before the first of them was answered, or if the
refusal is said, the table stays with everybody for `SINGLE_AGAIN_S`, and others wait behind the flood. Then nobody is
refused as overtaken, so a process that finds the mark must not give up at the first end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from contextlib import suppress
from math import inf
from typing import Final, Protocol

import aiomqtt
import structlog

from daemon.mqtt.client import QOS, Connection
from daemon.mqtt.delivery import BrokerRefusesError
from daemon.mqtt.topics import Topics
from daemon.mqtt.waiting import USERS_MAX, Allowance

REFUSED_MAX: Final = 400.0  # a terminal that sends what it kept during an outage is refused fewer
REFUSED_PER_S: Final = 10.0
UNHEARD_S: Final = 60.0  # each return of a flood that goes on makes others wait for a moment
LEFTOVERS_S: Final = 5.0  # far longer than the broker waits between two messages that it has for us
SINGLE_ENDS_MAX: Final = 2  # one can have another cause, as the flood itself
SINGLE_AGAIN_S: Final = 600.0
COPIES_S: Final = 60.0  # behind what came meanwhile, the broker may have a copy for as long as for a flood
COPIES_MAX: Final = 10_000  # far more commands than are answered in a change
MARK: Final = "single-users"

_log = structlog.get_logger(__name__)


class Marks(Protocol):
    """The journal, as the hearing uses it."""

    def has_mark(self, name: str) -> bool:
        """Return whether this mark is set."""

    def set_mark(self, name: str, is_set: bool) -> None:
        """Set or remove a mark, which then is on the disk."""


class Hearing:
    """Who floods, and the subscriptions that follow from it. `begin` each connection, then `keep` it."""

    def __init__(self, topics: Topics, users: Callable[[], Collection[str]], marks: Marks) -> None:
        self._topics = topics
        self._users = users
        self._marks = marks
        self._refused: dict[str, Allowance] = {}
        self._unheard: dict[str, float] = {}  # until when, by user
        self._everybody: Final = frozenset({topics.commands})
        self._held = self._everybody
        self._begun: set[str] = set()  # filters of single users since the start, also of who has left the file since
        self._passing: set[str] = set()  # of whom a command came at the later QoS
        self._may_all_have_passed = marks.has_mark(MARK)  # the process before this one knew who
        self._later_qos = 0 if self._may_all_have_passed else QOS  # what comes at the other one was sent before
        self._leftovers_until_s = 0.0
        self._change_until_s = 0.0
        self._first_qos: dict[int, int] = {}  # at which QoS a command came first, by its hash
        self._asks_single = False  # and has no answer of the broker yet
        self._single_ends: int | None = 0  # connections that ended before that answer; None after the first answer
        self._single_again_s = 0.0
        self._woken = asyncio.Event()

    def hears(self, user: str) -> bool:
        """Return whether this user's commands are taken."""
        return user not in self._unheard

    def is_overtaken(self, user: str, message: aiomqtt.Message) -> bool:
        """Note a command that came. Return whether it or a later one of this user may have been answered before."""
        now_s = _now_s()
        if self._later_qos == 0 < message.qos:
            self._leftovers_until_s = now_s + LEFTOVERS_S
        if not self.hears(user):
            return False  # it is dropped
        one, is_change = hash((str(message.topic), message.payload)), now_s < self._change_until_s
        if self._first_qos.get(one, message.qos) != message.qos:
            return True
        if is_change and len(self._first_qos) < COPIES_MAX:
            self._first_qos[one] = message.qos
        if message.qos != self._later_qos:
            return self._may_all_have_passed or user in self._passing
        if is_change or self._later_qos == 0:
            self._passing.add(user)
        return False

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
        if self._later_qos == 0:
            self._leftovers_until_s = _now_s() + LEFTOVERS_S
        if self._marks.has_mark(MARK):  # what was not acknowledged comes again
            self._change_until_s = inf
        if self._asks_single and self._single_ends is not None:
            self._single_ends += 1
            if self._single_ends >= SINGLE_ENDS_MAX:
                self._do_without_single("the connection ended")
        self._asks_single = False
        # A user can retain as many commands as they find names for, and each connection would begin with all of them.
        # RabbitMQ ends no subscription of the session that was not asked for on this connection, so this comes first.
        await connection.listen(self._topics.commands, retained=False)
        # A connection that ended in a flood left filters of single users in its session at the broker.
        await connection.stop_listening(self._begun | {self._topics.commands_of(user) for user in self._users()})
        if self._later_qos == 0:
            await self._hold_wanted(connection)

    async def keep(self, connection: Connection) -> None:
        """Hold the subscriptions that are wanted now. Raise BrokerAwayError when the connection has ended."""
        while True:
            self._woken.clear()
            await self._hold_wanted(connection)
            self._forget_copies()
            changed_s, now_s = self._change_until_s, _now_s()
            ends_s = (*self._unheard.values(), self._leftovers_until_s, changed_s, changed_s + COPIES_S)
            with suppress(TimeoutError):
                async with asyncio.timeout(min((end_s - now_s for end_s in ends_s if end_s > now_s), default=None)):
                    await self._woken.wait()

    async def end(self, connection: Connection) -> None:
        """Subscribe to everybody before a good end. Raise BrokerAwayError or BrokerRefusesError."""
        if self._held != self._everybody:  # at QoS 0 the broker keeps nothing while we are away
            await connection.listen(self._topics.commands, retained=False)

    async def _hold_wanted(self, connection: Connection) -> None:
        now_s = _now_s()
        leftovers = self._leftovers_until_s > now_s
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
        if qos != self._later_qos:
            self._later_qos = qos
            self._passing.clear()
            self._may_all_have_passed = False
        if qos == 0:
            self._begun |= begun
            self._set_mark(True)
            self._asks_single = bool(begun)
        if self._everybody <= begun | ended and self._marks.has_mark(MARK):
            self._change_until_s = inf
        # Both are on their way before the first is acknowledged: that comes behind what the broker has for us.
        await asyncio.gather(connection.listen(*begun, qos=qos, retained=False), connection.stop_listening(ended))
        if self._change_until_s == inf:
            self._change_until_s = _now_s() + LEFTOVERS_S
            if qos == 0:  # until now commands were sent at QoS 1
                self._leftovers_until_s = self._change_until_s
        if self._asks_single:
            self._asks_single = False
            self._single_ends = None

    def _forget_copies(self) -> None:
        """Forget what came at a change, if no copy of it can come any longer. With everybody the mark can go, too."""
        if self._later_qos == QOS and _now_s() >= self._change_until_s:
            self._passing.clear()
        if _now_s() >= self._change_until_s + COPIES_S:
            self._first_qos.clear()
            if self._later_qos == QOS:
                self._set_mark(False)

    def _set_mark(self, is_set: bool) -> None:
        if self._marks.has_mark(MARK) != is_set:
            self._marks.set_mark(MARK, is_set)

    def _do_without_single(self, message: str) -> None:
        _log.warning("mqtt-single-users-refused", message=message, seconds=int(SINGLE_AGAIN_S))
        self._asks_single = False
        self._single_again_s = _now_s() + SINGLE_AGAIN_S


def _now_s() -> float:
    return asyncio.get_running_loop().time()
