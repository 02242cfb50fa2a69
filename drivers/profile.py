"""What is known of a kind of device, as data. A new model of a known family is one `Profile` in `profiles`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum
from typing import Final

from drivers.addresses import Address
from drivers.events import Button, DeviceName
from protocols.angel_eye.options import AngelEyeOptions
from protocols.frozen import dataclass

_S: Final = 1_000_000_000


class DeviceRole(Enum):
    """What a device is at the table."""

    SHUFFLER = "shuffler"
    SHOE = "shoe"
    BUTTONS = "buttons"
    STAKES = "stakes"


class Capability(Enum):
    """What the table may count on."""

    FACES = "faces"
    COUNTS = "counts"
    COMMANDS = "commands"
    BUTTONS = "buttons"
    STAKES = "stakes"  # sees which stakes lie on the felt
    BATCH = "batch"  # a shuffled deck comes out whole, as a remainder after no packet, and is dealt by hand
    KEEPS_EVENTS = "keeps-events"  # until they are acknowledged: a lost connection loses nothing
    NUMBERS = "numbers"  # a report that comes twice is recognised
    CUT_CARD = "cut-card"  # a shoe says when the cut card came out
    RETURNS = "returns"  # a shoe says when a card was put back
    LOADS = "loads"  # a shoe says when decks were put in


class Evidence(Enum):
    """What stands behind a profile: the best that was seen of such a device. No log, no driver."""

    PAPER = "paper"
    EMULATOR = "emulator"
    RECORDING = "recording"
    HARDWARE = "hardware"

    @property
    def meaning(self) -> str:
        """Return what it means for a house that configures such a device."""
        return _MEANINGS[self]


_MEANINGS: Final = {
    Evidence.PAPER: "public accounts of its link, and an emulator made from them; no such device was heard",
    Evidence.EMULATOR: "its open specification, and emulators made from it; no such device was heard",
    Evidence.RECORDING: "recordings of such a device, which feltd reads as people saw its cards",
    Evidence.HARDWARE: "such a device, which was played with at a table",
}


@dataclass(frozen=True, slots=True)
class LineSettings:
    """How a serial port is set: eight data bits, no parity, one stop bit, and the two modem lines that we drive.

    Some adapters wire a device's reset to DTR or RTS. The profile of such a device says what they must be.
    """

    baud: int
    dtr: bool = True
    rts: bool = True


@dataclass(frozen=True, slots=True)
class Firmware:
    """A range of versions in dotted numbers: `least` and later, but before `below`."""

    least: str | None = None
    below: str | None = None

    def admits(self, version: str) -> bool:
        """Return whether a version lies in the range. Text that is not dotted numbers lies only in the open range."""
        if self.least is None and self.below is None:
            return True
        number = _number(version)
        if number is None:
            return False
        is_least = self.least is None or number >= (_number(self.least) or ())
        return is_least and (self.below is None or number < (_number(self.below) or ()))

    def __str__(self) -> str:
        parts = (self.least and f"{self.least} or later", self.below and f"before {self.below}")
        return " and ".join(part for part in parts if part) or "any"


def _number(version: str) -> tuple[int, ...] | None:
    parts = version.split(".")
    return tuple(int(part) for part in parts) if all(p.isascii() and p.isdecimal() for p in parts) else None


@dataclass(frozen=True, slots=True)
class Freshness:
    """How long a device may be silent.

    After `stale_ns` the device is stale. It is fresh again only after `steady_ns` without another such silence, so that
    a flickering line does not flicker at the table. After `reopen_ns` feltd opens a new connection, because the one to
    a device server that lost power still looks sound.
    """

    stale_ns: int = 3 * _S
    steady_ns: int = 1 * _S
    reopen_ns: int = 30 * _S


NEVER_NS: Final = 100 * 365 * 86_400 * _S
SPEAKS_ONLY_OF_CARDS: Final = Freshness(stale_ns=NEVER_NS, reopen_ns=NEVER_NS)
"""For a link without signs of life. There, silence is an idle table, or a cable that was pulled at the shoe."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A kind of device. `models` are those that its hello may name. Empty `models` admit any model.

    `options` are those of the codec, where its protocol has any. A device that `is_asked` says nothing by itself: its
    driver reads it again and again.
    """

    name: str
    title: str
    role: DeviceRole
    protocol: str
    line: LineSettings
    evidence: Evidence
    capabilities: frozenset[Capability]
    models: frozenset[str] = frozenset()
    firmware: Firmware = Firmware()
    freshness: Freshness = Freshness()
    keys: Mapping[str, Button] = field(default_factory=dict)
    options: AngelEyeOptions | None = None
    is_asked: bool = False

    def can(self, capability: Capability) -> bool:
        """Return whether the table may count on this capability."""
        return capability in self.capabilities


@dataclass(frozen=True, slots=True)
class DeviceSettings:
    """One configured device. `serial` is the number that its hello must give. None takes any device of the profile."""

    name: DeviceName
    address: Address
    profile: Profile
    serial: str | None = None
