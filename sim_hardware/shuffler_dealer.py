"""An automatic dealer at a shuffler: takes each packet, gathers the cards, puts the next deck in, at dealing pace.

Jams, doors and keys are left to the person at the control interface.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Final

from sim_hardware.mechanism import Refused
from sim_hardware.pace import S
from sim_hardware.shuffler import Shuffler
from sim_hardware.shuffler_states import State, Stimulus, refusal

RETRY_NS: Final = S
"""What the machine refused is tried again after this, at any speed."""


class _Chore(Enum):
    """What the dealer's hands are about to do."""

    TAKE = "take"
    LOAD = "load"


class ShufflerDealer:
    """Looks at the machine, and does what it waits for some time later."""

    def __init__(self, machine: Shuffler, give_deck: Callable[[int], Refused | None]) -> None:
        """`give_deck` puts the next deck in."""
        self._machine: Final = machine
        self._give_deck: Final = give_deck
        self._chore: _Chore | None = None
        self._due_ns: int | None = None

    def next_timeout_ns(self) -> int | None:
        """Return when the present chore is due."""
        return self._due_ns

    def handle_timeout(self, now_ns: int) -> None:
        """Do the chore if it is due. If the machine refuses, try again later."""
        self._look(now_ns)
        if self._due_ns is None or now_ns < self._due_ns:
            return
        self._due_ns = now_ns + RETRY_NS
        refused = self._machine.take_packet(now_ns) if self._chore is _Chore.TAKE else self._give_deck(now_ns)
        if refused is None:
            self._chore = self._due_ns = None  # the same chore may be there again at once
            self._look(now_ns)

    def _look(self, now_ns: int) -> None:
        machine, pace = self._machine, self._machine.settings.pace
        chore = None
        if machine.places.tray and refusal(machine.state, Stimulus.TAKE) is None:
            chore = _Chore.TAKE
        elif machine.state is State.EMPTY:
            chore = _Chore.LOAD
        if chore is not self._chore:
            self._chore, self._due_ns = chore, None
            if chore is not None:
                self._due_ns = now_ns + pace.lasts_ns(pace.take_ns if chore is _Chore.TAKE else pace.gather_ns)
