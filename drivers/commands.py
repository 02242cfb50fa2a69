"""What the table can ask of a device. Pure values; a device that cannot do one says so, it never pretends.

The commands themselves are felt-link's, declared once in `protocols.felt_link.messages`. A driver of another protocol
takes those that its device can do.

A command carries an id that the table makes from its place in the journal, so the same command sent again
after a crash is recognised by the device and answered without being done twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from drivers.events import CommandId, DeviceName
from protocols.felt_link.messages import Dispense as Dispense
from protocols.felt_link.messages import EjectRemainder as EjectRemainder
from protocols.felt_link.messages import Lock as Lock
from protocols.felt_link.messages import Reshuffle as Reshuffle
from protocols.felt_link.messages import SetLamp as SetLamp
from protocols.felt_link.messages import SetMode as SetMode
from protocols.felt_link.messages import Unlock as Unlock
from protocols.felt_link.messages import WireCommand

# Why a driver refuses a command by itself; a device that refuses one gives its own reason.
NOT_CAPABLE: Final = "not-capable"
QUEUE_FULL: Final = "queue-full"


DeviceCommand: TypeAlias = WireCommand


@dataclass(frozen=True, slots=True)
class CommandDue:
    """A command, who is to do it, and the id by which it is done once."""

    id: CommandId
    device: DeviceName
    command: DeviceCommand
