"""What a table is set to. The journal keeps the settings of every start, so a replay runs under those of its time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final, TypeAlias

from daemon.rules.big_50 import RedBlack
from daemon.rules.blackjack.house import HOUSE as BLACKJACK_HOUSE
from daemon.rules.blackjack.house import BadBeatOption, BlackjackPays, DoubleOn, Insurance, SplitAces, UnpeekedTakes
from daemon.rules.limits import NO_LIMITS, Day, LimitSchedule
from daemon.rules.money import MoneyRule
from daemon.rules.wagers import GameName
from daemon.table.vocabulary import Irregularity, SourceKind
from drivers.events import DeviceName


class Reconciling(Enum):
    """Whether the table waits for the dealer's NEXT at every seat, or runs through at once."""

    STEP = "step"
    THROUGH = "through"


class PayingStyle(Enum):
    """House procedure within a spot: words and order of the prompts, never amounts."""

    LAY_AND_PAY = "lay-and-pay"
    PICK_AND_PAY = "pick-and-pay"


@dataclass(frozen=True, slots=True)
class SourceSettings:
    """The device that this table deals from, as far as the table must know it."""

    device: DeviceName
    takes_commands: bool
    reads_faces: bool
    counts: bool
    proves_no_gap: bool
    kind: SourceKind = SourceKind.SHUFFLER


@dataclass(frozen=True, slots=True)
class OwnPaytable:
    """A paytable of the house's own, in the words of its document: the name of a row, and what it pays."""

    name: str
    source: str
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Big50Settings:
    """Big 50's own options (big-50.md), and the house's paytables in place of the published ones."""

    red_black: RedBlack = RedBlack.EITHER
    poker_hand_pays: OwnPaytable | None = None
    red_black_pays: OwnPaytable | None = None
    big_50_pays: OwnPaytable | None = None
    range_pays: OwnPaytable | None = None


class FiveCardBonus(Enum):
    """The published paytables of Big Raise's five-card bonus."""

    BRH_04 = "BRH-04"
    BRH_05 = "BRH-05"
    BRH_06 = "BRH-06"
    BRH_07 = "BRH-07"
    BRH_08 = "BRH-08"


@dataclass(frozen=True, slots=True)
class BigRaiseSettings:
    """Big Raise Hold'em's own options (big-raise-holdem.md)."""

    five_card_bonus: FiveCardBonus | None = None
    five_card_bonus_on_fold: bool = False
    play_in_whole_antes: bool = False
    ante_bonus_pays: OwnPaytable | None = None
    two_card_bonus_pays: OwnPaytable | None = None


class DrawStyle(Enum):
    """How draws are dealt, and with it when Big Draw is settled (big-draw.md, options 1 and 2)."""

    FACE_DOWN = "face-down"
    FACE_UP = "face-up"


class DealStyle(Enum):
    """How first hands come out of a shoe (big-draw.md, step 2); a shuffler gives five at once."""

    FIVE_AT_ONCE = "five-at-once"
    ONE_AT_A_TIME = "one-at-a-time"


@dataclass(frozen=True, slots=True)
class BigDrawSettings:
    """Big Draw's own options (big-draw.md). With `first_5_alone_waits` nobody looks at such a hand before all draws.

    With `draws_from` first hands come out of a shuffler and the rest of its deck goes into this shoe, for the draws.
    """

    draw: DrawStyle = DrawStyle.FACE_DOWN
    deal: DealStyle = DealStyle.FIVE_AT_ONCE
    first_5_needs_big_draw: bool = False
    first_5_alone_least_cents: int = 100
    first_5_alone_waits: bool = False
    draws_from: SourceSettings | None = None
    draw_big_draw_pays: OwnPaytable | None = None
    draw_first_5_pays: OwnPaytable | None = None
    deuces_big_draw_pays: OwnPaytable | None = None
    deuces_first_5_pays: OwnPaytable | None = None


BURN_CARDS_MAX: Final = 10  # a first card that is turned over and burns its own number burns no more


class BadBeatPaytable(Enum):
    """The published paytables of the Bad Beat side bet."""

    P1 = "P1"
    P2 = "P2"
    P3 = "P3"
    P4 = "P4"
    P5 = "P5"
    L1 = "L1"
    L2 = "L2"
    L3 = "L3"
    L4 = "L4"
    L5 = "L5"


@dataclass(frozen=True, slots=True)
class BlackjackSettings:
    """Bad Beat Blackjack's own options, and those of the blackjack game under it (bad-beat-blackjack.md)."""

    option: BadBeatOption = BLACKJACK_HOUSE.option
    paytable: BadBeatPaytable = BadBeatPaytable.P1
    bad_beat_pays: OwnPaytable | None = None
    bad_beat_alone: bool = BLACKJACK_HOUSE.bad_beat_alone
    decks: int = BLACKJACK_HOUSE.decks
    burn_cards: int = 1
    dealer_hits_soft_17: bool = BLACKJACK_HOUSE.dealer_hits_soft_17
    blackjack_pays: BlackjackPays = BLACKJACK_HOUSE.blackjack_pays
    peek: bool = BLACKJACK_HOUSE.peek
    unpeeked_blackjack_takes: UnpeekedTakes = BLACKJACK_HOUSE.unpeeked_blackjack_takes
    double_on: DoubleOn = BLACKJACK_HOUSE.double_on
    double_after_split: bool = BLACKJACK_HOUSE.double_after_split
    hands_max: int = BLACKJACK_HOUSE.hands_max
    split_aces: SplitAces = BLACKJACK_HOUSE.split_aces
    late_surrender: bool = BLACKJACK_HOUSE.late_surrender
    insurance: Insurance = BLACKJACK_HOUSE.insurance


GameSettings: TypeAlias = Big50Settings | BigRaiseSettings | BigDrawSettings | BlackjackSettings


def shoe_of(source: SourceSettings, options: GameSettings) -> SourceSettings | None:
    """The shoe among what a game is dealt from."""
    if source.kind is SourceKind.SHOE:
        return source
    return options.draws_from if isinstance(options, BigDrawSettings) else None


@dataclass(frozen=True, slots=True)
class OfferedGame:
    """One of several games that a table is run with: what it is dealt from, and its options."""

    game: GameName
    source: SourceSettings
    options: GameSettings


SUPERVISED: Final = (
    Irregularity.EXPOSED_CARD,
    Irregularity.ACTED_OUT_OF_TURN,
    Irregularity.RAISE_WITHOUT_PAIR,
)
"""Those that void only where a house says so. The rules void a foul deal; to void for what a player alone does wrong
would give him, and the whole table, a bad round back."""

PENNIES: Final = MoneyRule()
UNLIMITED: Final = LimitSchedule(((Day(0), NO_LIMITS),))


@dataclass(frozen=True, slots=True)
class TableSettings:
    """One table's settings, as its reducer needs them.

    `supervised` are the irregularities that stand still for a supervisor; all others void the round. A wrong count
    voids whatever is set: no house may change that.

    `game`, `source` and `options` are those of the game that is played. Where there is a choice, `offered` has all
    games, the one that the table begins with first; it stays as it is when the game changes.
    """

    site: str
    table: str
    game: GameName
    seats: int
    source: SourceSettings
    options: GameSettings = field(default_factory=Big50Settings)
    money: MoneyRule = PENNIES
    limits: LimitSchedule = UNLIMITED
    reconciling: Reconciling = Reconciling.STEP
    paying: PayingStyle = PayingStyle.PICK_AND_PAY
    supervised: tuple[Irregularity, ...] = SUPERVISED
    stub_count_rounds_max: int = 5  # games/README.md: at least every five rounds
    offered: tuple[OfferedGame, ...] = ()

    @property
    def games(self) -> tuple[OfferedGame, ...]:
        """Every game that can be played, the one that the table begins with first."""
        return self.offered or (OfferedGame(self.game, self.source, self.options),)

    @property
    def dealing_devices(self) -> frozenset[DeviceName]:
        """Those that any of the games is dealt from; the others are at the table for their keys."""
        shoes = (shoe_of(offer.source, offer.options) for offer in self.games)
        sources = (*(offer.source for offer in self.games), *shoes)
        return frozenset(source.device for source in sources if source is not None)

    @property
    def shoe(self) -> SourceSettings | None:
        """The shoe that the game which is played is dealt from, all of it or its draws."""
        return shoe_of(self.source, self.options)

    def needs(self, device: DeviceName) -> bool:
        """Whether the game that is played needs this device; it can do without what only other games are dealt from."""
        is_shoe = self.shoe is not None and device == self.shoe.device
        return is_shoe or device == self.source.device or device not in self.dealing_devices

    def playing(self, game: GameName) -> TableSettings | None:
        """These settings with that game played, or None if it is not offered."""
        chosen = next((offer for offer in self.games if offer.game is game), None)
        if chosen is None:
            return None
        return replace(self, game=chosen.game, source=chosen.source, options=chosen.options)
