"""The commands that wait: each user's in order, and the users in turn.

Theory of operation. A user may have `SHARE_MAX` commands here, and now and then `BURST_MAX` more, as when a terminal
sends what it kept during an outage. What exceeds that is refused at once. So a flood of one user costs another user
the time of a burst, and a supervisor's command waits for at most one command of each other user.

Refusing at once, and not holding back, is what lets others through. A broker delivers in order, and many have at most
10 or 20 messages of ours unacknowledged: without the refusal a flood would fill these places, and everybody would wait
behind it. Nor can feltd stop reading the connection: the acknowledgements of its own messages come on it too. A flood
that goes on all the same is kept away by the broker: `daemon.mqtt.hearing`.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import aiomqtt

SHARE_MAX: Final = 8  # fewer than the least that a broker has unacknowledged: 10, a RabbitMQ without our file
BURST_MAX: Final = 200.0
BURST_PER_S: Final = 10.0  # a burst that was used comes back in 20 s
USERS_MAX: Final = 1_000  # remembered; a user without commands and with a whole burst can be forgotten


@dataclass(slots=True)
class Allowance:
    """What may be spent: at most `most`, and so many a second come back. `left` was computed at `at_s`."""

    most: float
    per_s: float
    at_s: float
    left: float = field(init=False)

    def __post_init__(self) -> None:
        self.left = self.most

    def spend(self, now_s: float) -> bool:
        """Spend one, or return False if there is none."""
        self.left = min(self.most, self.left + (now_s - self.at_s) * self.per_s)
        self.at_s = now_s
        if self.left < 1:
            return False
        self.left -= 1
        return True


@dataclass(slots=True)
class _Share:
    """What one user has here."""

    burst: Allowance
    waiting: deque[tuple[aiomqtt.Message, bool]] = field(default_factory=deque)
    answering: int = 0


class WaitingCommands:
    """The commands of one connection. `put` them as they come, `take` and `finish` one after the other."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._shares: dict[str, _Share] = {}
        self._turns: deque[str] = deque()  # the users who have a command waiting
        self._woken = asyncio.Event()

    def put(self, user: str, message: aiomqtt.Message, overtaken: bool = False) -> bool:
        """Queue a command. Return False, and do not queue it, if this user has too many."""
        share = self._share(user)
        if len(share.waiting) + share.answering >= SHARE_MAX and not share.burst.spend(self._now_s()):
            return False
        if not share.waiting:
            self._turns.append(user)
        share.waiting.append((message, overtaken))
        self._woken.set()
        return True

    async def take(self) -> tuple[str, aiomqtt.Message, bool]:
        """Wait for a command, and return its user, it, and whether it was overtaken.

        The user's next one comes after everybody else's turn.
        """
        while not self._turns:
            self._woken.clear()
            await self._woken.wait()
        user = self._turns.popleft()
        share = self._shares[user]
        message, overtaken = share.waiting.popleft()
        share.answering += 1
        if share.waiting:
            self._turns.append(user)
        return user, message, overtaken

    def finish(self, user: str) -> None:
        """Note that a command of this user was answered."""
        self._shares[user].answering -= 1

    def _share(self, user: str) -> _Share:
        if user not in self._shares and len(self._shares) >= USERS_MAX:
            self._shares = {name: share for name, share in self._shares.items() if share.waiting or share.answering}
        return self._shares.setdefault(user, _Share(Allowance(BURST_MAX, BURST_PER_S, self._now_s())))
