"""Which command may still be asked, while a user's later one can pass an earlier one.

Theory of operation. `daemon.mqtt.hearing` subscribes to everybody at QoS 1, and in a flood to single users at QoS 0.
What comes at QoS 0 passes what the broker has for us at QoS 1, and in that are earlier commands of the same users. A
stake replaces the one that lies there, so an earlier command that is taken last would leave the wrong stake. While
single users are subscribed, a command that comes at QoS 1 was sent under the subscription before. It is refused if one
of the same user came at QoS 0 meanwhile. Who publishes at QoS 0 has no command at QoS 1, and none is refused. All this
is forgotten at one moment: before the subscription to everybody is sent. What is sent under that one comes at QoS 1
too, perhaps before its acknowledgement, and is in order. It would come behind what is left of the flood, so it is not
sent before nothing of that came for `LEFTOVERS_S`. For as long after it, it is the other way round: what comes late at
QoS 0 is refused if one at QoS 1 came before it.

A command that was sent at a change comes twice, once at each QoS. If the first copy was refused, the second must not be
taken: a later command may have been taken between them. So until `LEFTOVERS_S` after a change it is noted at which QoS
each command came first. For `COPIES_S` more the copy at the other QoS is refused, too. What was taken has its
answer in the journal, and each copy gets that answer.

A command that was on its way to us when a connection ended is sent again, and the broker says so. Mosquitto and
RabbitMQ begin the next connection with these. NATS waits until 30 s after it first sent one, and meanwhile brings what
was sent later; so it does with what exceeds the 1,024 that may be unacknowledged. So one that is sent again is refused
if another of the same user came on this connection that is not sent again. It is also refused if it comes later than
the first moments of a connection, and not so late that it can only be of this one: a later command may have been taken
on the connection before. That one can have been another process's, so what we remember would not tell. What was taken
on connections before does not count in those first moments: at the other brokers each user's command under way would be
refused in vain.

A process that dies in a flood forgets whose commands it heard at QoS 0. So the journal has a mark from before the first
single user is subscribed, until no copy can come any longer after the return. A process that finds the mark acts as if
a later command of everybody had been taken. It begins with single users, and refuses what the broker has at QoS 1 until
nothing of that came for `LEFTOVERS_S`. While the table is away in a flood the broker keeps nothing at QoS 0. If the
table was ended well, or died at a change, the broker kept commands at QoS 1 meanwhile. Those are refused in vain.
"""

from __future__ import annotations

import asyncio
from math import inf
from typing import Final, Protocol

import aiomqtt

from daemon.mqtt.client import QOS

LEFTOVERS_S: Final = 5.0  # far longer than the broker waits between two messages that it has for us
COPIES_S: Final = 60.0  # behind what came meanwhile, the broker may have a copy for as long as for a flood
COPIES_MAX: Final = 10_000  # far more commands than are answered in a change
AT_ONCE_S: Final = 2.0  # Mosquitto and RabbitMQ have sent again by then what was under way
AGAIN_S_MAX: Final = 60.0  # twice as long as NATS waits
MARK: Final = "single-users"


class Marks(Protocol):
    """The journal, as the order of commands uses it."""

    def has_mark(self, name: str) -> bool:
        """Return whether this mark is set."""

    def set_mark(self, name: str, is_set: bool) -> None:
        """Set or remove a mark, which then is on the disk."""


class Order:
    """What came at which QoS, and what that says. `begin` each connection, `turn_to` another subscription."""

    def __init__(self, marks: Marks) -> None:
        self._marks = marks
        self._passing: set[str] = set()  # of whom a command came at the later QoS
        self._may_all_have_passed = marks.has_mark(MARK)  # the process before this one knew who
        self._later_qos = 0 if self._may_all_have_passed else QOS  # what comes at the other one was sent before
        self._leftovers_until_s = 0.0
        self._change_until_s = 0.0  # without an end until the broker has answered
        self._first_qos: dict[int, int] = {}  # at which QoS a command came first, by its hash
        self._served_s = inf  # since when this connection is served
        self._came_new: set[str] = set()  # of whom a command came on this connection that is not sent again

    @property
    def is_single(self) -> bool:
        """Whether single users are subscribed, or were by a process that died."""
        return self._later_qos == 0

    def has_leftovers(self) -> bool:
        """Return whether the broker may still have something of a flood for us."""
        return self._leftovers_until_s > _now_s()

    def ends_s(self) -> tuple[float, ...]:
        """Return when something here ends, and another subscription or `forget` may be due."""
        return self._leftovers_until_s, self._change_until_s, self._change_until_s + COPIES_S

    def begin(self) -> None:
        """Note that a connection begins."""
        self._came_new.clear()
        self._served_s = inf
        if self.is_single:
            self._leftovers_until_s = _now_s() + LEFTOVERS_S
        if self._marks.has_mark(MARK):  # what was not acknowledged comes again
            self._change_until_s = inf

    def note_served(self) -> None:
        """Note that the table takes commands on this connection from now on: what came before is in the next moment."""
        self._served_s = _now_s()

    def turn_to(self, qos: int, *, is_change: bool) -> None:
        """Note what is about to be subscribed: single users at QoS 0, or everybody. Each can follow itself, too."""
        if qos != self._later_qos:
            self._later_qos = qos
            self._passing.clear()
            self._may_all_have_passed = False
        if self.is_single:
            self._set_mark(True)
        if is_change and self._marks.has_mark(MARK):
            self._change_until_s = inf

    def note_turned(self) -> None:
        """Note that the broker has answered."""
        if self._change_until_s == inf:
            self._change_until_s = _now_s() + LEFTOVERS_S
            if self.is_single:  # until now commands were sent at QoS 1
                self._leftovers_until_s = self._change_until_s

    def note_came(self, qos: int) -> None:
        """Note that a command came, of whomever it is."""
        if self.is_single and qos > 0:
            self._leftovers_until_s = _now_s() + LEFTOVERS_S

    def is_overtaken(self, user: str, message: aiomqtt.Message, *, is_again: bool) -> bool:
        """Note a command of a user who is heard. Return whether it or a later one may have been answered before."""
        if not is_again:
            self._came_new.add(user)
        one, is_change = hash((str(message.topic), message.payload)), _now_s() < self._change_until_s
        if self._first_qos.get(one, message.qos) != message.qos:
            return True
        if is_change and len(self._first_qos) < COPIES_MAX:
            self._first_qos[one] = message.qos
        if is_again and (user in self._came_new or AT_ONCE_S < _now_s() - self._served_s < AGAIN_S_MAX):
            return True
        if message.qos != self._later_qos:
            return self._may_all_have_passed or user in self._passing
        if is_change or self.is_single:
            self._passing.add(user)
        return False

    def forget(self) -> None:
        """Forget what came at a change, if no copy of it can come any longer. With everybody the mark can go, too."""
        if not self.is_single and _now_s() >= self._change_until_s:
            self._passing.clear()
        if _now_s() >= self._change_until_s + COPIES_S:
            self._first_qos.clear()
            if not self.is_single:
                self._set_mark(False)

    def _set_mark(self, is_set: bool) -> None:
        if self._marks.has_mark(MARK) != is_set:
            self._marks.set_mark(MARK, is_set)


def _now_s() -> float:
    return asyncio.get_running_loop().time()
