"""What the people at the bench share: whom they ask, how fast they are, and the cards that each of them may see."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import field
from typing import Final, TypeAlias

from daemon.table.state import NO_CARDS_OUT
from daemon.table.vocabulary import Actor, Decision
from daemon.tools.bench.client import Document, EventHeard, TableClient
from daemon.tools.bench.guests import Guests
from daemon.tools.bench.keys import Keys
from drivers.events import Button
from protocols.cards import Face
from protocols.frozen import dataclass
from sim_hardware.pace import Knob

PLAY_BLOCKED: Final = "play-blocked"
"""The code of an answer while an alert blocks play: the same is asked again when the alert is cleared."""
POSITION_HELD: Final = "position-held"
"""The code of an answer to a player who asks where another one bet."""

Duty: TypeAlias = Callable[[EventHeard], Awaitable[None]]
"""What a person does when an event is heard."""
Duties: TypeAlias = Mapping[str, Duty]
"""By the kind of event that calls for them."""
FINGER_S: Final = 0.06
"""Also at speed 0 a finger is slower than contacts that bounce: the same decision sooner again is taken for those."""


@dataclass(frozen=True, slots=True)
class DealingPace:
    """How long people take at speed 1, in seconds. At speed 0 nobody waits."""

    speed: float
    knob: Knob | None = None  # goes before `speed`
    bets_s: float = 2.0
    green_s: float = 1.0
    take_s: float = 0.8
    decide_s: float = 1.5
    seat_s: float = 2.5
    gather_s: float = 2.0
    supervisor_s: float = 3.0

    async def wait(self, seconds: float) -> None:
        """Wait for so many seconds of speed 1."""
        speed = self.speed if self.knob is None else self.knob.speed
        if speed > 0:
            await asyncio.sleep(seconds / speed)


@dataclass(slots=True)
class Dealing:
    """The cards and chips on one table. Mutable: the dealer lays cards down and gathers them, players put chips."""

    client: Final[TableClient]
    keys: Final[Keys]
    pace: Final[DealingPace]
    seed: Final[int]
    seats: Final[int]
    hands: Final[dict[int, tuple[Face, ...]]] = field(default_factory=dict)
    """What really lies at each place. Players may see their own cards. The dealer may see open and turned cards."""
    first_hands: Final[dict[int, tuple[Face, ...]]] = field(default_factory=dict)
    """What was dealt to each place, before any draw."""
    picked_up: tuple[Face, ...] = ()
    """The deck that came out whole last, where a deck is dealt by hand."""
    rest: int = 0
    """How many cards of the deck nobody got, when the table asks for that count."""
    partly_open: Final[dict[int, int]] = field(default_factory=dict)
    """How many cards of a place lie open, if not all of them do."""
    staked: Final[set[int]] = field(default_factory=set)
    """The seats with chips."""
    staked_by_guests: Final[set[int]] = field(default_factory=set)
    """The seats where a guest bet, who holds them until the round ends."""
    newest_prompt: int = 0
    """The sequence of the prompt that stands on the dealer's screen."""
    unanswered: EventHeard | None = None
    """The question whose answer the table refused while an alert blocked play."""
    guests: Final[Guests] = field(default_factory=Guests)

    def lay(self, seat: int, faces: tuple[Face, ...], *, is_drawn: bool) -> None:
        """Lay cards at a place: a new hand, or cards that are drawn to the kept ones."""
        self.hands[seat] = (*self.hands.get(seat, ()), *faces) if is_drawn else faces
        if not is_drawn:
            self.first_hands[seat] = faces

    def lying_open(self, seat: int) -> tuple[Face, ...]:
        """Return what the dealer reads when the table asks for the cards of a place."""
        return self.hands.get(seat, ())[: self.partly_open.get(seat)]

    def given_up(self, seat: int) -> tuple[Face, ...]:
        """Return what was dealt to this place and lies face down there, because its player draws others."""
        held = self.hands.get(seat, ())
        return tuple(face for face in self.first_hands.get(seat, ()) if face not in held)

    def gather(self) -> None:
        """Take away the cards of the last round."""
        self.hands.clear()
        self.first_hands.clear()
        self.partly_open.clear()

    async def say(self, asked: EventHeard, command: str, key: Button, **data: object) -> None:
        """Tell the table what the asked player wants: by the dealer's key if there is a pad, else by a command."""
        if asked.data["seat"] in self.guests.seats:
            self.guests.ask(asked)
            return
        await self.pace.wait(self.pace.decide_s)
        if self.keys.has_pad:
            await asyncio.sleep(FINGER_S)
            await self.keys.press(key)
        else:
            answer = await self.ask_for(asked.data["seat"], command, asked.round_id, **data)
            if answer.get("code") == PLAY_BLOCKED:
                self.unanswered = asked

    async def ask_for(self, seat: int, command: str, round_id: str | None, **data: object) -> Document:
        """Ask what a player asks. At a seat that a guest left with chips on it, the dealer speaks for them."""
        answer = await self.client.ask(command, Actor.PLAYER, round_id, seat=seat, **data)
        if answer.get("code") != POSITION_HELD:
            return answer
        return await self.client.ask(command, Actor.DEALER, round_id, seat=seat, **data)

    async def decide(self, asked: EventHeard, decision: Decision, key: Button, **data: object) -> None:
        """Tell the table what the asked player decides."""
        await self.say(asked, "decide", key, decision=decision.value, **data)

    async def count_the_rest(self, asked: EventHeard) -> None:
        """Tell the table how many cards of the deck nobody got."""
        await self.pace.wait(self.pace.gather_s)
        await self.client.ask("stub-count", Actor.DEALER, asked.round_id, count=self.rest)

    @property
    def is_between_rounds(self) -> bool:
        """Return whether no card of a round lies on the table."""
        return self.client.state.get("table", {}).get("phase") in {phase.value for phase in NO_CARDS_OUT}
