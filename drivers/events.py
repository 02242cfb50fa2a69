"""Device events: what happened at a device, in the table's language. Pure values.

A driver translates its protocol into these, and the table knows nothing else of devices. Every event reaches the table
inside a `DeviceReport`, stamped once by the transport that read the bytes.

The events of a deck in a machine and of a stake on the felt are felt-link's own, declared once in
`protocols.felt_link.messages`. The table imports them from here, because every driver uses them.

An event with a hidden card is safe to print: a card's repr does not name the card (see `protocols.cards`).
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from typing import NewType, TypeAlias

from protocols.cards import Face
from protocols.felt_link.events import FOREIGN_ORDER as FOREIGN_ORDER
from protocols.felt_link.messages import DeckLoaded as DeckLoaded
from protocols.felt_link.messages import FaultKind as FaultKind
from protocols.felt_link.messages import Identity as Identity
from protocols.felt_link.messages import ModeChanged as ModeChanged
from protocols.felt_link.messages import PacketDispensed as PacketDispensed
from protocols.felt_link.messages import PacketRemoved as PacketRemoved
from protocols.felt_link.messages import RemainderEjected as RemainderEjected
from protocols.felt_link.messages import ShuffleFinished as ShuffleFinished
from protocols.felt_link.messages import ShuffleStarted as ShuffleStarted
from protocols.felt_link.messages import StakeSeen as StakeSeen
from protocols.frozen import dataclass

DeviceName = NewType("DeviceName", str)
CommandId = NewType("CommandId", str)


@dataclass(frozen=True, slots=True)
class Stamp:
    """One moment, in wall-clock and in monotonic nanoseconds. Only differences of `mono_ns` measure time."""

    utc_ns: int
    mono_ns: int


@dataclass(frozen=True, slots=True)
class Receipt:
    """The device's own number for its event. `acknowledge` gets it back once the journal has the event."""

    boot: str
    seq: int


class Button(Enum):
    """What a dealer's key means, whatever is printed on it. The configuration maps keys to buttons."""

    __hash__ = object.__hash__  # Enum hashes the name, in Python; a member is one object

    GREEN = "green"
    NEXT = "next"
    VOID = "void"
    COUNT = "count"
    SUPERVISOR = "supervisor"
    # the seat of the next decision, if it is not the seat that is asked
    SEAT_1 = "seat-1"
    SEAT_2 = "seat-2"
    SEAT_3 = "seat-3"
    SEAT_4 = "seat-4"
    SEAT_5 = "seat-5"
    SEAT_6 = "seat-6"
    SEAT_7 = "seat-7"
    SEAT_8 = "seat-8"
    # what a player decides
    FOLD = "fold"
    PLAY_2 = "play-2"  # with so many antes
    PLAY_3 = "play-3"
    PLAY_4 = "play-4"
    DRAW_0 = "draw-0"  # so many cards
    DRAW_1 = "draw-1"
    DRAW_2 = "draw-2"
    DRAW_3 = "draw-3"
    DRAW_4 = "draw-4"
    DRAW_5 = "draw-5"
    STAND = "stand"
    HIT = "hit"
    DOUBLE = "double"
    SPLIT = "split"
    SURRENDER = "surrender"
    INSURE = "insure"
    EVEN_MONEY = "even-money"
    # Big Draw's button with its two sides
    FIVE_CARD_DRAW = "five-card-draw"
    DEUCES_NEVER_LOSES = "deuces-never-loses"
    CHOICE_PASSED = "pass-button"


@dataclass(frozen=True, slots=True)
class LinkUp:
    """The device answered and is ours. `resumed`: it is proven that nothing was lost since it was last up."""

    identity: Identity
    boot: str
    resumed: bool


@dataclass(frozen=True, slots=True)
class LinkLost:
    """The port is gone, or the other end closed it. `code` is stable; earlier journals have none."""

    reason: str
    code: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class SetupFailed:
    """The device cannot be used until a technician acts. Reported once. The next `LinkUp` ends it."""

    code: str
    problem: str
    remedy: str


@dataclass(frozen=True, slots=True)
class WentStale:
    """The port is open and the device has been silent longer than its profile allows."""

    silence_ns: int


@dataclass(frozen=True, slots=True)
class CameBack:
    """A stale device spoke again on the same connection."""


@dataclass(frozen=True, slots=True)
class Restarted:
    """The device lost its memory: what it had not reported before is lost."""

    boot: str


@dataclass(frozen=True, slots=True)
class EventsLost:
    """Proof that events are lost permanently. `missing` is None when they cannot be counted. `code` is stable."""

    missing: int | None
    reason: str
    code: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Anomaly:
    """Something that a sound device does not do, but that lost nothing. `code` is stable, `detail` is prose."""

    code: str
    detail: str


class Confidence(Enum):
    """How reliable the report of one card is. It does not say whether another card's report is missing."""

    CHECKED = "checked"  # a check value held
    UNCHECKED = "unchecked"  # the link has no check value: the report fits the grammar, and can still be wrong
    DISPUTED = "disputed"  # two different reports came for the same place: one of them is damage


class OutsideGame(Enum):
    """Why a shoe gave a card while it had no game on."""

    LOCKED = "locked"
    IN_ERROR = "in-error"
    SETTING_MODE = "setting-mode"
    OTHER = "other"  # for a reason that is not known


@dataclass(frozen=True, slots=True)
class Claim:
    """Where a shoe believes that a card went. It knows its own game at most, so this is information and not proof."""

    target: str
    index: int | None


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A card left a shoe. `number` is the shoe's own count since it was loaded, where it has one."""

    face: Face
    confidence: Confidence
    number: int | None = None
    claim: Claim | None = None
    outside: OutsideGame | None = None


@dataclass(frozen=True, slots=True)
class CutCardDrawn:
    """The cut card left the shoe, after card `after` of the shoe's own count."""

    after: int | None


@dataclass(frozen=True, slots=True)
class CardReturned:
    """A card was put or pushed back into the shoe. `number` is None where the shoe does not say which."""

    number: int | None


@dataclass(frozen=True, slots=True)
class ReadFailed:
    """The shoe could not read a card. It does not say whether it also reported this card as drawn."""

    detail: str


@dataclass(frozen=True, slots=True)
class DealCleared:
    """The shoe cleared the deal of its own game. The next cards belong to a new deal."""


@dataclass(frozen=True, slots=True)
class ShoeLockChanged:
    """The shoe was locked or unlocked, by a person or by a host."""

    is_locked: bool


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """A key was pressed, already mapped to its meaning. `kept`: it was pressed before this connection began."""

    button: Button
    kept: bool = False


@dataclass(frozen=True, slots=True)
class KeyPressed:
    """A key was pressed that the profile does not map. `key` is the device's own name for it."""

    key: str


@dataclass(frozen=True, slots=True)
class FaultRaised:
    """The device says that it cannot go on. `code` is a stable name of what the driver itself says in `detail`."""

    fault: FaultKind
    detail: str
    code: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class FaultCleared:
    """The device says that this fault is over. The table's alert stays until a person clears it."""

    fault: FaultKind


@dataclass(frozen=True, slots=True)
class CommandAnswered:
    """The device accepted a command, or refused it."""

    command: CommandId
    refusal: str | None


DeviceEvent: TypeAlias = (
    LinkUp
    | LinkLost
    | SetupFailed
    | WentStale
    | CameBack
    | Restarted
    | EventsLost
    | Anomaly
    | DeckLoaded
    | ShuffleStarted
    | ShuffleFinished
    | PacketDispensed
    | PacketRemoved
    | RemainderEjected
    | CardDrawn
    | CutCardDrawn
    | CardReturned
    | ReadFailed
    | DealCleared
    | ShoeLockChanged
    | ButtonPressed
    | KeyPressed
    | StakeSeen
    | FaultRaised
    | FaultCleared
    | ModeChanged
    | CommandAnswered
)


@dataclass(frozen=True, slots=True)
class DeviceReport:
    """One device event on its way to the table. `receipt` is None for an event of the connection itself.

    `heard` is what the device said, each byte as the character of its number. It is evidence: nothing follows from it,
    and the same event is the same however the line cut it. It can name cards, so the repr leaves it out.
    """

    device: DeviceName
    at: Stamp
    event: DeviceEvent
    receipt: Receipt | None = None
    heard: str = field(default="", repr=False, compare=False)
