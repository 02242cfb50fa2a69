"""What the table says happened: the public record, one frozen value a fact.

Facts are what everyone outside hears, so no field here may hold a card before the game makes it public. Their
names and fields are a contract with consumers (`daemon.mqtt` publishes them and generates the schemas from
these very types): add fields with defaults, never rename.
"""

from __future__ import annotations

from typing import TypeAlias

from daemon.rules.wagers import GameName
from daemon.table.big_draw.facts import ButtonMoved, FirstFiveClaimed, FirstFiveSettled, GameChosen
from daemon.table.big_raise.facts import CommunityShown, DealerHandShown, FoldSettled, PlayerCardsShown, UpCardShown
from daemon.table.blackjack.facts import DealerCardsShown, DealerPeeked
from daemon.table.round_facts import (
    BetPlaced,
    BetRemoved,
    BetsCleared,
    BettingClosed,
    CardBurned,
    CardDealt,
    CardsAsked,
    CardsEntered,
    CutCardOut,
    DealerPrompted,
    DeckAccounted,
    HandDealt,
    HandDelivered,
    HandSettled,
    IrregularityFound,
    PlayerDecided,
    RemainderCollected,
    RoundHeld,
    RoundInterrupted,
    RoundOpened,
    RoundSettled,
    RoundVoided,
    RulingGiven,
    SeatReconciled,
    SeatSelected,
    ShoeChangeDue,
    ShoeLoaded,
    StakeCorrected,
    StubCountAsked,
    WagerTaken,
    WinToVerify,
)
from daemon.table.said import Clause, Said
from daemon.table.vocabulary import Actor, AlertName, RoundId
from drivers.events import Button, DeviceName, FaultKind
from protocols.frozen import dataclass


@dataclass(frozen=True, slots=True)
class TableConfigured:
    """The daemon started on this journal, with these rules and these settings."""

    journal: str
    rules_version: str
    game: GameName


@dataclass(frozen=True, slots=True)
class JournalContinued:
    """A copy of the journal continues in the place of one that is lost.

    Events of the journal `before` with a greater `sequence` than this event's are not on record any longer. Ids from
    here on begin with `journal`.
    """

    journal: str
    before: str
    because: str
    who: str


@dataclass(frozen=True, slots=True)
class TableOpened:
    """Rounds may begin."""

    who: str
    role: Actor | None = None


@dataclass(frozen=True, slots=True)
class TableClosed:
    """No round begins after the one that runs."""

    who: str
    role: Actor | None = None


@dataclass(frozen=True, slots=True)
class GameChanged:
    """From the next round on this game is played, dealt from this device."""

    game: GameName
    before: GameName
    device: DeviceName
    who: str
    role: Actor


@dataclass(frozen=True, slots=True)
class DeckChanged:
    """A new deck goes into the shuffler. It is shuffled and counted before it is believed."""

    device: DeviceName
    who: str
    role: Actor


@dataclass(frozen=True, slots=True)
class DeckCountOrdered:
    """The deck is counted before it is dealt from again, or by hand at the end of the next round."""

    device: DeviceName
    who: str
    role: Actor


@dataclass(frozen=True, slots=True)
class ReshuffleOrdered:
    """The deck is shuffled again before the next round."""

    device: DeviceName
    who: str
    role: Actor


@dataclass(frozen=True, slots=True)
class AlertRaised:
    """Somebody must see to this.

    With `blocks_play` it latches: no new round until it is cleared by name, but for games that need no such device.
    """

    alert: AlertName
    blocks_play: bool
    message: str
    remedy: str
    cleared_by: tuple[Actor, ...]
    device: DeviceName | None = None
    said: Said | None = None  # the message, as a program reads it; None where an earlier version raised the alert
    remedy_said: Clause | None = None


@dataclass(frozen=True, slots=True)
class AlertCleared:
    """It was seen to."""

    alert: AlertName
    who: str
    role: Actor


@dataclass(frozen=True, slots=True)
class ButtonRefused:
    """A button that means nothing now, and what the table waits for instead."""

    button: Button
    code: str
    message: str
    said: Said | None = None  # the message, as a program reads it


@dataclass(frozen=True, slots=True)
class DeckShuffled:
    """A shuffled deck is ready to deal."""

    device: DeviceName
    count: int | None


@dataclass(frozen=True, slots=True)
class BatchOut:
    """A deck came out of the machine whole. Only a shuffled one is dealt from, by hand and for one round."""

    device: DeviceName
    count: int | None
    is_shuffled: bool


@dataclass(frozen=True, slots=True)
class DeviceUp:
    """The device is there. `resumed`: it is proven that nothing was lost meanwhile."""

    device: DeviceName
    model: str
    serial: str
    firmware: str
    capabilities: tuple[str, ...]
    resumed: bool


@dataclass(frozen=True, slots=True)
class DeviceLost:
    """The device is disconnected. feltd tries to reconnect without end."""

    device: DeviceName
    reason: str
    said: Clause | None = None


@dataclass(frozen=True, slots=True)
class DeviceSetupFailed:
    """The device cannot be used until a technician does what the remedy says."""

    device: DeviceName
    code: str
    problem: str
    remedy: str
    said: Clause | None = None


@dataclass(frozen=True, slots=True)
class DeviceStale:
    """The device is connected and silent."""

    device: DeviceName
    silence_ns: int


@dataclass(frozen=True, slots=True)
class DeviceCameBack:
    """The silent device speaks again."""

    device: DeviceName


@dataclass(frozen=True, slots=True)
class DeviceRestarted:
    """The device lost its memory."""

    device: DeviceName


@dataclass(frozen=True, slots=True)
class DeviceEventsLost:
    """Events of this device are lost for good."""

    device: DeviceName
    missing: int | None
    reason: str
    said: Clause | None = None


@dataclass(frozen=True, slots=True)
class DeviceFaulted:
    """The device cannot go on."""

    device: DeviceName
    fault: FaultKind
    detail: str


@dataclass(frozen=True, slots=True)
class DeviceFaultCleared:
    """The device can go on; the alert stands until it is cleared by name."""

    device: DeviceName
    fault: FaultKind


@dataclass(frozen=True, slots=True)
class DeviceAnomaly:
    """The device did what a sound one does not; nothing was lost."""

    device: DeviceName
    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class DeviceModeChanged:
    """A packet has this many cards from now on."""

    device: DeviceName
    cards_a_packet: int


FactData: TypeAlias = (
    RoundOpened
    | BetPlaced
    | BetsCleared
    | BetRemoved
    | BettingClosed
    | HandDealt
    | HandDelivered
    | RemainderCollected
    | StubCountAsked
    | DeckAccounted
    | IrregularityFound
    | RoundHeld
    | RoundInterrupted
    | RulingGiven
    | CardsEntered
    | CardsAsked
    | HandSettled
    | WinToVerify
    | DealerPrompted
    | SeatReconciled
    | RoundSettled
    | RoundVoided
    | UpCardShown
    | PlayerDecided
    | SeatSelected
    | DealerHandShown
    | CommunityShown
    | PlayerCardsShown
    | FoldSettled
    | ShoeLoaded
    | CardBurned
    | CutCardOut
    | ShoeChangeDue
    | StakeCorrected
    | ButtonMoved
    | GameChosen
    | FirstFiveClaimed
    | FirstFiveSettled
    | CardDealt
    | DealerPeeked
    | DealerCardsShown
    | WagerTaken
    | TableConfigured
    | JournalContinued
    | TableOpened
    | TableClosed
    | GameChanged
    | DeckChanged
    | DeckCountOrdered
    | ReshuffleOrdered
    | AlertRaised
    | AlertCleared
    | ButtonRefused
    | DeckShuffled
    | BatchOut
    | DeviceUp
    | DeviceLost
    | DeviceSetupFailed
    | DeviceStale
    | DeviceCameBack
    | DeviceRestarted
    | DeviceEventsLost
    | DeviceFaulted
    | DeviceFaultCleared
    | DeviceAnomaly
    | DeviceModeChanged
)


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing said, and the round that it belongs to, if any."""

    round_id: RoundId | None
    data: FactData
