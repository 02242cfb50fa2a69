"""The commands that the table can give a device. Pure values. A device that cannot do one must refuse it.

The commands are felt-link's own, declared once in `protocols.felt_link.messages`. A driver of another protocol takes
those that its device can do.

A command has an id, which the table makes from its place in the journal. So a device recognises a command that is sent
again after a crash, and answers it without doing it twice.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from drivers.events import CommandId, DeviceName
from protocols.felt_link.messages import Dispense as Dispense
from protocols.felt_link.messages import EjectRemainder as EjectRemainder
from protocols.felt_link.messages import Lock as Lock
from protocols.felt_link.messages import Reshuffle as Reshuffle
from protocols.felt_link.messages import SetLamp as SetLamp
from protocols.felt_link.messages import SetMode as SetMode
from protocols.felt_link.messages import Unlock as Unlock
from protocols.felt_link.messages import WireCommand
from protocols.frozen import dataclass

# Why a driver refuses a command by itself. A device that refuses one gives its own reason.
DriverRefusal: TypeAlias = Literal[
    "device-restarted", "not-answered", "not-capable", "not-identified", "not-sent", "queue-full"
]
NOT_CAPABLE: Final[DriverRefusal] = "not-capable"
QUEUE_FULL: Final[DriverRefusal] = "queue-full"


DeviceCommand: TypeAlias = WireCommand


@dataclass(frozen=True, slots=True)
class CommandDue:
    """A command, its device, and the id by which it is done once."""

    id: CommandId
    device: DeviceName
    command: DeviceCommand
