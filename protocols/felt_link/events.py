"""The events of a connection for the program that owns it: first the host's, then the device's."""

from __future__ import annotations

from enum import Enum
from typing import Final, TypeAlias

from protocols.felt_link import messages as m
from protocols.frozen import dataclass


class Standing(Enum):
    """What a hello means for what the host knows of the device."""

    FIRST = "first"  # the host knows nothing of it
    RESUMED = "resumed"  # the same store: every event that it has not will come
    RESTARTED = "restarted"  # another store: what was never sent is gone
    REUSED = "reused"  # another store under the boot of this one: its events cannot be told from those that are known


@dataclass(frozen=True, slots=True)
class Greeted:
    """A device said hello. Answer with `welcome` or `refuse`. `version` is None if there is none in common.

    Without a common version, or with the standing `REUSED`, it can only be refused.
    `missing` counts the events that the device no longer keeps and the host never had.
    """

    hello: m.Hello
    version: int | None
    standing: Standing
    missing: int


@dataclass(frozen=True, slots=True)
class Delivered:
    """The next event in order, exactly once. Acknowledge it when it is on disk."""

    boot: str
    seq: int
    resent: bool
    event: m.WireEvent | m.Unintelligible


@dataclass(frozen=True, slots=True)
class Answered:
    """The device accepted a command, or refused it."""

    command_id: str
    refusal: str | None


@dataclass(frozen=True, slots=True)
class Dropped:
    """The device restarted before it answered. It may have done the command, so it is not repeated."""

    command_id: str


FOREIGN_ORDER: Final = "foreign-order"
"""The oddity of a device that answers an order which this host did not give: somebody else gives it orders."""


@dataclass(frozen=True, slots=True)
class DeviceOddity:
    """The device sent something sound that makes no sense, but nothing was lost."""

    code: str
    detail: str


HostSideEvent: TypeAlias = Greeted | Delivered | Answered | Dropped | DeviceOddity


@dataclass(frozen=True, slots=True)
class Linked:
    """A host has welcomed the device and has everything up to `seq` on disk."""

    seq: int


@dataclass(frozen=True, slots=True)
class Unlinked:
    """The host fell silent or refused this device. The device seeks again."""

    reason: str


@dataclass(frozen=True, slots=True)
class Ordered:
    """The host ordered a command. The application answers it with `answer`, once."""

    id: str
    command: m.WireCommand


@dataclass(frozen=True, slots=True)
class HostOddity:
    """The host sent something sound that makes no sense. It was ignored."""

    code: str


DeviceSideEvent: TypeAlias = Linked | Unlinked | Ordered | HostOddity
