"""The house's options for blackjack and its side bet: every one of them data, none of them code elsewhere.

The defaults are the first choice that `bad-beat-blackjack.md` names for each, which is also the most that a
player may be offered.
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from fractions import Fraction
from typing import Annotated, Final, assert_never

from msgspec import Meta

from daemon.rules.blackjack.paytables import (
    BAD_BEATS,
    PAYTABLES,
    BadBeatCase,
    BadBeatPaytable,
    MainCase,
    main_paytable,
)
from daemon.rules.house import RULING, SCALE, House
from daemon.rules.money import IN_JOURNALS
from daemon.rules.paytable import Paytable
from protocols.frozen import dataclass

DECKS_MIN: Final = 1
DECKS_MAX: Final = 8
HANDS_MIN: Final = 2
HANDS_MAX: Final = 4
BURN_CARDS_MAX: Final = 10  # a first card that is turned over and burns its own number burns no more


class BlackjackPays(Enum):
    """What a natural wins, to one."""

    THREE_TO_TWO = "3 to 2"
    SIX_TO_FIVE = "6 to 5"
    EVEN = "1 to 1"

    @property
    def odds(self) -> Fraction:
        return Fraction(self.value.replace(" to ", "/"))


class DoubleOn(Enum):
    """Which two-card totals may be doubled."""

    ANY_TWO = "any-two"
    NINE_TO_ELEVEN = "9-11"
    TEN_OR_ELEVEN = "10-11"

    def allows(self, points: int) -> bool:
        """Return whether two cards of this total may be doubled."""
        match self:
            case DoubleOn.ANY_TWO:
                return True
            case DoubleOn.NINE_TO_ELEVEN:
                return 9 <= points <= 11
            case DoubleOn.TEN_OR_ELEVEN:
                return 10 <= points <= 11
            case _:
                assert_never(self)


class SplitAces(Enum):
    """How a pair of aces may be split."""

    ONCE_ONE_CARD = "once-one-card"
    LIKE_PAIRS = "like-pairs"  # again, and drawn to, as any other pair
    NEVER = "never"


class Insurance(Enum):
    """How much of the stake may be insured against a dealer's ace."""

    HALF = "half"
    UP_TO_HALF = "up-to-half"
    NONE = "none"


class UnpeekedTakes(Enum):
    """What a dealer blackjack that was not looked for takes from a player who doubled or split meanwhile.

    A hand that went bust is lost before the dealer's hand is known, and nothing brings it back. Under
    `ORIGINAL` the dealer blackjack therefore takes one original stake from the hands still standing, unless
    a bust has taken it already.
    """

    ALL = "all"
    ORIGINAL = "original"


class BadBeatOption(Enum):
    """Which hand the side bet follows."""

    FIRST_TWO_CARDS = 1
    FIRST_SPLIT_HAND = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class BlackjackHouse(House):
    """The house's options for blackjack and its side bet. Least and most are dated, and belong to the limits.

    Insurance is never more than half the stake. Under an earlier ruling half a stake was rounded as any other amount,
    so it could be more by a part of a chip: `insurance_within_half` is not set then.
    """

    option: BadBeatOption = BadBeatOption.FIRST_TWO_CARDS
    paytable: BadBeatPaytable = BadBeatPaytable.P1
    bad_beat_pays: Paytable[BadBeatCase] | None = field(default=None, metadata={SCALE: BAD_BEATS})
    bad_beat_alone: bool = False  # whether the side bet can be had without a stake on the hand itself
    decks: Annotated[int, Meta(ge=DECKS_MIN, le=DECKS_MAX)] = 6
    burn_cards: Annotated[int, Meta(ge=0, le=BURN_CARDS_MAX)] = 1
    dealer_hits_soft_17: bool = True
    blackjack_pays: BlackjackPays = BlackjackPays.THREE_TO_TWO
    peek: bool = True
    unpeeked_blackjack_takes: UnpeekedTakes = UnpeekedTakes.ALL
    double_on: DoubleOn = DoubleOn.ANY_TWO
    double_after_split: bool = True
    hands_max: Annotated[int, Meta(ge=HANDS_MIN, le=HANDS_MAX)] = HANDS_MAX
    split_aces: SplitAces = SplitAces.ONCE_ONE_CARD
    late_surrender: bool = True
    insurance: Insurance = Insurance.HALF
    insurance_within_half: bool = field(default=True, metadata={IN_JOURNALS: False, RULING: True})

    @property
    def bad_beat_paytable(self) -> Paytable[BadBeatCase]:
        """Return the house's own paytable of the side bet, else the published one that it names."""
        return self.bad_beat_pays or PAYTABLES[self.paytable.value]

    @property
    def spares(self) -> bool:
        """Return whether a dealer blackjack can leave the player a part of the stakes on their hands."""
        return not self.peek and self.unpeeked_blackjack_takes is UnpeekedTakes.ORIGINAL

    @property
    def main_pays(self) -> Paytable[MainCase]:
        """Return the main game's paytable."""
        return main_paytable(self.blackjack_pays.odds, self.offers_even_money, self.late_surrender, self.spares)

    @property
    def offers_even_money(self) -> bool:
        """Even money is insurance at half the stake under another name, and only where a natural wins 3 to 2.

        Under any other payoff it would be another bet, which no rule here describes.
        """
        return self.insurance is not Insurance.NONE and self.blackjack_pays is BlackjackPays.THREE_TO_TWO


HOUSE: Final = BlackjackHouse()
