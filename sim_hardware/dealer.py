"""A dealer who needs no telling: takes each packet, gathers the cards, puts the next deck in, at dealing pace.

Jams, doors and keys are left to whoever sits at the control interface.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from sim_hardware.pace import Pace, S
from sim_hardware.shuffler_states import State, Stimulus, refusal

RETRY_NS: Final = S
"""What the machine would not take is tried again after this, at any speed."""


class Chore(Enum):
    """What the dealer's hands are about to do."""

    TAKE = "take"
    LOAD = "load"


class AutoDealer:
    """Looks at the machine, decides, and is due some time later."""

    def __init__(self, pace: Pace) -> None:
        self._pace: Final = pace
        self._chore: Chore | None = None
        self._due_ns: int | None = None

    def look(self, state: State, cards_in_tray: int, now_ns: int) -> None:
        """Begin a chore when there is one, forget it when it is no longer there."""
        chore = _chore(state, cards_in_tray)
        if chore is not self._chore:
            self._chore = chore
            self._due_ns = None if chore is None else now_ns + self._needs_ns(chore)

    def next_timeout_ns(self) -> int | None:
        return self._due_ns

    def due(self, now_ns: int) -> Chore | None:
        """The chore to do now, tried again later unless the machine has changed by then."""
        if self._due_ns is None or now_ns < self._due_ns:
            return None
        self._due_ns = now_ns + RETRY_NS
        return self._chore

    def done(self) -> None:
        """The machine took it; the same chore may be there again at once."""
        self._chore = self._due_ns = None

    def _needs_ns(self, chore: Chore) -> int:
        return self._pace.lasts_ns(self._pace.take_ns if chore is Chore.TAKE else self._pace.gather_ns)


def _chore(state: State, cards_in_tray: int) -> Chore | None:
    if cards_in_tray and refusal(state, Stimulus.TAKE) is None:
        return Chore.TAKE
    return Chore.LOAD if state is State.EMPTY else None
