"""Everything that can happen to a table: device reports, requests by people and programs, and the daemon itself.

These values are what the journal keeps and what a replay reads, so a field that was once written stays:
add fields with defaults, and give a changed meaning a new name.
"""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from daemon.rules.limits import Day
from daemon.rules.money import IN_JOURNALS
from daemon.rules.wagers import Colour, GameName, WagerName
from daemon.table.big_draw.inputs import ChooseGame, Claim, MoveButton, PassButton
from daemon.table.settings import TableSettings
from daemon.table.vocabulary import Actor, AlertName, Decision, Irregularity, RequestId, RoundId, Ruling, SeatNumber
from drivers.events import Button, DeviceName, DeviceReport, Stamp
from protocols.cards import Card
from protocols.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Bet:
    """Put a stake on one wager of one seat, in place of what lies there."""

    seat: SeatNumber
    wager: WagerName
    stake_cents: int
    colour: Colour | None = None


@dataclass(frozen=True, slots=True)
class ClearBets:
    """Take back every stake of a seat."""

    seat: SeatNumber


@dataclass(frozen=True, slots=True)
class Decide:
    """A player's decision on their cards, with the stake that it puts down, if any, or the cards that it gives up.

    Cards given up face down are known by their number at least; staff who saw them may name them.
    """

    seat: SeatNumber
    decision: Decision
    stake_cents: int | None = None
    discards: int | None = None
    discarded: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Press:
    """A button pressed on a screen or by a program, exactly as if on the device."""

    button: Button


@dataclass(frozen=True, slots=True)
class EnterCards:
    """The cards of one seat's hand, read by a person from the felt; which of them, where the seat has several."""

    seat: SeatNumber
    cards: tuple[Card, ...]
    hand: int | None = None


@dataclass(frozen=True, slots=True)
class ReportIrregularity:
    """Somebody at the table saw that something is wrong with the deal; with the place where, if it is at one."""

    irregularity: Irregularity
    seat: SeatNumber | None = None


@dataclass(frozen=True, slots=True)
class StubCount:
    """How many cards a person counted in what was left of the deck."""

    count: int


@dataclass(frozen=True, slots=True)
class Rule:
    """A supervisor's word on a round that is held or interrupted.

    `revision` is the number in `standstill` of what the supervisor saw. If more has come since, nothing is done.
    """

    ruling: Ruling
    reason: str
    revision: int | None = field(metadata={IN_JOURNALS: None})  # None where an earlier version took the ruling


@dataclass(frozen=True, slots=True)
class VoidRound:
    """A supervisor voids the running round."""

    reason: str


@dataclass(frozen=True, slots=True)
class ClearAlert:
    """Say of one alert, by name, that it has been seen to.

    `since_ms` is what the alert said when its author looked. If its cause came again since, nothing is done.
    """

    alert: AlertName
    since_ms: int | None = None


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Rounds may begin."""


@dataclass(frozen=True, slots=True)
class CloseTable:
    """No round begins after the one that runs."""


@dataclass(frozen=True, slots=True)
class OrderReshuffle:
    """Shuffle the deck again before the next round."""


@dataclass(frozen=True, slots=True)
class LoadShoe:
    """So many shuffled decks are in the shoe; what is known of it begins again."""

    decks: int


@dataclass(frozen=True, slots=True)
class ChangeGame:
    """Play another of the games that the table is configured with."""

    game: GameName


@dataclass(frozen=True, slots=True)
class ChangeDeck:
    """A new deck is put into the shuffler."""


@dataclass(frozen=True, slots=True)
class CountDeck:
    """Have the whole deck counted: by the shuffler where it counts, else by hand at the end of the next round."""


Action: TypeAlias = (
    Bet
    | ClearBets
    | Decide
    | ChooseGame
    | PassButton
    | Claim
    | MoveButton
    | Press
    | EnterCards
    | ReportIrregularity
    | StubCount
    | Rule
    | VoidRound
    | ClearAlert
    | OpenTable
    | CloseTable
    | OrderReshuffle
    | LoadShoe
    | ChangeGame
    | ChangeDeck
    | CountDeck
)


@dataclass(frozen=True, slots=True)
class Request:
    """An action that a user asks for. `who` is the user that the broker vouches for, `role` and `seats` are the file's.

    `who` and `id` name the request: the same pair again is answered, and nothing is done again. With `round_id` it is
    for that round only, however late it comes. Without `seats` the user may act for every seat.
    """

    at: Stamp
    id: RequestId
    who: str
    role: Actor
    expires_utc_ns: int | None
    action: Action
    round_id: RoundId | None = None
    seats: tuple[SeatNumber, ...] | None = None


@dataclass(frozen=True, slots=True)
class Configured:
    """The daemon starts, with these settings, on this journal. Until a device says it is there, it is not.

    `devices` are all that the file names. They are None where a version wrote the input that did not say so.
    """

    at: Stamp
    day: Day
    journal: str
    rules_version: str
    settings: TableSettings
    devices: tuple[DeviceName, ...] | None = None


@dataclass(frozen=True, slots=True)
class DayBegan:
    """Midnight by the table's own calendar: dated limits change at once, or with the next round if a stake lies."""

    at: Stamp
    day: Day


@dataclass(frozen=True, slots=True)
class JournalDoubted:
    """A check of the journal, while the table plays, found a place that does not fit."""

    at: Stamp
    fault: str


@dataclass(frozen=True, slots=True)
class JournalRestored:
    """A person put a copy of the journal in the place of one that is lost. What came after the copy is not known.

    `journal` is the journal's id from here on, so that no event and no command gets an id twice. `rounds_opened` is the
    number of the last round that is known to have been opened, so that no round gets a number twice.
    """

    at: Stamp
    journal: str
    because: str
    who: str
    rounds_opened: int = 0


Input: TypeAlias = Configured | DayBegan | DeviceReport | JournalDoubted | JournalRestored | Request
