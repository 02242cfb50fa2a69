"""People who sit down at the bench's table: nobody of the bench bets or decides at their seats, and the deal waits."""

from __future__ import annotations

import asyncio
from typing import Final

from daemon.tools.bench.client import EventHeard

ANSWER_S_MAX: Final = 120.0
"""Who does not answer for so long has left the table."""
BETS_S_MAX: Final = 60.0
"""So long the dealer waits for a guest who does not say that the bets are down."""


class Guests:
    """The seats of guests, and what they were asked. Mutable."""

    def __init__(self) -> None:
        self.seats: Final[set[int]] = set()
        self.arriving: Final[set[int]] = set()
        """Seats at which somebody of the bench still plays this round."""
        self.is_waited_for = False
        self._asked: dict[int, tuple[EventHeard, float]] = {}
        self._is_ready = asyncio.Event()

    def sit(self, seat: int, *, is_played: bool) -> None:
        """Give a guest this seat: now, or in the next round if somebody plays there."""
        (self.arriving if is_played and seat not in self.seats else self.seats).add(seat)

    def begin_round(self) -> None:
        """Let those sit down who wait."""
        self.seats.update(self.arriving)
        self.arriving.clear()
        self._asked.clear()

    def leave(self, seat: int) -> EventHeard | None:
        """Take the seat back, and return what the guest was asked last and has perhaps not answered."""
        self.seats.discard(seat)
        self.arriving.discard(seat)
        if not self.seats:
            self._is_ready.set()
        question, _ = self._asked.pop(seat, (None, 0.0))
        return question

    def away(self, asked_now: int | None, now_s: float) -> int | None:
        """Return the seat of a guest who is asked and has not answered for long, or None."""
        question = None if asked_now is None else self._asked.get(asked_now)
        return asked_now if question is not None and now_s - question[1] > ANSWER_S_MAX else None

    def ask(self, question: EventHeard) -> None:
        """Note what a guest is asked. The answer comes from them, as a command like any player's."""
        self._asked[question.data["seat"]] = question, asyncio.get_running_loop().time()

    def ready(self) -> None:
        """Say that all guests' bets are down."""
        self._is_ready.set()

    async def bets_are_down(self) -> None:
        """Wait until the guests say that they have bet, if there are any."""
        if not self.seats:
            return
        self._is_ready.clear()
        self.is_waited_for = True
        try:
            async with asyncio.timeout(BETS_S_MAX):
                await self._is_ready.wait()
        except TimeoutError:
            pass  # who is away plays no cards in this round
        finally:
            self.is_waited_for = False
