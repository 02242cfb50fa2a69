"""The table as its people see it: whom they ask, how fast they are, and the cards that each of them may look at."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from daemon.table.state import Phase
from daemon.table.vocabulary import Actor, Decision
from daemon.tools.bench.client import EventHeard, TableClient
from daemon.tools.bench.keys import Keys
from drivers.events import Button
from protocols.cards import Face

Duty: TypeAlias = Callable[[EventHeard], Awaitable[None]]
"""What somebody does at an event."""
Duties: TypeAlias = Mapping[str, Duty]
"""By the event that calls for them."""


@dataclass(frozen=True, slots=True)
class DealingPace:
    """How long people take at speed 1, in seconds; a speed of 0 is without waiting."""

    speed: float
    bets_s: float = 2.0
    green_s: float = 1.0
    take_s: float = 0.8
    decide_s: float = 1.5
    seat_s: float = 2.5
    gather_s: float = 2.0
    supervisor_s: float = 3.0

    async def wait(self, seconds: float) -> None:
        """Take that long."""
        if self.speed > 0:
            await asyncio.sleep(seconds / self.speed)


@dataclass(slots=True)
class Dealing:
    """One table. Mutable: the dealer's hands lay cards down and gather them, and the players put chips."""

    client: Final[TableClient]
    keys: Final[Keys]
    pace: Final[DealingPace]
    seed: Final[int]
    seats: Final[int]
    hands: Final[dict[int, tuple[Face, ...]]] = field(default_factory=dict)
    """What really lies at each place. A player may look at his own; a dealer at what lies open, or is turned over."""
    partly_open: Final[dict[int, int]] = field(default_factory=dict)
    """How many cards of a place lie open, where not all of them are turned over with the first."""
    staked: Final[set[int]] = field(default_factory=set)
    """The seats with chips before them."""

    def lay(self, seat: int, faces: tuple[Face, ...], *, is_drawn: bool) -> None:
        """Cards come to a place: a hand, or what is drawn to the cards that were kept."""
        self.hands[seat] = (*self.hands.get(seat, ()), *faces) if is_drawn else faces

    def lying_open(self, seat: int) -> tuple[Face, ...]:
        """What the dealer reads when he is asked for the cards of a place."""
        return self.hands.get(seat, ())[: self.partly_open.get(seat)]

    def gather(self) -> None:
        """The cards of the last round are gone."""
        self.hands.clear()
        self.partly_open.clear()

    async def say(self, asked: EventHeard, command: str, key: Button, **data: object) -> None:
        """The player who is asked says what he wants; the dealer presses its key, or the table is told it."""
        await self.pace.wait(self.pace.decide_s)
        if self.keys.has_pad:
            await self.keys.press(key)
        else:
            await self.client.ask(command, Actor.PLAYER, asked.round_id, seat=asked.data["seat"], **data)

    async def decide(self, asked: EventHeard, decision: Decision, key: Button, **data: object) -> None:
        """What he decides on his cards."""
        await self.say(asked, "decide", key, decision=decision.value, **data)

    @property
    def is_between_rounds(self) -> bool:
        """Whether no card of a round lies on the felt."""
        return self.client.state.get("table", {}).get("phase") in (Phase.IDLE.value, Phase.BETTING.value)
