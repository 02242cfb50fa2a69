"""The front of an emulated device, as somebody who stands before it sees it: lamps, a display of two lines, keys, tray.

A card in the tray lies face down, so a front has its back and no more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from protocols.frozen import dataclass
from sim_hardware.buttons_rig import ButtonsRig
from sim_hardware.faults import BUTTONS_FAULTS, SHOE_FAULTS, SHUFFLER_FAULTS, FaultName
from sim_hardware.shoe_rig import ShoeRig
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_states import MOTORS, State
from sim_hardware.shuffler_words import KEYS

DISPLAY_CHARS: Final = 20


@dataclass(frozen=True, slots=True)
class Fault:
    """One switch: a misbehaviour, and whether it is on."""

    name: str
    on: bool


@dataclass(frozen=True, slots=True)
class Front:
    """What is to be seen. `display` has two lines of at most 20 characters, `tray` the number of cards in it."""

    model: str
    serial: str
    lamps: dict[str, bool]
    display: tuple[str, str]
    keys: tuple[str, ...]
    tray: int | None  # None at a device without one
    faults: tuple[Fault, ...]


def front_of(rig: ShufflerRig | ShoeRig | ButtonsRig) -> Front:
    """Return what this device shows now."""
    match rig:
        case ShufflerRig():
            return _shuffler(rig)
        case ShoeRig():
            return _shoe(rig)
        case ButtonsRig():
            return _pad(rig)


def _shuffler(rig: ShufflerRig) -> Front:
    machine, places = rig.machine, rig.machine.places
    first = "LOCKED" if machine.is_locked else "DOOR OPEN" if machine.is_door_open else machine.state.value.upper()
    lamps = {
        "power": machine.state is not State.BOOTING,
        "link": rig.emulator.is_plugged,
        "motor": machine.state in MOTORS,
        "fault": machine.state is State.JAMMED or machine.is_door_open,
        "call": machine.is_lit,
    }
    second = f"RACK {len(places.rack)}  BY {machine.mode.cards}"
    identity = rig.end.identity
    return Front(
        identity.model,
        identity.serial,
        lamps,
        _lines(first, second),
        KEYS,
        len(places.tray),
        _faults(rig, SHUFFLER_FAULTS),
    )


def _shoe(rig: ShoeRig) -> Front:
    shoe = rig.shoe
    first = "ERROR" if shoe.error is not None else "LOCKED" if shoe.is_locked else "READY" if shoe.inside else "EMPTY"
    lamps = {"power": True, "link": rig.emulator.is_plugged, "fault": shoe.error is not None}
    second = shoe.error.value.upper() if shoe.error is not None else f"LEFT {len(shoe.inside)}"
    keys = KEYS if rig.kind.has_keys else ()
    return Front(f"Shoe, {rig.kind.protocol}", "", lamps, _lines(first, second), keys, None, _faults(rig, SHOE_FAULTS))


def _pad(rig: ButtonsRig) -> Front:
    lamps = {"power": True, "link": rig.emulator.is_plugged}
    return Front("Keys", "", lamps, ("", ""), rig.settings.keys, None, _faults(rig, BUTTONS_FAULTS))


def _lines(first: str, second: str) -> tuple[str, str]:
    return first[:DISPLAY_CHARS], second[:DISPLAY_CHARS]


def _faults(rig: ShufflerRig | ShoeRig | ButtonsRig, names: Sequence[FaultName]) -> tuple[Fault, ...]:
    return tuple(Fault(name.value, name in rig.faults.armed) for name in names)
