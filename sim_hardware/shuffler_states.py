"""The emulated shuffler's states, and which stimulus moves which state where.

    EMPTY --load--> LOADED --start--> SHUFFLING --shuffled--> READY --dispense--> DISPENSING --packet-out--> OFFERED
      ^                                                         ^                                              |
      |                                                         +--------------------- take -------------------+
      +---------- ejected -- EJECTING <--eject, reshuffle -- READY, OFFERED, UNPROVEN

At rest the state follows from what lies where: nothing inside is EMPTY; a deck put in and not yet shuffled is
LOADED; a rack in a proven order is READY, or OFFERED while a packet waits in the tray, or LAST_OFFERED when that
packet was the last; cards that the machine no longer vouches for are UNPROVEN (a wrong count, a freed jam, an
opened door, a power failure), and all it does with them is eject them. Where one stimulus can end in more than one
state, the table lists them all and the contents decide.

Locked and door open are not states: they hold in any of them, and refuse whatever would start a motor.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final

from protocols.felt_link import messages
from protocols.felt_link.messages import Refusal
from sim_hardware.mechanism import Refused


class State(Enum):
    """What the machine is doing."""

    __hash__ = object.__hash__  # Enum hashes the name, in Python; a member is one object

    EMPTY = "empty"
    LOADED = "loaded"
    SHUFFLING = "shuffling"
    READY = "ready"
    DISPENSING = "dispensing"
    OFFERED = "packet in the tray"
    LAST_OFFERED = "last packet in the tray"
    EJECTING = "ejecting"
    UNPROVEN = "holding unproven cards"
    JAMMED = "jammed"
    BOOTING = "starting up"


class Stimulus(Enum):
    """What can happen to it: orders, hands, and its own motors."""

    __hash__ = object.__hash__  # Enum hashes the name, in Python; a member is one object

    LOAD = "load"
    TAKE = "take"
    PRESS = "press"
    OPEN_DOOR = "open"
    CLOSE_DOOR = "close"
    CLEAR = "clear"
    REBOOT = "reboot"
    SET_MODE = "set mode"
    DISPENSE = "dispense"
    EJECT = "eject"
    RESHUFFLE = "reshuffle"
    LOCK = "lock"
    UNLOCK = "unlock"
    LAMP = "lamp"
    START = "start"
    SHUFFLED = "shuffled"
    PACKET_OUT = "packet out"
    EJECTED = "ejected"
    STUCK = "stuck"
    BOOTED = "booted"


MOTORS: Final = frozenset({State.SHUFFLING, State.DISPENSING, State.EJECTING})
OWN: Final = frozenset(
    {Stimulus.START, Stimulus.SHUFFLED, Stimulus.PACKET_OUT, Stimulus.EJECTED, Stimulus.STUCK, Stimulus.BOOTED}
)
"""What the machine does by itself. No order and no hand asks for these."""

STIMULI: Final[Mapping[type[messages.WireCommand], Stimulus]] = {
    messages.SetMode: Stimulus.SET_MODE,
    messages.Dispense: Stimulus.DISPENSE,
    messages.EjectRemainder: Stimulus.EJECT,
    messages.Reshuffle: Stimulus.RESHUFFLE,
    messages.Lock: Stimulus.LOCK,
    messages.Unlock: Stimulus.UNLOCK,
    messages.SetLamp: Stimulus.LAMP,
}
"""What each order is to the machine."""

_S, _T = Stimulus, State
_AT_REST: Final = (_T.EMPTY, _T.LOADED, _T.READY, _T.OFFERED, _T.LAST_OFFERED, _T.UNPROVEN, _T.JAMMED)
_RESTING_PLACES: Final = (_T.EMPTY, _T.LAST_OFFERED, _T.UNPROVEN)

_OWN_WAYS: Final[Mapping[State, Mapping[Stimulus, tuple[State, ...]]]] = {
    _T.EMPTY: {_S.LOAD: (_T.LOADED,), _S.RESHUFFLE: (_T.EMPTY,)},
    _T.LOADED: {_S.START: (_T.SHUFFLING,)},
    _T.SHUFFLING: {
        _S.SHUFFLED: (_T.READY, _T.UNPROVEN),
        _S.RESHUFFLE: (_T.SHUFFLING,),
        _S.OPEN_DOOR: (_T.JAMMED,),
    },
    _T.READY: {
        _S.DISPENSE: (_T.DISPENSING,),
        _S.EJECT: (_T.EJECTING,),
        _S.RESHUFFLE: (_T.SHUFFLING, _T.EJECTING),
        _S.OPEN_DOOR: (_T.UNPROVEN,),
    },
    _T.DISPENSING: {
        _S.PACKET_OUT: (_T.OFFERED, _T.LAST_OFFERED),
        _S.STUCK: (_T.JAMMED,),
        _S.OPEN_DOOR: (_T.JAMMED,),
    },
    _T.OFFERED: {
        _S.TAKE: (_T.READY,),
        _S.EJECT: (_T.EJECTING,),
        _S.RESHUFFLE: (_T.EJECTING,),
        _S.OPEN_DOOR: (_T.UNPROVEN,),
    },
    _T.LAST_OFFERED: {_S.TAKE: (_T.EMPTY,), _S.RESHUFFLE: (_T.LAST_OFFERED,)},
    _T.EJECTING: {
        _S.EJECTED: (_T.EMPTY, _T.LAST_OFFERED),
        _S.TAKE: (_T.EJECTING,),
        _S.OPEN_DOOR: (_T.JAMMED,),
    },
    _T.UNPROVEN: {_S.EJECT: (_T.EJECTING,), _S.RESHUFFLE: (_T.EJECTING,), _S.TAKE: (_T.UNPROVEN,)},
    _T.JAMMED: {_S.CLEAR: _RESTING_PLACES, _S.TAKE: (_T.JAMMED,)},
    _T.BOOTING: {_S.BOOTED: (*_RESTING_PLACES, _T.LOADED, _T.JAMMED), _S.TAKE: (_T.BOOTING,)},
}


def _with_common_ways(state: State) -> Mapping[Stimulus, tuple[State, ...]]:
    """Add what all states have: door and power always, keys and switches while it is on, the mode while it rests."""
    ways: dict[Stimulus, tuple[State, ...]] = {_S.OPEN_DOOR: (state,), _S.CLOSE_DOOR: (state,)}
    ways[_S.REBOOT] = (State.BOOTING,)
    if state is not State.BOOTING:
        ways |= dict.fromkeys((_S.PRESS, _S.LOCK, _S.UNLOCK, _S.LAMP), (state,))
    if state in _AT_REST:
        ways[_S.SET_MODE] = (state,)
    return MappingProxyType(ways | dict(_OWN_WAYS[state]))


TRANSITIONS: Final[Mapping[State, Mapping[Stimulus, tuple[State, ...]]]] = MappingProxyType(
    {state: _with_common_ways(state) for state in State}
)
"""Where a stimulus can lead. A stimulus that is missing is refused."""

_WHY_NOT: Final[Mapping[State, Refusal]] = {
    State.EMPTY: Refusal.NO_DECK,
    State.LAST_OFFERED: Refusal.NO_DECK,
    State.UNPROVEN: Refusal.FAULT,
    State.JAMMED: Refusal.FAULT,
}


def refusal(state: State, stimulus: Stimulus) -> Refused | None:
    """Return why this state refuses this stimulus, or None if it takes it."""
    ways = TRANSITIONS[state]
    if stimulus in ways:
        return None
    accepted = ", ".join(way.value for way in ways if way not in OWN)
    return Refused(
        _WHY_NOT.get(state, Refusal.BUSY), f"no {stimulus.value} while {state.value}; accepted now: {accepted}"
    )
