"""People who sit down at the bench's table: nobody of the bench bets or decides at their seats, and the deal waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
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
        self._asked: dict[int, tuple[EventHeard, float]] = {}
        self._when_bets_are_down: Callable[[], None] | None = None
        self._patience: asyncio.TimerHandle | None = None

    def sit(self, seat: int, *, is_played: bool) -> None:
        """Give a guest this seat: now, or in the next round if somebody of the bench plays there."""
        (self.arriving if is_played and seat not in self.seats else self.seats).add(seat)

    def begin_round(self) -> None:
        """Let those sit down who wait."""
        self.expect_no_bets()
        self.seats.update(self.arriving)
        self.arriving.clear()
        self._asked.clear()

    def stand_up(self) -> None:
        """Take all seats back: nobody else plays, and who sits there does not bet."""
        self.seats.clear()

    def leave(self, seat: int) -> EventHeard | None:
        """Take the seat back, and return what the guest was asked and has not answered."""
        self.seats.discard(seat)
        self.arriving.discard(seat)
        if not self.seats:
            self.ready()
        question, _ = self._asked.pop(seat, (None, 0.0))
        return question

    def away(self, asked_now: int | None, now_s: float) -> int | None:
        """Return the seat of a guest who is asked and has not answered for long, or None."""
        question = None if asked_now is None else self._asked.get(asked_now)
        return asked_now if question is not None and now_s - question[1] > ANSWER_S_MAX else None

    def ask(self, question: EventHeard) -> None:
        """Note what a guest is asked. The answer comes from them, as a command like any player's."""
        self._asked[question.data["seat"]] = question, asyncio.get_running_loop().time()

    def answered(self, seat: int) -> None:
        """Note that a guest answered: who leaves afterwards owes nothing."""
        self._asked.pop(seat, None)

    def all_answered(self) -> None:
        """Note that nobody is asked any longer."""
        self._asked.clear()

    @property
    def is_waited_for(self) -> bool:
        """Return whether the deal waits until the guests say that they have bet."""
        return self._when_bets_are_down is not None

    def expect_bets(self, when_down: Callable[[], None]) -> None:
        """Call `when_down` when the guests say that they have bet, when the last one leaves, or when it takes long.

        Nothing else stands still meanwhile: the dealer hears of bets, alerts and a void round as always.
        """
        self.expect_no_bets()
        self._when_bets_are_down = when_down
        self.be_patient()

    def be_patient(self) -> None:
        """Begin again to count how long it takes: somebody is there, or the bench was paused."""
        self.wait_for_ever()
        loop = asyncio.get_running_loop()
        self._patience = loop.call_later(BETS_S_MAX, self.ready) if self.is_waited_for else None
        self._asked = {seat: (question, loop.time()) for seat, (question, _) in self._asked.items()}

    def wait_for_ever(self) -> None:
        """Do not count how long it takes: the bench is paused."""
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def ready(self) -> None:
        """Say that all guests' bets are down."""
        when_down = self._when_bets_are_down
        self.expect_no_bets()
        if when_down is not None:
            when_down()

    def expect_no_bets(self) -> None:
        """Wait for nobody: betting is over."""
        self._when_bets_are_down = None
        self.wait_for_ever()
