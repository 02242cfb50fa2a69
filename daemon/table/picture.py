"""The public picture: what is retained on MQTT and drawn by the screens, for every game in the same words.

`TableView` and its parts are the contract. `GamePicture` and `SeatPicture` are what a game fills in of it by
`GamePlay`; what a game does not have stays empty.
"""

from __future__ import annotations

from daemon.rules.big_draw import Variant
from daemon.rules.wagers import GameName, WagerName
from daemon.table.big_draw.facts import FirstFiveSettled
from daemon.table.offers import Offer
from daemon.table.round_facts import HandSettled, PlayedHand, PromptStep, SeatStake, SettledWager
from daemon.table.said import Clause, Said
from daemon.table.state import Deck, Finding, Phase, Presence, RoundEnd, SeatNet
from daemon.table.vocabulary import Actor, AlertName, Evidence, Irregularity, RoundId, Ruling, SeatNumber
from drivers.events import DeviceName, FaultKind, Identity
from protocols.cards import Face
from protocols.frozen import dataclass


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
    backs: int = 0  # cards that lie here face down; 1 stands for a hand of which nobody has counted the cards


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
    """What belongs to the prompt: whom it is about, whether it asks that player, and the steps for the dealer.

    `question` is the part of the prompt that the player answers. `undo` are those of the steps that take back what a
    result moved, which a void says is not one.
    """

    seat: SeatNumber | None
    is_question: bool
    steps: tuple[PromptStep, ...]
    question: str | None = None
    undo: tuple[PromptStep, ...] = ()


@dataclass(frozen=True, slots=True)
class WantView:
    """A hand whose cards the table waits for: how many, where that is known, and whether a card may be there twice."""

    seat: SeatNumber
    hand: int | None
    count: int | None
    may_repeat: bool


@dataclass(frozen=True, slots=True)
class AlertView:
    """An alert that stands, and since when."""

    alert: AlertName
    blocks_play: bool
    message: str
    remedy: str
    cleared_by: tuple[Actor, ...]
    device: DeviceName | None = None
    since_ms: int | None = None  # None where a version that did not note it raised the alert
    said: Said | None = None  # the message, as a program reads it
    remedy_said: Clause | None = None


@dataclass(frozen=True, slots=True)
class SpotView:
    """One spot of the felt with today's limits. `may` says which stakes a seat may put there now."""

    wager: WagerName
    name: str
    least_cents: int
    most_cents: int | None
    step_cents: int
    needs_colour: bool = False
    aggregate_most_cents: int | None = None  # that one deal may pay on this spot, over all players


@dataclass(frozen=True, slots=True)
class RulingView:
    """A ruling that a supervisor can give, what it does, and what is to be done first where it would be refused."""

    ruling: Ruling
    refused: str | None
    does: str = ""
    refused_said: Said | None = None


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """What is on record of one hand of a round that stands still. No card is named."""

    seat: SeatNumber
    cards_planned: int
    cards_counted: int | None  # None where neither a device nor a person has counted them
    evidence: Evidence | None  # None where nothing of this hand is on record
    delivered: bool


@dataclass(frozen=True, slots=True)
class StandstillView:
    """Why the round stands still, what was found in it so far, and what a supervisor can say."""

    reason: str
    irregularity: Irregularity | None
    findings: tuple[Finding, ...]
    rulings: tuple[RulingView, ...]
    since_ms: int | None = None
    evidence: tuple[EvidenceView, ...] = ()
    said: tuple[Clause, ...] = ()  # what `reason` says
    revision: int = 0  # of all this: a ruling names it


@dataclass(frozen=True, slots=True)
class PastRoundView:
    """One of the last rounds that are over. A void one has no take, and the irregularity if one was its reason."""

    id: RoundId
    number: int
    end: RoundEnd
    ended_ms: int
    began_ms: int | None = None
    take_cents: int | None = None
    irregularity: Irregularity | None = None
    nets: tuple[SeatNet, ...] = ()  # of the last settled round, by seat: above zero the player won


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
    alerts: tuple[AlertView, ...]
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
    wants: tuple[WantView, ...] = ()
    dealer_backs: int = 0  # cards of the dealer that lie face down
    community_backs: int = 0
    at_ms: int = 0  # when this was so, in milliseconds since 1970 in UTC, as all times here
    phase_since_ms: int | None = None
    title: str = ""  # what people call the table
    game_title: str = ""
    currency: str = ""
    decimals: int = 2  # of the currency: every amount is in its smallest unit
    chips_cents: tuple[int, ...] = ()  # that lie on this table
    language: str = "en"  # of all sentences
    rounds: tuple[PastRoundView, ...] = ()  # the last ones that are over, the newest first
    prompt_said: tuple[Said, ...] = ()  # what the prompt says, for a screen of another language
    dealer_gives_up: Face | None = None  # of the dealer's open cards the one that does not play
    dealer_total: int | None = None  # where the dealer's cards are shown and make one


@dataclass(frozen=True, slots=True)
class GamePicture:
    """The house's open cards, and what lies on the table for this game."""

    dealer_cards: tuple[Face, ...] = ()
    community_cards: tuple[Face, ...] = ()
    button: SeatNumber | None = None
    variant: Variant | None = None
    dealer_backs: int = 0
    community_backs: int = 0
    dealer_gives_up: Face | None = None
    dealer_total: int | None = None


@dataclass(frozen=True, slots=True)
class SeatPicture:
    """What lies at one seat."""

    cards_dealt: int | None = None
    delivered: bool = False
    draws: int | None = None
    first_5: FirstFiveSettled | None = None
    hands: tuple[PlayedHand, ...] = ()  # in a game in which they lie open while they are played
    open_cards: tuple[Face, ...] = ()
