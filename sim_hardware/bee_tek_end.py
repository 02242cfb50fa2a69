"""The Bee-Tek's end of its link. An event without a known line is not sent."""

from __future__ import annotations

from typing import Final, assert_never

from protocols.bee_tek import messages as m
from protocols.felt_link.messages import DeckLoaded, WireButtonPressed, WireCardReturned, WireCutCardDrawn
from sim_hardware.shoe_events import (
    CardOut,
    DealEnded,
    ErrorBegan,
    ErrorEnded,
    LockTurned,
    PoweredOn,
    ShoeError,
    ShoeEvent,
)

_NOT_READ: Final = m.Alarm(m.Operation.GAME_ALARM, "E3", "E3 Card Not Read")


def line_for(event: ShoeEvent) -> m.ShoeLine | None:
    """Return what the shoe sends of an event, or None."""
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
