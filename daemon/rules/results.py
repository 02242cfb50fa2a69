"""What the rules answer: settled, void, or refused. All three are values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from enum import Enum
from fractions import Fraction
from typing import Generic, TypeVar

from daemon.frozen import replace
from daemon.rules.money import NO_ROUNDING, NOTHING, Cents
from daemon.rules.wagers import Colour, Wager, WagerName
from protocols.cards import Card
from protocols.frozen import dataclass

FindingsT_co = TypeVar("FindingsT_co", covariant=True)


class Outcome(Enum):
    """How a wager ended."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    PARTIAL = "partial"
    VOID = "void"


class VoidReason(Enum):
    """Why a hand has no result. Each is an irregularity for which the house has a policy."""

    WRONG_COUNT = "wrong-count"
    DUPLICATE_CARD = "duplicate-card"
    UNREADABLE_CARD = "unreadable-card"
    BOXED_CARD = "boxed-card"
    FOREIGN_CARD = "foreign-card"
    DISCARD_NOT_HELD = "discard-not-held"
    IMPOSSIBLE_PLAY = "impossible-play"  # the cards cannot have come about by the decisions that were taken
    HAND_UNFINISHED = "hand-unfinished"
    HAND_PLAYED_ON = "hand-played-on"  # something was decided for a hand that was over
    DEALER_UNFINISHED = "dealer-unfinished"
    DEALER_PLAYED_ON = "dealer-played-on"


class RefusalCode(Enum):
    """Why a bet or a decision is not allowed; stable, the sentence beside it is not."""

    NOT_OFFERED = "not-offered"
    ALREADY_PLACED = "already-placed"
    NEEDS_ANOTHER_WAGER = "needs-another-wager"
    STAKE_NOT_POSITIVE = "stake-not-positive"
    BELOW_LEAST = "below-least"
    ABOVE_MOST = "above-most"
    ABOVE_AUTHORISED = "above-authorised"
    OFF_STEP = "off-step"
    NOT_WHOLE_CHIPS = "not-whole-chips"
    CANNOT_BE_PAID_EXACTLY = "cannot-be-paid-exactly"
    TOO_MANY_WAGERS = "too-many-wagers"
    TOO_MANY_LARGE_WAGERS = "too-many-large-wagers"
    CANNOT_BE_FOLLOWED = "cannot-be-followed"  # an Ante after which the limits would refuse every Play bet
    COLOUR_MISSING = "colour-missing"
    COLOUR_NOT_NAMED_HERE = "colour-not-named-here"
    ILLEGAL_ACTION = "illegal-action"


class Objection(Enum):
    """Which sentence a game says beside a code, so that the table can say it in another language."""

    HANDS_FINISHED = "hands-finished"
    CARD_DUE_FIRST = "card-due-first"
    DOUBLES_TWO_CARDS = "doubles-two-cards"
    NO_DOUBLE_AFTER_SPLIT = "no-double-after-split"
    DOUBLES_ONLY = "doubles-only"
    SPLITS_ALIKE = "splits-alike"
    NO_SPLIT_ACES = "no-split-aces"
    SPLITS_ACES_ONCE = "splits-aces-once"
    HANDS_AT_MOST = "hands-at-most"
    NO_SURRENDER = "no-surrender"
    SURRENDERS_TWO_CARDS = "surrenders-two-cards"
    NO_EVEN_MONEY = "no-even-money"
    EVEN_MONEY_ON_ACE = "even-money-on-ace"
    EVEN_MONEY_ON_NATURAL = "even-money-on-natural"
    PLAY_BETWEEN = "play-between"
    PLAY_BETWEEN_WHOLE = "play-between-whole"
    FOLD_PLAYS_NOTHING = "fold-plays-nothing"
    PLAY_NEEDS_STAKE = "play-needs-stake"
    NOT_FOLLOWED = "not-followed"
    NOT_PAID_IN_CHIPS = "not-paid-in-chips"
    HALF_NOT_IN_CHIPS = "half-not-in-chips"


@dataclass(frozen=True, slots=True)
class Refused:
    """No, why not, and what would be accepted. What it is about stands beside the sentence."""

    code: RefusalCode
    message: str
    wager: WagerName | None = field(default=None, compare=False)  # with whose public name the sentence begins
    stake: Cents | None = field(default=None, compare=False)
    bound: Cents | None = field(default=None, compare=False)
    number: int | None = field(default=None, compare=False)
    needs: WagerName | None = field(default=None, compare=False)  # the wager that has to lie beside it
    objection: Objection | None = field(default=None, compare=False)  # what only some games say, in place of the code
    word: str | None = field(default=None, compare=False)  # the decision that it is about
    detail: str | None = field(default=None, compare=False)
    span: tuple[Cents, Cents | None, Cents | None] | None = field(default=None, compare=False)  # least, most, with pair
    because: Refused | None = field(default=None, compare=False)  # what would be refused later


@dataclass(frozen=True, slots=True)
class DecidedBy:
    """The paytable that decided a wager, and its row; no row means that none was made."""

    paytable: str
    sha256: str
    row: str | None


@dataclass(frozen=True, slots=True)
class WagerResult:
    """What became of one stake. Always `returned == stake + pays`.

    `rounding` is how much of `pays` is breakage (above zero favours the player); `aggregate_cut` is what the
    deal's aggregate limit took off it. `cards` are the ones that decided.
    """

    name: WagerName
    stake: Cents
    outcome: Outcome
    pays: Cents
    returned: Cents
    decided_by: DecidedBy | None
    cards: tuple[Card, ...]
    rounding: Fraction = NO_ROUNDING
    aggregate_cut: Cents = NOTHING
    colour: Colour | None = None

    def cut_to(self, pays: Cents) -> WagerResult:
        """Return the same win after the aggregate limit left only this much of it."""
        cut = Cents(self.aggregate_cut + self.pays - pays)
        return replace(self, pays=pays, returned=Cents(self.stake + pays), aggregate_cut=cut)


@dataclass(frozen=True, slots=True)
class Settled(Generic[FindingsT_co]):
    """A settled hand: the result of every wager, and what the game found in the cards."""

    wagers: tuple[WagerResult, ...]
    findings: FindingsT_co


@dataclass(frozen=True, slots=True)
class Irregularity:
    """What is wrong with the cards of a hand, said without naming one."""

    reason: VoidReason
    detail: str


@dataclass(frozen=True, slots=True)
class Voided:
    """A hand without a result: every stake back, nothing paid."""

    wagers: tuple[WagerResult, ...]
    why: Irregularity


def voided(wagers: Iterable[Wager], why: Irregularity) -> Voided:
    """Give every stake back."""
    given_back = (
        WagerResult(each.name, each.stake, Outcome.VOID, NOTHING, each.stake, None, cards=(), colour=each.colour)
        for each in wagers
    )
    return Voided(tuple(given_back), why)
