"""The messages of felt-link as frozen values. `wording` turns them into frames and back.

The table uses the messages about a deck in a machine and about a stake as they are (see `drivers.events`). A message
whose name begins with Wire has another class for the table, because other links say the same in other words.
"""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import TypeAlias

from protocols.cards import Face
from protocols.frozen import dataclass


class Capability(StrEnum):
    """What a device says in its hello that it can do. A word that is not listed here is not an error."""

    SHUFFLER = "shuffler"
    SHOE = "shoe"
    BUTTONS = "buttons"
    STAKES = "stakes"  # sees which stakes lie on the felt
    FACES = "faces"  # reads the faces of what it gives out
    COUNTS = "counts"  # counts the cards of a deck, a packet and a remainder
    COMMANDS = "commands"  # does what the host orders
    BATCH = "batch"  # gives a shuffled deck out whole, and no packets
    LASTING = "lasting"  # its store survives loss of power


class FaultKind(StrEnum):
    """Why a device cannot go on. A device may use another word. The host then takes it as `other`."""

    JAM = "jam"
    DOOR_OPEN = "door-open"
    SHORT_DECK = "short-deck"
    LONG_DECK = "long-deck"
    SORTED_DECK = "sorted-deck"
    STORE_FULL = "store-full"
    READER = "reader"
    MOTOR = "motor"
    OTHER = "other"


class Refusal(StrEnum):
    """Why a device refuses a command. A device may use another word."""

    BUSY = "busy"
    LOCKED = "locked"
    NO_DECK = "no-deck"
    FAULT = "fault"
    STORE_FULL = "store-full"
    POSITION = "position"  # not the next packet, or one that was given already
    BAD_ARGUMENT = "bad-argument"
    NOT_CAPABLE = "not-capable"
    UNKNOWN_COMMAND = "unknown-command"
    ID_REUSED = "id-reused"  # this id was another command before


class HostRefusal(StrEnum):
    """Why a host does not work with a device that said hello."""

    VERSION = "version"
    DEVICE = "device"
    FIRMWARE = "firmware"


@dataclass(frozen=True, slots=True)
class Identity:
    """How a device identifies itself. It is the same for as long as the device runs."""

    model: str
    serial: str
    firmware: str
    capabilities: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hello:
    """Device: its identity, its versions and its store. `next_seq` is the number that the next new event gets."""

    versions: tuple[int, ...]
    identity: Identity
    boot: str
    first_kept: int
    next_seq: int


@dataclass(frozen=True, slots=True)
class Welcome:
    """Host, to the hello of `boot`: speak `version`, and send the events after `seq`, which is on the host's disk."""

    version: int
    boot: str
    seq: int


@dataclass(frozen=True, slots=True)
class Refuse:
    """Host: it does not work with this device, and why."""

    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class Beat:
    """A sign of life. A device names the last event that it sent. A host names the last that it has on disk."""

    seq: int


@dataclass(frozen=True, slots=True)
class DeckLoaded:
    """A deck was put in."""


@dataclass(frozen=True, slots=True)
class ShuffleStarted:
    """Shuffling has begun: the cards in the machine no longer have a known order."""


@dataclass(frozen=True, slots=True)
class ShuffleFinished:
    """The deck is ready to deal. `count` is None if the machine does not count."""

    count: int | None


@dataclass(frozen=True, slots=True)
class PacketDispensed:
    """Packet `position` since the shuffle, from 1, lies in the tray."""

    position: int
    count: int | None
    faces: tuple[Face, ...] | None


@dataclass(frozen=True, slots=True)
class PacketRemoved:
    """The tray is empty again."""

    position: int


@dataclass(frozen=True, slots=True)
class RemainderEjected:
    """Everything that was left came out."""

    count: int | None
    faces: tuple[Face, ...] | None


@dataclass(frozen=True, slots=True)
class WireCardDrawn:
    """Card `number` since the shoe was loaded left it. `where` is `game`, `burn`, `locked`, or the shoe's own word."""

    number: int
    face: Face
    where: str


@dataclass(frozen=True, slots=True)
class WireCardReturned:
    """Card `number` was put back."""

    number: int


@dataclass(frozen=True, slots=True)
class WireCutCardDrawn:
    """The cut card came after card `number`, or lay on top if that is 0."""

    number: int


@dataclass(frozen=True, slots=True)
class WireButtonPressed:
    """A key was pressed: one of felt-link's words, or the device's own word for it."""

    key: str


@dataclass(frozen=True, slots=True)
class StakeSeen:
    """What lies on a spot of a seat now, all chips together, in hundredths of the table's money; 0 for nothing."""

    seat: int
    spot: str
    stake_cents: int


@dataclass(frozen=True, slots=True)
class WireFaultRaised:
    """The device cannot go on."""

    fault: str
    detail: str


@dataclass(frozen=True, slots=True)
class WireFaultCleared:
    """This fault is over."""

    fault: str


@dataclass(frozen=True, slots=True)
class ModeChanged:
    """Cards in a packet from now on, by command or by hand."""

    cards_a_packet: int


@dataclass(frozen=True, slots=True)
class PowerReturned:
    """The device was off and has kept its store. Nothing that it reported is lost, but motion stopped."""


WireEvent: TypeAlias = (
    DeckLoaded
    | ShuffleStarted
    | ShuffleFinished
    | PacketDispensed
    | PacketRemoved
    | RemainderEjected
    | WireCardDrawn
    | WireCardReturned
    | WireCutCardDrawn
    | WireButtonPressed
    | StakeSeen
    | WireFaultRaised
    | WireFaultCleared
    | ModeChanged
    | PowerReturned
)


@dataclass(frozen=True, slots=True)
class Numbered:
    """An event under its number. `resent`: the device has sent it before."""

    seq: int
    resent: bool
    event: WireEvent


@dataclass(frozen=True, slots=True)
class SetMode:
    """Cards in a packet from now on."""

    cards_a_packet: int


@dataclass(frozen=True, slots=True)
class Dispense:
    """Give packet `position` since the shuffle. A packet that was given is not given again."""

    position: int


@dataclass(frozen=True, slots=True)
class EjectRemainder:
    """Give out all that is left."""


@dataclass(frozen=True, slots=True)
class Reshuffle:
    """Shuffle the whole deck that is in the machine. Eject a part of a deck, and shuffle the next one."""


@dataclass(frozen=True, slots=True)
class Lock:
    """Give out nothing, whatever is pressed, until unlocked."""


@dataclass(frozen=True, slots=True)
class Unlock:
    """Work again."""


@dataclass(frozen=True, slots=True)
class SetLamp:
    """The dealer's lamp."""

    lit: bool


WireCommand: TypeAlias = SetMode | Dispense | EjectRemainder | Reshuffle | Lock | Unlock | SetLamp


@dataclass(frozen=True, slots=True)
class Order:
    """Host: a command. The same id again is the same command again: answer it, and do not do it twice."""

    id: str
    command: WireCommand


@dataclass(frozen=True, slots=True)
class WireAnswer:
    """Device: the command is accepted (`refusal` is None), or why not. Events tell what came of it."""

    id: str
    refusal: str | None


Message: TypeAlias = Hello | Welcome | Refuse | Beat | Numbered | Order | WireAnswer


@dataclass(frozen=True, slots=True)
class Unintelligible:
    """An event that arrived whole and has no meaning in this version. `text` is evidence, and may name cards."""

    seq: int
    resent: bool
    kind: str
    reason: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class BadOrder:
    """An order whose id could be read and whose command could not. `refusal` is the answer to it."""

    id: str
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Meaningless:
    """A sound frame outside the numbering that has no meaning in this version."""

    kind: str
    reason: str


Reading: TypeAlias = Message | Unintelligible | BadOrder | Meaningless
"""All that a sound frame can turn out to be."""
