"""What a table is set to. The journal keeps the settings of every start, so a replay runs under those of its time."""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from functools import lru_cache
from typing import ClassVar, Final

from daemon.frozen import replace
from daemon.rules.house import House
from daemon.rules.limits import NO_LIMITS, Day, LimitSchedule
from daemon.rules.money import IN_JOURNALS, MoneyRule
from daemon.rules.wagers import GameName
from daemon.table.same import Same
from daemon.table.vocabulary import Irregularity, SourceKind
from drivers.events import DeviceName
from protocols.frozen import dataclass

HOUSES_KEPT: Final = 16  # more than a table has games


class Reconciling(Enum):
    """Whether the table waits for the dealer's NEXT at every seat, or runs through at once."""

    STEP = "step"
    THROUGH = "through"


class PayingStyle(Enum):
    """House procedure within a spot: words and order of the prompts, never amounts."""

    LAY_AND_PAY = "lay-and-pay"
    PICK_AND_PAY = "pick-and-pay"


class Positions(Enum):
    """Who may act for a seat at which somebody has bet in this round, beside the dealer and the supervisor."""

    HELD = "held"  # who bet there first
    ONE_EACH = "one-each"  # the same, and nobody holds two
    ANYBODY = "anybody"  # as older journals were played: no house can have it


class LoadsShoe(Enum):
    """By whose word a shoe is loaded that does not say so itself."""

    DEALER = "dealer"
    SUPERVISOR = "supervisor"


class LargeWins(Enum):
    """What a win above the threshold does, beside its alert."""

    HOLD = "hold"  # it is not paid, and the round does not go on, before a supervisor has cleared the alert
    TELL = "tell"


@dataclass(frozen=True, slots=True)
class SourceSettings:
    """The device that this table deals from, as far as the table must know it."""

    RETIRED: ClassVar = frozenset({"proves_no_gap"})  # older journals have it, and nothing reads it

    device: DeviceName
    takes_commands: bool
    reads_faces: bool
    counts: bool
    kind: SourceKind = SourceKind.SHUFFLER

    @property
    def machine(self) -> tuple[DeviceName, SourceKind]:
        """Return what two settings have in common that mean one machine. A name can pass to one of another kind."""
        return self.device, self.kind


def shoe_of(source: SourceSettings, options: House) -> SourceSettings | None:
    """Return the shoe among the devices that a game is dealt from."""
    if source.kind is SourceKind.SHOE:
        return source
    # Only some games can have a shoe of their own for draws. A step asks often, and Python asks a Protocol slowly.
    draws_from: SourceSettings | None = getattr(options, "draws_from", None)
    return draws_from


@dataclass(frozen=True, slots=True)
class OfferedGame:
    """One of several games that a table is run with: what it is dealt from, and its options."""

    game: GameName
    source: SourceSettings
    options: House


_SUPERVISED_FIRST: Final = (
    Irregularity.EXPOSED_CARD,
    Irregularity.ACTED_OUT_OF_TURN,
    Irregularity.RAISE_WITHOUT_PAIR,
)
SUPERVISED: Final = (
    *_SUPERVISED_FIRST,
    Irregularity.MISDEAL,
    Irregularity.FOUL_HAND,
    Irregularity.CARD_OFF_TABLE,
    Irregularity.HANDS_EXCHANGED,
)
"""Those that void only where a house says so. The rules void a foul deal. But to void by one person's word, or for what
a player alone does wrong, would give a bad round back to the whole table."""
SEEN_BY_PEOPLE: Final = tuple(each for each in SUPERVISED if each is not Irregularity.RAISE_WITHOUT_PAIR)
"""Those that only people can see. Of a raise without a pair the cards tell, once they lie open."""

AT_A_DEALERS_WILL: Final = (
    Irregularity.HAND_WITHOUT_STAKE,
    Irregularity.DECK_NOT_PROVEN,
    Irregularity.CARD_MISSING,
    Irregularity.CARD_OUTSIDE_GAME,
    Irregularity.MISSING_HAND,
    Irregularity.UNEXPECTED_CARDS,
    Irregularity.FOREIGN_CARD,
    Irregularity.CARD_TOO_OFTEN,
    Irregularity.DUPLICATE_CARD,
    Irregularity.UNREADABLE_CARD,
    Irregularity.BOXED_CARD,
    Irregularity.DISPUTED_CARD,
)
"""Those that a dealer can bring about at will: one packet more, a count, a plug, a key of the shoe or the shuffler, a
card from the rack or from a pocket drawn as if out of the shoe, one turned over or drawn too quickly to be read, and
all that the machine's door lets them do to the rest of the deck. Once cards of the round are out, a void lets a
dealer choose whether the round counts. A house has "supervisor-once-seen" against it."""

USUAL_CHIPS: Final = (100, 500, 2_500, 10_000, 50_000)
PENNIES: Final = MoneyRule()
UNLIMITED: Final = LimitSchedule(((Day(0), NO_LIMITS),))


@dataclass(frozen=True, slots=True)
class TableSettings:
    """One table's settings, as its reducer needs them.

    `supervised` are the irregularities that stand still for a supervisor, and `supervised_once_seen` those that do once
    cards of the round are out. All others void. A wrong count voids whatever is set: no house may change that.

    With `large_wins` on hold a win above the threshold is not paid before a supervisor has cleared its alert.

    Another deck is recommended after `deck_change_rounds` or `deck_change_minutes`, whichever comes first.

    `game`, `source` and `options` are those of the game that is played. Where there is a choice, `offered` has all
    games, the one that the table begins with first; it stays as it is when the game changes.
    """

    site: str
    table: str
    game: GameName
    seats: int
    source: SourceSettings
    options: House
    money: MoneyRule = PENNIES
    limits: LimitSchedule = UNLIMITED
    reconciling: Reconciling = Reconciling.STEP
    paying: PayingStyle = PayingStyle.PICK_AND_PAY
    supervised: tuple[Irregularity, ...] = field(default=SUPERVISED, metadata={IN_JOURNALS: _SUPERVISED_FIRST})
    supervised_once_seen: tuple[Irregularity, ...] = ()
    stub_count_rounds_max: int = 5  # games/README.md: at least every five rounds
    offered: tuple[OfferedGame, ...] = ()
    deck_change_rounds: int | None = None
    deck_change_minutes: int | None = None
    positions: Positions = field(default=Positions.HELD, metadata={IN_JOURNALS: Positions.ANYBODY})
    large_wins: LargeWins = field(default=LargeWins.HOLD, metadata={IN_JOURNALS: LargeWins.TELL})
    loads_shoe: LoadsShoe = LoadsShoe.DEALER
    title: str = ""  # what people call the table, where that is not its name in topics
    currency: str = "USD"
    chips_cents: tuple[int, ...] = USUAL_CHIPS  # that are on the table; screens show them

    @property
    def house(self) -> House:
        """Return what the rules are asked with: the options of the game that is played, and the table's money."""
        return _house(Same(self))

    @property
    def games(self) -> tuple[OfferedGame, ...]:
        """Return every game that can be played, the one that the table begins with first."""
        return self.offered or (OfferedGame(self.game, self.source, self.options),)

    @property
    def dealing_devices(self) -> frozenset[DeviceName]:
        """Return those that any of the games is dealt from; the others are at the table for their keys."""
        shoes = (shoe_of(offer.source, offer.options) for offer in self.games)
        sources = (*(offer.source for offer in self.games), *shoes)
        return frozenset(source.device for source in sources if source is not None)

    @property
    def shoe(self) -> SourceSettings | None:
        """Return the shoe that the game which is played is dealt from, all of it or its draws."""
        return shoe_of(self.source, self.options)

    def needs(self, device: DeviceName) -> bool:
        """Return whether the game that is played needs this device, and not only another game."""
        is_shoe = self.shoe is not None and device == self.shoe.device
        return is_shoe or device == self.source.device or device not in self.dealing_devices

    def playing(self, game: GameName) -> TableSettings | None:
        """Return these settings with that game played, or None if it is not offered."""
        chosen = next((offer for offer in self.games if offer.game is game), None)
        if chosen is None:
            return None
        return replace(self, game=chosen.game, source=chosen.source, options=chosen.options)


@lru_cache(HOUSES_KEPT)
def _house(settings: Same[TableSettings]) -> House:
    return replace(settings.value.options, money=settings.value.money)
