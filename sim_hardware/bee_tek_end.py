"""The Bee-Tek's end of its link. An event without a known line is not sent."""

from __future__ import annotations

from typing import Final, assert_never

from protocols.bee_tek import messages as m
from sim_hardware import shoe_events as e

_NOT_READ: Final = m.Alarm(m.Operation.GAME_ALARM, "E3", "E3 Card Not Read")


def line_for(event: e.ShoeEvent) -> m.ShoeRecord | None:
    """Return what the shoe sends of an event, or None."""
    match event:
        case e.CardOut():
            return m.CardPassed(m.Operation.MANUAL_BURN_CARDS, event.face)
        case e.ErrorBegan(e.ShoeError.CANNOT_READ):
            return _NOT_READ
        case e.ErrorBegan() | e.ErrorEnded() | e.PoweredOn() | e.WireCutCardDrawn() | e.WireCardReturned():
            return None
        case e.DeckLoaded() | e.LockTurned() | e.DealEnded() | e.WireButtonPressed():
            return None
        case _:
            assert_never(event)
