"""The Bee-Tek's end of its link: lines, and nothing for what nobody has ever seen it say."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, assert_never

from protocols.bee_tek import messages as m
from protocols.bee_tek.connection import DeviceConnection
from protocols.felt_link.messages import DeckLoaded, WireButtonPressed, WireCardReturned, WireCutCardDrawn
from sim_hardware.deck import choose
from sim_hardware.shoe_events import (
    CardOut,
    DealEnded,
    ErrorBegan,
    ErrorEnded,
    LockTurned,
    PoweredOn,
    ShoeError,
    ShoeEvent,
    ShoeOrder,
)
from sim_hardware.talking_end import TalkingEnd

FRAMES: Final = re.compile(rb"(?<=\n)")
"""Where one line ends and the next begins."""
_NOT_READ: Final = m.Alarm(m.Operation.GAME_ALARM, "E3", "E3 Card Not Read")


class BeeTekEnd(TalkingEnd[DeviceConnection]):
    """The shoe's link controller. Which of a card's two letters comes first follows from the seed and its number."""

    def __init__(self, seed: int) -> None:
        super().__init__(DeviceConnection)
        self._seed: Final = seed

    def report(self, event: ShoeEvent, now_ns: int) -> None:
        """Print it, if there is a line for it."""
        line = _line(event)
        if self._connection is not None and line is not None:
            number = event.number if isinstance(event, CardOut) else 0
            self._connection.report(line, suit_first=bool(choose(2, self._seed, number)))

    def serve(self, data: bytes, now_ns: int, obey: Callable[[ShoeOrder], str | None]) -> None:
        """Nothing can be said to this shoe."""


def _line(event: ShoeEvent) -> m.ShoeLine | None:
    match event:
        case CardOut():
            return m.CardPassed(m.Operation.MANUAL_BURN_CARDS, event.face)
        case ErrorBegan(ShoeError.CANNOT_READ):
            return _NOT_READ
        case ErrorBegan() | ErrorEnded() | PoweredOn() | WireCutCardDrawn() | WireCardReturned():
            return None
        case DeckLoaded() | LockTurned() | DealEnded() | WireButtonPressed():
            return None
        case _:
            assert_never(event)
