"""The named misbehaviours, what each one looks like, and which of them are switched on.

Theory of operation. A fault is armed by name, for every occasion until it is switched off (`Always`), for the next
one (`NextTime`) or for packet N (`OnPacket`). The part that is about to do the thing asks the board with `strike`:
the deck when it is loaded, the machine when a packet is due or a motor starts, the line when a frame passes. What
was armed for one occasion is disarmed by striking.

The emulator never lies about cards. What a fault changes is the deck that a dealer brings, the number of cards that
the rollers move, what the machine does, or the line; the sensors report what is then really there. Only a reader
fault makes the reader fail, and then it says that it could not read.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, StrEnum
from types import MappingProxyType
from typing import Final, TypeAlias

from protocols.frozen import dataclass

LINE_PERCENT: Final = 25
"""Of the frames, while a line fault is on: bad enough to see at once, and the link still gets through."""


class FaultName(StrEnum):
    """A fault that can be switched on, as a technician types it."""

    SHORT_HAND = "short-hand"
    LONG_HAND = "long-hand"
    DUPLICATE_CARD = "duplicate-card"
    MISSING_CARD = "missing-card"
    FOREIGN_CARD = "foreign-card"
    BOXED_CARD = "boxed-card"
    UNREADABLE_CARD = "unreadable-card"
    JAM = "jam"
    WRONG_MODE = "wrong-mode"
    MID_PACKET_UNPLUG = "mid-packet-unplug"
    REBOOT = "reboot"
    CORRUPTED_FRAMES = "corrupted-frames"
    DROPPED_FRAMES = "dropped-frames"
    REPEATED_FRAMES = "repeated-frames"
    SILENCE = "silence"
    SLOW = "slow"
    READ_ERROR = "read-error"
    PUT_BACK = "put-back"
    EXTRA_CARD = "extra-card"
    KEY_BOUNCE = "key-bounce"


class Where(Enum):
    """The part of the bench that a fault changes."""

    DECK = "deck"
    MACHINE = "machine"
    READER = "reader"
    LINE = "line"
    HANDS = "hands"


@dataclass(frozen=True, slots=True)
class FaultSheet:
    """What a technician has to know of a fault: where it is, when it strikes, what can be seen."""

    where: Where
    strikes: str
    seen: str


FAULTS: Final[Mapping[FaultName, FaultSheet]] = MappingProxyType(
    {
        FaultName.SHORT_HAND: FaultSheet(
            Where.MACHINE, "a packet is dispensed", "one card too few in the tray; the card stays in the rack"
        ),
        FaultName.LONG_HAND: FaultSheet(
            Where.MACHINE, "a packet is dispensed", "two cards stuck together: one too many in the tray"
        ),
        FaultName.DUPLICATE_CARD: FaultSheet(
            Where.DECK, "a deck is loaded", "one card swapped for a second copy of another; 52 cards, 51 different"
        ),
        FaultName.MISSING_CARD: FaultSheet(
            Where.DECK, "a deck is loaded", "51 cards; a machine that counts finds a short deck and will not deal it"
        ),
        FaultName.FOREIGN_CARD: FaultSheet(
            Where.DECK, "a deck is loaded", "one card swapped for one of another deck; a reader shows ##"
        ),
        FaultName.BOXED_CARD: FaultSheet(
            Where.DECK, "a deck is loaded", "one card lies face to back among the others; a reader shows []"
        ),
        FaultName.UNREADABLE_CARD: FaultSheet(
            Where.READER, "a packet is dispensed", "dust on the lens: one card of the packet is read as ??"
        ),
        FaultName.JAM: FaultSheet(
            Where.MACHINE,
            "a packet is dispensed",
            "the motor stops in the middle of the packet with one card in its rollers; "
            "free it with `clear`, then the deck has to come out",
        ),
        FaultName.WRONG_MODE: FaultSheet(
            Where.MACHINE,
            "at once, or when a packet is dispensed",
            "somebody turned the mode switch on the machine; while it is on, an ordered mode is refused",
        ),
        FaultName.MID_PACKET_UNPLUG: FaultSheet(
            Where.LINE,
            "a packet is half dispensed",
            "the cable is pulled and put back after two seconds; the machine goes on and keeps its events",
        ),
        FaultName.REBOOT: FaultSheet(
            Where.MACHINE,
            "a packet is half dispensed, a card is drawn, a key is pressed or chips are laid",
            "the power fails: a new boot id, unacknowledged events lost, the cards inside no longer vouched for",
        ),
        FaultName.CORRUPTED_FRAMES: FaultSheet(
            Where.LINE, "a frame passes", "one byte of a frame arrives as another; its check fails"
        ),
        FaultName.DROPPED_FRAMES: FaultSheet(Where.LINE, "a frame passes", "a whole frame never arrives"),
        FaultName.REPEATED_FRAMES: FaultSheet(Where.LINE, "a frame passes", "a frame arrives twice"),
        FaultName.SILENCE: FaultSheet(
            Where.LINE,
            "a frame passes",
            "the port stays open and nothing comes through, either way; armed for once: for ten seconds",
        ),
        FaultName.SLOW: FaultSheet(
            Where.MACHINE, "a motor starts", "sticky rollers: the motion takes ten times as long"
        ),
        FaultName.READ_ERROR: FaultSheet(
            Where.READER,
            "a card is drawn",
            "the card passes unread and is not reported; the shoe is in error until it is told `cancel`",
        ),
        FaultName.PUT_BACK: FaultSheet(
            Where.HANDS, "a card is drawn", "the dealer pushes the card back into the exit; it comes again"
        ),
        FaultName.EXTRA_CARD: FaultSheet(
            Where.HANDS, "a card is drawn", "another card slips out after it, which was not asked for"
        ),
        FaultName.KEY_BOUNCE: FaultSheet(
            Where.MACHINE, "a key is pressed", "worn contacts: one press is reported as two, each an event of its own"
        ),
    }
)
"""Every name has its sheet. A test compares them."""

LINE_FAULTS: Final = (
    FaultName.CORRUPTED_FRAMES,
    FaultName.DROPPED_FRAMES,
    FaultName.REPEATED_FRAMES,
    FaultName.SILENCE,
)
SHUFFLER_FAULTS: Final = (
    FaultName.SHORT_HAND,
    FaultName.LONG_HAND,
    FaultName.DUPLICATE_CARD,
    FaultName.MISSING_CARD,
    FaultName.FOREIGN_CARD,
    FaultName.BOXED_CARD,
    FaultName.UNREADABLE_CARD,
    FaultName.JAM,
    FaultName.WRONG_MODE,
    FaultName.MID_PACKET_UNPLUG,
    FaultName.REBOOT,
    *LINE_FAULTS,
    FaultName.SLOW,
)
SHOE_FAULTS: Final = (
    FaultName.DUPLICATE_CARD,
    FaultName.MISSING_CARD,
    FaultName.FOREIGN_CARD,
    FaultName.BOXED_CARD,
    FaultName.UNREADABLE_CARD,
    FaultName.READ_ERROR,
    FaultName.PUT_BACK,
    FaultName.EXTRA_CARD,
    FaultName.REBOOT,
    *LINE_FAULTS,
)
BUTTONS_FAULTS: Final = (FaultName.KEY_BOUNCE, FaultName.REBOOT, *LINE_FAULTS)
STAKES_FAULTS: Final = (FaultName.REBOOT, *LINE_FAULTS)
"""The faults that each kind of machine can have. For a shoe a packet is one card, for a pad one press, for a bet sensor
one change of what lies on a spot."""


@dataclass(frozen=True, slots=True)
class Always:
    """On every occasion until switched off. A line fault strikes `percent` of the frames."""

    percent: int = LINE_PERCENT


@dataclass(frozen=True, slots=True)
class NextTime:
    """On the next occasion only."""


@dataclass(frozen=True, slots=True)
class OnPacket:
    """Once, on packet `position`. A deck fault then changes a card of that packet."""

    position: int


Arming: TypeAlias = Always | NextTime | OnPacket


class FaultBoard:
    """The faults that are armed. Mutable: the control interface switches them, and the emulated parts ask."""

    def __init__(self) -> None:
        self._armed: dict[FaultName, Arming] = {}
        self.packet_on_line: int | None = None
        """The packet of the next frames, for which a line fault can be armed. The machine sets it."""

    @property
    def armed(self) -> Mapping[FaultName, Arming]:
        return MappingProxyType(self._armed)

    def arm(self, name: FaultName, arming: Arming) -> None:
        """Switch a fault on. A second arming replaces the first."""
        self._armed[name] = arming

    def disarm(self, name: FaultName) -> None:
        """Switch a fault off. Idempotent."""
        self._armed.pop(name, None)

    def is_always(self, name: FaultName) -> bool:
        """Return whether a fault is on until it is switched off."""
        return isinstance(self._armed.get(name), Always)

    def strike(self, name: FaultName, packet: int | None) -> Arming | None:
        """Return the arming if the fault strikes now, at `packet`. That uses up an arming for one occasion."""
        arming = self._armed.get(name)
        if isinstance(arming, OnPacket) and arming.position != packet:
            return None
        return self._use(name, arming)

    def strike_deck(self, name: FaultName) -> Arming | None:
        """Do as `strike`, for a deck that is loaded: the packet says which card, not when."""
        return self._use(name, self._armed.get(name))

    def strike_frame(self, name: FaultName) -> Arming | None:
        """Do as `strike`, for a frame that the device sends."""
        return self.strike(name, self.packet_on_line)

    def _use(self, name: FaultName, arming: Arming | None) -> Arming | None:
        if arming is not None and not isinstance(arming, Always):
            self.disarm(name)
        return arming
