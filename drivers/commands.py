"""What the table can ask of a device. Pure values; a device that cannot do one says so, it never pretends.

A command carries an id that the table makes from its place in the journal, so the same command sent again
after a crash is recognised by the device and answered without being done twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from drivers.events import CommandId, DeviceName

# Why a driver refuses a command by itself; a device that refuses one gives its own reason.
NOT_CAPABLE: Final = "not-capable"
QUEUE_FULL: Final = "queue-full"


@dataclass(frozen=True, slots=True)
class SetMode:
    """Cards in a packet from now on."""

    cards_a_packet: int


@dataclass(frozen=True, slots=True)
class Dispense:
    """Give packet number `position` since the shuffle; a packet already given is not given again."""

    position: int


@dataclass(frozen=True, slots=True)
class EjectRemainder:
    """Give out all that is left."""


@dataclass(frozen=True, slots=True)
class Reshuffle:
    """Shuffle the whole deck that is in; of a part of one give out what is left, and shuffle the next."""


@dataclass(frozen=True, slots=True)
class Lock:
    """Give nothing, whatever is pressed, until unlocked."""


@dataclass(frozen=True, slots=True)
class Unlock:
    """Work again."""


@dataclass(frozen=True, slots=True)
class SetLamp:
    """The dealer's lamp."""

    lit: bool


DeviceCommand: TypeAlias = SetMode | Dispense | EjectRemainder | Reshuffle | Lock | Unlock | SetLamp


@dataclass(frozen=True, slots=True)
class CommandDue:
    """A command, who is to do it, and the id by which it is done once."""

    id: CommandId
    device: DeviceName
    command: DeviceCommand
