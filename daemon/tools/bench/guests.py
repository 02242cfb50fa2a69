"""People who sit down at the bench's table: nobody of the bench bets or decides at their seats, and the deal waits."""

from __future__ import annotations

import asyncio
from typing import Final

from daemon.tools.bench.client import EventHeard

BETS_S_MAX: Final = 60.0
"""So long the dealer waits for a guest who does not say that the bets are down."""


class Guests:
    """The seats of guests, and what they were asked. Mutable."""

    def __init__(self) -> None:
        self.seats: Final[set[int]] = set()
        self.is_waited_for = False
        self._asked: dict[int, EventHeard] = {}
        self._is_ready = asyncio.Event()

    def sit(self, seat: int) -> None:
        """Give a guest this seat."""
        self.seats.add(seat)

    def leave(self, seat: int) -> EventHeard | None:
        """Take the seat back, and return what the guest was asked last and has perhaps not answered."""
        self.seats.discard(seat)
        if not self.seats:
            self._is_ready.set()
        return self._asked.pop(seat, None)

    def ask(self, question: EventHeard) -> None:
        """Note what a guest is asked. The answer comes from them, as a command like any player's."""
        self._asked[question.data["seat"]] = question

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
