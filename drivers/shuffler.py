"""felt-link's words to the table's and back, for every kind of device. Pure; nothing is guessed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never

from drivers import commands as c
from drivers import events as e
from drivers.buttons import pressed
from protocols.felt_link import messages as m

_LOCKED: Final = "locked"


def device_event(  # noqa: C901 - one branch an event, and nothing else
    event: m.WireEvent | m.Unintelligible, keys: Mapping[str, e.Button]
) -> e.DeviceEvent:
    """What happened, in the table's language."""
    match event:
        case m.DeckLoaded():
            return e.DeckLoaded()
        case m.ShuffleStarted():
            return e.ShuffleStarted()
        case m.ShuffleFinished(count):
            return e.ShuffleFinished(count)
        case m.PacketDispensed(position, count, faces):
            return e.PacketDispensed(position, count, faces)
        case m.PacketRemoved(position):
            return e.PacketRemoved(position)
        case m.RemainderEjected(count, faces):
            return e.RemainderEjected(count, faces)
        case m.CardDrawn() | m.CardReturned() | m.CutCardDrawn():
            return shoe_event(event)
        case m.ButtonPressed(key):
            return pressed(key, keys)
        case m.FaultRaised(fault, detail):
            return _raised(fault, detail)
        case m.FaultCleared(fault):
            return e.FaultCleared(_kind(fault))
        case m.ModeChanged(cards):
            return e.ModeChanged(cards)
        case m.PowerReturned():
            return e.Anomaly("power-returned", "the device was off in between; it has kept its events")
        case m.Unintelligible(_, _, kind, reason, _):
            # It may have been anything, a card included, so it counts as lost.
            return e.EventsLost(1, f"event {kind} cannot be understood: {reason}")
        case _:
            assert_never(event)


def shoe_event(event: m.CardDrawn | m.CardReturned | m.CutCardDrawn) -> e.DeviceEvent:
    """What happened at a felt-link shoe."""
    match event:
        case m.CardDrawn(number, face, where):
            outside = e.OutsideGame.LOCKED if where == _LOCKED else None
            return e.CardDrawn(face, e.Confidence.CHECKED, number, e.Claim(where, None), outside)
        case m.CardReturned(number):
            return e.CardReturned(number)
        case m.CutCardDrawn(number):
            return e.CutCardDrawn(number)
        case _:
            assert_never(event)


def _raised(fault: str, detail: str) -> e.FaultRaised:
    kind = _kind(fault)
    return e.FaultRaised(kind, detail if kind.value == fault else f"{fault}: {detail}".removesuffix(": "))


def _kind(fault: str) -> e.FaultKind:
    """A device may know faults that we do not; each stops play all the same."""
    return _KINDS.get(fault, e.FaultKind.OTHER)


_KINDS = {kind.value: kind for kind in e.FaultKind}


def wire_command(command: c.DeviceCommand) -> m.WireCommand:
    """What to say to have this done."""
    match command:
        case c.SetMode(cards):
            return m.SetMode(cards)
        case c.Dispense(position):
            return m.Dispense(position)
        case c.EjectRemainder():
            return m.Eject()
        case c.Reshuffle():
            return m.Reshuffle()
        case c.Lock():
            return m.Lock()
        case c.Unlock():
            return m.Unlock()
        case c.SetLamp(lit):
            return m.Lamp(lit)
        case _:
            assert_never(command)
