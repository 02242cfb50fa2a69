"""The table's whole memory. Everything here is frozen; a step makes the next one.

What is here and not in a fact is hidden: above all the faces of cards before the game shows them. `view.public`
makes the picture that may be shown.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from daemon.rules.limits import Day, Limits
from daemon.rules.wagers import Colour, WagerName
from daemon.table.facts import AlertRaised
from daemon.table.own import OwnRound
from daemon.table.round_facts import DealerPrompted, HandSettled, SeatStake, SettledWager
from daemon.table.said import Clause, SaidId
from daemon.table.settings import TableSettings
from daemon.table.shoe import Shoe
from daemon.table.vocabulary import DEALER, FIRST_SEAT, AlertName, Decision, Evidence, Irregularity, RoundId, SeatNumber
from drivers.commands import CommandDue, DeviceCommand
from drivers.events import DeviceName, FaultKind, Identity, Stamp
from protocols.cards import Face
from protocols.frozen import dataclass


class Phase(Enum):
    """Where the table stands. The procedure's transition table says what moves it."""

    __hash__ = object.__hash__  # Enum hashes the name, in Python; a member is one object

    IDLE = "idle"  # no round: the table is closed, an alert blocks play, or a device is missing
    BETTING = "betting"
    CHOOSING = "choosing"  # no bet is taken yet; a player chooses which game is played
    DEALING = "dealing"
    DEALT = "dealt"  # every hand is at its seat; the dealer's green collects the rest
    COLLECTING = "collecting"
    COUNTING = "counting"  # waits for a person's count of what remained
    INSURING = "insuring"  # the dealer shows an ace, and players may insure against what lies under it
    DECIDING = "deciding"  # players decide, on the cards that they have seen
    SHOWING = "showing"  # the dealer's and the common cards are turned over and entered
    FIRST_FIVE = "first-five"  # a bet on the hand as it was dealt is settled before anybody draws
    DEALER_DRAWING = "dealer-drawing"  # everybody has decided, and the dealer takes cards by the house's rule
    RECONCILING = "reconciling"
    HELD = "held"  # waits for a supervisor: something was irregular, or the dealer asked
    INTERRUPTED = "interrupted"  # waits for a supervisor: something may have happened unrecorded
    VOIDING = "voiding"  # the round is void; the dealer gives stakes back and takes cards in, then says next


NO_CARDS_OUT: Final = (Phase.IDLE, Phase.BETTING, Phase.CHOOSING)
"""Until then a deck can still be shuffled again, and the round it is for goes on."""


DECK_IS_FREE: Final = (*NO_CARDS_OUT, Phase.VOIDING)
"""Nothing that the shuffler or the shoe does now concerns a round that is being dealt."""


AWAITS_RULING: Final = (Phase.HELD, Phase.INTERRUPTED)
STANDS_STILL: Final = (*AWAITS_RULING, Phase.VOIDING)
"""The dealer's prompt belongs to what stopped the round."""


_OF_A_PERSON: Final = (SaidId.REPORTED, SaidId.REPORTED_AT)


class Deck(Enum):
    """What is known of the deck in the shuffler."""

    UNKNOWN = "unknown"
    SHUFFLING = "shuffling"
    READY = "ready"
    IN_USE = "in-use"


class Presence(Enum):
    """Whether a device is there."""

    AWAY = "away"
    UP = "up"
    STALE = "stale"


@dataclass(frozen=True, slots=True)
class DeviceState:
    """What the table knows of one device."""

    name: DeviceName
    presence: Presence = Presence.AWAY
    cards_a_packet: int | None = None
    faults: tuple[FaultKind, ...] = ()
    identity: Identity | None = None  # who answered last
    has_refused: bool = False  # a size or a shuffle, and it has not come to rest since
    size_accepted: int | None = None  # it will give packets of this size, and has not said yet that it does


@dataclass(frozen=True, slots=True)
class Packet:
    """Cards to be dealt together: to which seat, how many, and whether they are drawn to a hand that lies there."""

    seat: SeatNumber
    cards: int
    drawn: bool = False


@dataclass(frozen=True, slots=True)
class Hand:
    """One packet at a seat. `count` and `faces` are what the device said, or a person entered."""

    seat: SeatNumber
    position: int
    count: int | None
    faces: tuple[Face, ...] | None
    evidence: Evidence = Evidence.SEEN_BY_DEVICE
    delivered: bool = False
    drawn: bool = False
    is_open: bool = False  # it lay face up for everybody when a person entered it
    read: tuple[Face, ...] = ()  # what a device had read of it, where a person entered it
    was_counted: bool = False  # a device had counted it, where a person entered it

    @property
    def cards_counted(self) -> int | None:
        """Return how many cards it holds, as for a hand."""
        if self.count is not None or self.faces is None:
            return self.count
        return len(self.faces)

    @property
    def is_counted(self) -> bool:
        """Return whether a device saw how many cards it holds. A person who enters them takes nothing from that."""
        seen = self.evidence is Evidence.SEEN_BY_DEVICE and self.cards_counted is not None
        return seen or self.was_counted


@dataclass(frozen=True, slots=True)
class Remainder:
    """What was left of the deck when it came out."""

    count: int | None
    faces: tuple[Face, ...] | None

    @property
    def cards_counted(self) -> int | None:
        """As for a hand."""
        if self.count is not None or self.faces is None:
            return self.count
        return len(self.faces)


@dataclass(frozen=True, slots=True)
class SeenStake:
    """What a device saw last on a spot of a seat. With `is_overruled` a person has said since what lies there."""

    device: DeviceName
    seat: SeatNumber
    wager: WagerName
    stake_cents: int
    colour: Colour | None = None
    is_overruled: bool = False


@dataclass(frozen=True, slots=True)
class Decided:
    """What a player decided."""

    seat: SeatNumber
    decision: Decision


@dataclass(frozen=True, slots=True)
class SaidResult:
    """What one wager came to. It has been said, so the dealer may have paid or taken it already."""

    seat: SeatNumber
    wager: SettledWager


@dataclass(frozen=True, slots=True)
class Position:
    """A seat at which somebody has bet in this round. `who` is None where the dealer bet for a player."""

    seat: SeatNumber
    who: str | None


@dataclass(frozen=True, slots=True)
class Finding:
    """One irregularity of this round, seat by seat; said without naming a card."""

    irregularity: Irregularity
    seat: SeatNumber | None
    message: str
    said: Clause | None = None

    @property
    def is_reported(self) -> bool:
        """Return whether a person at the table reported it, and nothing on record shows it."""
        return self.said is not None and self.said.id in _OF_A_PERSON


@dataclass(frozen=True, slots=True)
class AlertTime:
    """Since when an alert stands."""

    alert: AlertName
    since_utc_ns: int


@dataclass(frozen=True, slots=True)
class Stop:
    """Why a round stands still. A void that follows keeps the cause."""

    reason: str
    irregularity: Irregularity | None = None
    said: tuple[Clause, ...] = ()


class RoundEnd(Enum):
    """How a round ended."""

    SETTLED = "settled"
    VOIDED = "voided"


@dataclass(frozen=True, slots=True)
class SeatNet:
    """What a round came to at one seat: above zero the player won."""

    seat: SeatNumber
    net_cents: int


@dataclass(frozen=True, slots=True)
class PastRound:
    """What stays of a round. The last one may still run: then it has no end."""

    id: RoundId
    number: int
    began_utc_ns: int | None = None  # None where a version that did not note it opened the round
    ended_utc_ns: int | None = None  # when its end was said; what a void gives back may take longer
    end: RoundEnd | None = None
    take_cents: int | None = None
    irregularity: Irregularity | None = None  # why it was void, where it was not a person's word alone
    nets: tuple[SeatNet, ...] = ()  # of the last settled round: who won what is seen until bets lie there again


@dataclass(frozen=True, slots=True)
class Round:
    """One round, from the first bet to the last coin."""

    id: RoundId
    number: int
    limits: Limits
    stakes: tuple[SeatStake, ...] = ()
    plan: tuple[Packet, ...] = ()  # what is dealt to whom, in the order of dealing
    hands: tuple[Hand, ...] = ()
    remainder: Remainder | None = None
    vouched: str | None = None  # the supervisor who vouched for the cards
    rest_waived: bool = False  # nothing more is waited for: a supervisor vouched, or the deck was not in the machine
    findings: tuple[Finding, ...] = ()
    stop: Stop | None = None  # while it stands still
    to_look_at: tuple[Clause, ...] = ()  # what came in this round that a ruling has to be given in sight of, in order
    accounted: bool = False  # the deck is proven, or vouched for: the deal is over
    decided: tuple[Decided, ...] = ()
    said: tuple[SaidResult, ...] = ()  # what the round adds up in the end, or a void undoes
    settled: tuple[HandSettled, ...] = ()  # results not yet shown are hidden like the cards they tell of
    reconciled: tuple[SeatNumber, ...] = ()
    showing: SeatNumber | None = None  # the seat that lies open before the dealer
    unplaced: tuple[Face, ...] = ()  # out of the shoe for a hand that nobody can name yet
    selected: SeatNumber | None = None  # by a key, for the next decision that a key says
    ordered: DeviceCommand | None = None  # of the machine, last; None again once it refused, or a supervisor ruled
    own: OwnRound | None = None  # what is the game's own
    positions: tuple[Position, ...] = ()
    when_verified: DealerPrompted | None = None  # said once the large wins that hold the dealer are verified
    untold: int = 0  # of `said`, the last ones: the dealer hears of them with `when_verified`, so nothing of them moved
    changed: tuple[SeatNumber, ...] = ()  # the seat of each stake that a player put down or took back

    def hand_of(self, seat: SeatNumber) -> Hand | None:
        """Return the hand that a seat was dealt, if it has one."""
        return next((hand for hand in self.hands if hand.seat == seat and not hand.drawn), None)

    def drawn_by(self, seat: SeatNumber) -> Hand | None:
        """Return what a seat drew to its hand, if it did."""
        return next((hand for hand in self.hands if hand.seat == seat and hand.drawn), None)

    def hand_at(self, position: int) -> Hand | None:
        """Return what came as the packet of this number, from 1, of the plan."""
        return next((hand for hand in self.hands if hand.position == position), None)

    @property
    def undelivered(self) -> int | None:
        """Return the number of the first packet of the plan that is not at its seat."""
        delivered = {hand.position for hand in self.hands if hand.delivered}
        return next((place for place in range(1, len(self.plan) + 1) if place not in delivered), None)

    @property
    def places(self) -> tuple[SeatNumber, ...]:
        """Return the places that get a hand, in the order of dealing."""
        return tuple(packet.seat for packet in self.plan if not packet.drawn)

    @property
    def players(self) -> tuple[SeatNumber, ...]:
        """Return the seats that get a hand, in the order of dealing."""
        return tuple(seat for seat in self.places if seat > DEALER)

    def with_hand(self, hand: Hand) -> tuple[Hand, ...]:
        """Return all hands, this one in place of what has its position."""
        others = (other for other in self.hands if other.position != hand.position)
        return tuple(sorted((*others, hand), key=lambda each: each.position))

    @property
    def revision(self) -> int:
        """Return the number of what a supervisor sees now. It grows with all that comes to a round at a stand."""
        return len(self.to_look_at)

    @property
    def wants_voucher(self) -> bool:
        """Return whether who has a held round go on vouches for its cards: not all of them are a device's word.

        What a person reported takes nothing from the proof: the deck is still read, counted, or counted by a person.
        """
        entered = any(hand.evidence is Evidence.ENTERED_BY_PERSON for hand in self.hands)
        return entered or any(not finding.is_reported for finding in self.findings)

    def stakes_of(self, seat: SeatNumber) -> tuple[SeatStake, ...]:
        """Return what lies on the seat's spots."""
        return tuple([stake for stake in self.stakes if stake.seat == seat])

    def position_of(self, seat: SeatNumber) -> Position | None:
        """Return who holds the seat, or None where nobody has bet in this round."""
        return next((position for position in self.positions if position.seat == seat), None)

    @property
    def staked_cents(self) -> int:
        """Return all stakes together."""
        return sum(stake.stake_cents for stake in self.stakes)


NOTHING_SAID: Final = DealerPrompted("")


@dataclass(frozen=True, slots=True)
class TableState:
    """One table between two inputs."""

    settings: TableSettings
    journal: str
    rules_version: str
    at: Stamp
    day: Day
    phase: Phase = Phase.IDLE
    phase_since_utc_ns: int | None = None  # the time of the input that led here; None until the first change
    opened: bool = True
    round: Round | None = None
    rounds_opened: int = 0
    rounds_since_stub_count: int = 0
    rounds_with_deck: int = 0  # since it was changed, or somebody was reminded
    deck_since_utc_ns: int | None = None  # the same; None until the first round that counts
    button: SeatNumber = FIRST_SEAT  # where it lies from round to round, in a game that has one
    reshuffle_owed: bool = False
    deck: Deck = Deck.UNKNOWN
    batch: Remainder | None = None  # a shuffled deck that came out whole, to be dealt by hand from the next round on
    shoe: Shoe | None = None  # where the game is dealt from one: None until it is loaded
    devices: tuple[DeviceState, ...] = ()
    named: tuple[DeviceName, ...] | None = None  # the devices of the file in force; None where that was not noted
    seen: tuple[SeenStake, ...] = ()  # chips that devices see on the felt, whether bets are taken or not
    alerts: tuple[AlertRaised, ...] = ()
    alerts_since: tuple[AlertTime, ...] = ()  # of those, as far as it is known
    outstanding: tuple[CommandDue, ...] = ()  # ordered and not yet answered: said again after a crash
    commands_issued: int = 0
    prompted: DealerPrompted = NOTHING_SAID  # what the dealer was told last
    recent: tuple[PastRound, ...] = ()  # the last rounds, and the one that runs
    settings_next: TableSettings | None = None  # a new configuration waits for the round that runs

    @property
    def prompt(self) -> str:
        """Return what the dealer does next, as a sentence."""
        return self.prompted.sentence

    def device(self, name: DeviceName) -> DeviceState:
        """Return what is known of a device; one never heard of is away."""
        return next((device for device in self.devices if device.name == name), None) or DeviceState(name)

    def is_named(self, device: DeviceName) -> bool:
        """Return whether the file in force has this device. One that it has no longer does not come back by itself."""
        return self.named is None or device in self.named

    def alert(self, name: AlertName) -> AlertRaised | None:
        """Return a standing alert by its name."""
        return next((alert for alert in self.alerts if alert.alert == name), None)

    @property
    def is_between_rounds(self) -> bool:
        """Return whether no stake lies on the table: a daemon that ends now keeps nobody waiting."""
        return self.round is None or (self.phase in NO_CARDS_OUT and not self.round.stakes)

    @property
    def blocked_by(self) -> tuple[AlertName, ...]:
        """Return the alerts that keep a new round of this game from opening."""
        blocking = (alert for alert in self.alerts if alert.blocks_play)
        return tuple(each.alert for each in blocking if each.device is None or self.settings.needs(each.device))
