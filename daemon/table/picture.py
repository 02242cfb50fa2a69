"""The public picture: what is retained on MQTT and drawn by the screens, for every game in the same words.

`TableView` and its parts are the contract. `GamePicture` and `SeatPicture` are what a game fills in of it by
`GamePlay`; what a game does not have stays empty.
"""

from __future__ import annotations

from dataclasses import dataclass

from daemon.rules.big_draw import Variant
from daemon.rules.wagers import GameName, WagerName
from daemon.table.big_draw.facts import FirstFiveSettled
from daemon.table.facts import AlertRaised
from daemon.table.offers import Offer
from daemon.table.round_facts import HandSettled, PlayedHand, PromptStep, SeatStake, SettledWager
from daemon.table.state import Deck, Finding, Phase, Presence
from daemon.table.vocabulary import Irregularity, RoundId, Ruling, SeatNumber
from drivers.events import DeviceName, FaultKind, Identity
from protocols.cards import Face


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat: its stakes, whether a hand lies there, and what it came to once that was shown."""

    seat: SeatNumber
    stakes: tuple[SeatStake, ...]
    cards_dealt: int | None
    delivered: bool
    reconciled: bool
    settled: HandSettled | None
    draws: int | None = None
    first_5: FirstFiveSettled | None = None
    hands: tuple[PlayedHand, ...] = ()  # in a game in which they lie open while they are played
    results: tuple[SettledWager, ...] = ()  # every wager that was paid or taken so far, also before its hand was shown
    open_cards: tuple[Face, ...] = ()  # that lie face up before the hand is settled
    held_by: str | None = None  # the player who bet here first in this round; None also where the dealer bet for one


@dataclass(frozen=True, slots=True)
class DeviceView:
    """One device: whether it is there, who it says it is, and what is the matter with it."""

    device: DeviceName
    presence: Presence
    faults: tuple[FaultKind, ...]
    identity: Identity | None = None


@dataclass(frozen=True, slots=True)
class ShoeView:
    """The shoe that is dealt from, by numbers: which cards have left it stays the table's."""

    decks: int
    cards_gone: int
    burn_due: int
    is_last_round: bool


@dataclass(frozen=True, slots=True)
class AskView:
    """What belongs to the prompt: whom it is about, whether it asks that player, and the steps for the dealer."""

    seat: SeatNumber | None
    is_question: bool
    steps: tuple[PromptStep, ...]


@dataclass(frozen=True, slots=True)
class SpotView:
    """One spot of the felt with today's limits. `may` says which stakes a seat may put there now."""

    wager: WagerName
    name: str
    least_cents: int
    most_cents: int | None
    step_cents: int


@dataclass(frozen=True, slots=True)
class RulingView:
    """A ruling that a supervisor can give, and what is to be done first where it would be refused."""

    ruling: Ruling
    refused: str | None


@dataclass(frozen=True, slots=True)
class StandstillView:
    """Why the round stands still, what was found in it so far, and what a supervisor can say."""

    reason: str
    irregularity: Irregularity | None
    findings: tuple[Finding, ...]
    rulings: tuple[RulingView, ...]


@dataclass(frozen=True, slots=True)
class TableView:
    """The whole table, as far as it is public."""

    site: str
    table: str
    game: GameName
    phase: Phase
    opened: bool
    round_id: RoundId | None
    round_number: int
    deck: Deck
    prompt: str
    seats: tuple[SeatView, ...]
    devices: tuple[DeviceView, ...]
    alerts: tuple[AlertRaised, ...]
    dealer_cards: tuple[Face, ...] = ()
    community_cards: tuple[Face, ...] = ()
    shoe: ShoeView | None = None
    button: SeatNumber | None = None
    variant: Variant | None = None
    games: tuple[GameName, ...] = ()  # that the table can be changed over to, the one that is played among them
    may: tuple[Offer, ...] = ()  # what would be accepted now, from whom
    ask: AskView | None = None
    spots: tuple[SpotView, ...] = ()  # in the order of the felt
    standstill: StandstillView | None = None


@dataclass(frozen=True, slots=True)
class GamePicture:
    """The house's open cards, and what lies on the table for this game."""

    dealer_cards: tuple[Face, ...] = ()
    community_cards: tuple[Face, ...] = ()
    button: SeatNumber | None = None
    variant: Variant | None = None


@dataclass(frozen=True, slots=True)
class SeatPicture:
    """What lies at one seat."""

    cards_dealt: int | None = None
    delivered: bool = False
    draws: int | None = None
    first_5: FirstFiveSettled | None = None
    hands: tuple[PlayedHand, ...] = ()  # in a game in which they lie open while they are played
    open_cards: tuple[Face, ...] = ()
