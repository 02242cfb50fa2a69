"""Facts about one round, and the words that they use."""

from __future__ import annotations

from daemon.rules.results import Outcome
from daemon.rules.wagers import Colour, GameName, WagerName
from daemon.table.said import Clause, Said
from daemon.table.vocabulary import (
    Actor,
    Decision,
    DeckProof,
    Evidence,
    Irregularity,
    Policy,
    PromptAction,
    Ruling,
    SeatNumber,
)
from drivers.events import DeviceName
from protocols.cards import Face
from protocols.frozen import dataclass


@dataclass(frozen=True, slots=True)
class SeatStake:
    """One wager of one seat."""

    seat: SeatNumber
    wager: WagerName
    stake_cents: int
    colour: Colour | None = None
    evidence: Evidence = Evidence.ENTERED_BY_PERSON


@dataclass(frozen=True, slots=True)
class SettledWager:
    """One wager's end: `pays_cents` is the net to the player, `returned_cents` all that goes back to them."""

    wager: WagerName
    stake_cents: int
    outcome: Outcome
    pays_cents: int
    returned_cents: int
    row: str | None
    paytable: str | None
    paytable_hash: str | None
    rounding: str | None = None
    aggregate_cut_cents: int = 0
    hand: int | None = None  # where the stake lies on one of several hands of the seat
    colour: Colour | None = None  # where the player named one


@dataclass(frozen=True, slots=True)
class PromptStep:
    """One thing for the dealer's hands to do, at the seat of the prompt where it names none of its own."""

    spot: WagerName
    action: PromptAction
    amount_cents: int
    seat: SeatNumber | None = None
    hand: int | None = None  # where the seat has several
    colour: Colour | None = None  # where the player named one


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """One of a seat's hands as it lies open; `state` says whether it is played, and how it ended."""

    cards: tuple[Face, ...]
    total: int
    soft: bool
    state: str
    doubled: bool = False


@dataclass(frozen=True, slots=True)
class RoundOpened:
    """Bets are taken."""

    number: int
    game: GameName


@dataclass(frozen=True, slots=True)
class BetPlaced:
    """This is now the stake on this wager of this seat."""

    seat: SeatNumber
    wager: WagerName
    stake_cents: int
    colour: Colour | None
    who: str
    role: Actor | None = None
    evidence: Evidence = Evidence.ENTERED_BY_PERSON  # seen by a device: `who` is its name, and nobody has a role


@dataclass(frozen=True, slots=True)
class BetRemoved:
    """A device no longer sees this stake of the seat, so it is no bet. The seat's other stakes stand."""

    seat: SeatNumber
    wager: WagerName
    colour: Colour | None
    who: str


@dataclass(frozen=True, slots=True)
class BetsCleared:
    """The seat took its stakes back."""

    seat: SeatNumber
    who: str
    role: Actor | None = None


@dataclass(frozen=True, slots=True)
class BettingClosed:
    """No more bets: these stakes stand."""

    stakes: tuple[SeatStake, ...]


@dataclass(frozen=True, slots=True)
class HandDealt:
    """Cards were dealt to this seat, a hand or what it draws; which they are is nobody's business yet."""

    seat: SeatNumber
    position: int
    count: int | None
    drawn: bool = False


@dataclass(frozen=True, slots=True)
class HandDelivered:
    """The dealer took the cards from the tray to their seat."""

    seat: SeatNumber
    drawn: bool = False


@dataclass(frozen=True, slots=True)
class RemainderCollected:
    """What was left of the deck came out; `count` is None when the device does not count."""

    count: int | None


@dataclass(frozen=True, slots=True)
class StubCountAsked:
    """The dealer is asked to count what was left."""

    rounds_since_last: int


@dataclass(frozen=True, slots=True)
class DeckAccounted:
    """Dealt and remaining cards were one whole deck, and this is how it is known."""

    proof: DeckProof
    dealt: int
    remaining: int | None
    who: str | None


@dataclass(frozen=True, slots=True)
class IrregularityFound:
    """Something about the deal is wrong; `policy` says what follows."""

    irregularity: Irregularity
    policy: Policy
    seat: SeatNumber | None
    message: str
    said: Clause | None = None  # what `message` says


@dataclass(frozen=True, slots=True)
class RoundHeld:
    """The round stands still until a supervisor rules."""

    reason: str
    said: tuple[Clause, ...] = ()  # what `reason` says


@dataclass(frozen=True, slots=True)
class RoundInterrupted:
    """Something may have happened that nobody recorded: a supervisor confirms the cards, or voids."""

    device: DeviceName
    reason: str
    said: Clause | None = None  # what `reason` says


@dataclass(frozen=True, slots=True)
class RulingGiven:
    """A supervisor's word."""

    ruling: Ruling
    reason: str
    who: str
    role: Actor | None = None


@dataclass(frozen=True, slots=True)
class CardsEntered:
    """A person read a hand from the felt; the hand itself is said when it is settled."""

    seat: SeatNumber
    who: str
    role: Actor | None = None


@dataclass(frozen=True, slots=True)
class CardsAsked:
    """The hand of this place has to be entered, because no device read it.

    Of the dealer's hand the up card is entered first.
    """

    seat: SeatNumber


@dataclass(frozen=True, slots=True)
class HandSettled:
    """The seat's hand lies open, and this is what each of its wagers comes to that was not settled before.

    A hand not shown has no cards. `hands` are all hands of a seat in a game in which it can have several; `cards` is
    the first of them.
    """

    seat: SeatNumber
    cards: tuple[Face, ...]
    evidence: Evidence
    hand: str | None  # None for a hand that has no result of its own
    total: int | None
    wagers: tuple[SettledWager, ...]
    hands: tuple[PlayedHand, ...] = ()


@dataclass(frozen=True, slots=True)
class WinToVerify:
    """A win above the threshold: it is verified before it is paid."""

    seat: SeatNumber
    wager: WagerName
    pays_cents: int
    threshold_cents: int


@dataclass(frozen=True, slots=True)
class DealerPrompted:
    """What the dealer does next; `sentence` is for a display, `steps` for a program."""

    sentence: str
    seat: SeatNumber | None = None
    steps: tuple[PromptStep, ...] = ()
    said: tuple[Said, ...] = ()  # what the sentence says, for a screen of another language


@dataclass(frozen=True, slots=True)
class SeatReconciled:
    """The dealer finished with this seat."""

    seat: SeatNumber


@dataclass(frozen=True, slots=True)
class RoundSettled:
    """The round is over: `stakes = returned + take`, to the cent; a negative take is the house's loss.

    `journal_hash` is the hash of the journal's record before this one. The journal fills it in: with it a consumer can
    prove later that no record before was changed.
    """

    stakes_cents: int
    returned_cents: int
    take_cents: int
    hands: int
    journal_hash: str = ""


@dataclass(frozen=True, slots=True)
class RoundVoided:
    """The round has no result and every stake goes back.

    `undone` are results that had been said, the other way round: what was paid is taken back, what was taken goes back.
    `steps` is all that the dealer does at the spots: those, but for results that waited for a large win to be verified,
    and every stake as far as it still lies there.
    """

    reason: str
    irregularity: Irregularity | None
    returned: tuple[SeatStake, ...]
    returned_cents: int
    undone: tuple[PromptStep, ...] = ()
    who: str | None = None  # None where no person voided it but a rule did
    role: Actor | None = None
    steps: tuple[PromptStep, ...] = ()
    said: tuple[Clause, ...] = ()  # what `reason` says


@dataclass(frozen=True, slots=True)
class PlayerDecided:
    """What a player decided, the stake that it put down, how many cards they gave up, and for which of their hands.

    The second card of a hand that is split begins the next hand, and the hands behind it move up by one.
    """

    seat: SeatNumber
    decision: Decision
    stake_cents: int | None
    who: str
    discards: int | None = None
    hand: int | None = None
    role: Actor | None = None  # of the user who said it: a player, or who acted for one


@dataclass(frozen=True, slots=True)
class SeatSelected:
    """The next decision that a key says is for this seat."""

    seat: SeatNumber


@dataclass(frozen=True, slots=True)
class StakeCorrected:
    """A stake was more than the rules allow: so much of it stands, and the rest went back."""

    seat: SeatNumber
    wager: WagerName
    stake_cents: int
    returned_cents: int


@dataclass(frozen=True, slots=True)
class ShoeLoaded:
    """So many whole decks are in the shoe, by somebody's word or by the shoe's own; what came before is over."""

    device: DeviceName
    decks: int
    who: str


@dataclass(frozen=True, slots=True)
class CardBurned:
    """One of the first cards of the shoe went unseen to the discards."""

    device: DeviceName
    burned: int
    still_due: int


@dataclass(frozen=True, slots=True)
class CutCardOut:
    """The round that is dealt, or the next one, is the last of this shoe; so many cards had left it."""

    device: DeviceName
    after: int


@dataclass(frozen=True, slots=True)
class ShoeChangeDue:
    """No round opens until the shoe is loaded again."""

    device: DeviceName
    cards_gone: int


@dataclass(frozen=True, slots=True)
class CardDealt:
    """One card went to its place, `position` of that hand; it is None while it lies face down."""

    seat: SeatNumber
    hand: int
    position: int
    card: Face | None
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class WagerTaken:
    """A wager is lost before the rest of its hand is settled, and why."""

    seat: SeatNumber
    wager: SettledWager
    why: str
