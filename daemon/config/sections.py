"""Every key of the configuration: a dataclass a table, a field a key, its type what is allowed there.

`systemd/feltd.example.toml` shows and explains all of them; a test holds the two together. A default stands
where every house would choose the same; what a house must decide has none.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from daemon.logs import LogLevel
from daemon.mqtt.settings import MqttVersion
from daemon.rules.big_50 import RedBlack
from daemon.rules.blackjack.house import (
    DECKS_MAX,
    DECKS_MIN,
    HANDS_MAX,
    HANDS_MIN,
    BadBeatOption,
    BlackjackPays,
    DoubleOn,
    Insurance,
    SplitAces,
    UnpeekedTakes,
)
from daemon.rules.money import Breakage
from daemon.rules.wagers import GameName, WagerName
from daemon.table.settings import (
    BURN_CARDS_MAX,
    BadBeatPaytable,
    BlackjackSettings,
    DealStyle,
    DrawStyle,
    FiveCardBonus,
    PayingStyle,
    Reconciling,
)
from daemon.table.vocabulary import Irregularity, Policy
from drivers.events import Button
from protocols.angel_eye.options import BccForm, CardAgainMeans

TopicWord: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"\A[a-z0-9][a-z0-9_-]{0,31}\Z",
        description="1 to 32 of a-z, 0-9, - and _, the first a letter or a digit (it becomes part of MQTT topics)",
    ),
]
Text: TypeAlias = Annotated[
    str, Meta(pattern=r"\A[^\x00-\x1f]{1,255}\Z", description="1 to 255 characters on one line")
]
FilePath: TypeAlias = Annotated[
    str, Meta(pattern=r"\A[^\x00]{1,4096}\Z", description="a path, from this file's directory if it is relative")
]
TimeZone: TypeAlias = Annotated[
    str, Meta(pattern=r"\A[A-Za-z0-9_+/-]{1,64}\Z", description="a time zone's name, as America/Los_Angeles")
]
Version: TypeAlias = Annotated[
    str, Meta(pattern=r"\A[0-9]{1,9}(\.[0-9]{1,9}){0,5}\Z", description="a version in dotted numbers, as 2.10.3")
]
Character: TypeAlias = Annotated[str, Meta(pattern=r"\A[\x20-\x7e]\Z", description="one character that can be printed")]
Port: TypeAlias = Annotated[int, Meta(ge=1, le=65535)]
Amount: TypeAlias = Annotated[int, Meta(ge=1, le=100_000_000)]
"""Cents: up to a million dollars, above any limit of the law and far below what overflows anywhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSection:
    """Which table this is, and how it is run."""

    site: TopicWord
    name: TopicWord
    time_zone: TimeZone | None = None
    seats: Annotated[int, Meta(ge=1, le=20)]
    game: GameName
    other_games: tuple[GameName, ...] = ()
    deals_from: TopicWord | None = None
    reconciling: Reconciling = Reconciling.STEP
    paying: PayingStyle = PayingStyle.PICK_AND_PAY
    stub_count_rounds_max: Annotated[int, Meta(ge=1, le=5)] = 5  # games/README.md: at least every five rounds


@dataclass(frozen=True, slots=True, kw_only=True)
class PaytableSection:
    """A paytable of the house's own, top row first, in the words of its document."""

    name: Text
    source: Text
    rows: dict[Text, Text]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSection:
    """What every game's options have."""

    deals_from: TopicWord | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Big50Section(GameSection):
    """Big 50's house options."""

    red_black: RedBlack = RedBlack.EITHER
    poker_hand_pays: PaytableSection | None = None
    red_black_pays: PaytableSection | None = None
    big_50_pays: PaytableSection | None = None
    range_pays: PaytableSection | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BigRaiseSection(GameSection):
    """Big Raise Hold'em's house options."""

    five_card_bonus: FiveCardBonus | None = None
    five_card_bonus_on_fold: bool = False
    play_in_whole_antes: bool = False
    ante_bonus_pays: PaytableSection | None = None
    two_card_bonus_pays: PaytableSection | None = None


_BLACKJACK: Final = BlackjackSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class BlackjackSection(GameSection):
    """Bad Beat Blackjack's house options, and those of the blackjack game under it."""

    option: BadBeatOption = _BLACKJACK.option
    paytable: BadBeatPaytable = _BLACKJACK.paytable
    bad_beat_pays: PaytableSection | None = None
    bad_beat_alone: bool = _BLACKJACK.bad_beat_alone
    decks: Annotated[int, Meta(ge=DECKS_MIN, le=DECKS_MAX)] = _BLACKJACK.decks
    burn_cards: Annotated[int, Meta(ge=0, le=BURN_CARDS_MAX)] = _BLACKJACK.burn_cards
    dealer_hits_soft_17: bool = _BLACKJACK.dealer_hits_soft_17
    blackjack_pays: BlackjackPays = _BLACKJACK.blackjack_pays
    peek: bool = _BLACKJACK.peek
    unpeeked_blackjack_takes: UnpeekedTakes = _BLACKJACK.unpeeked_blackjack_takes
    double_on: DoubleOn = _BLACKJACK.double_on
    double_after_split: bool = _BLACKJACK.double_after_split
    hands_max: Annotated[int, Meta(ge=HANDS_MIN, le=HANDS_MAX)] = _BLACKJACK.hands_max
    split_aces: SplitAces = _BLACKJACK.split_aces
    late_surrender: bool = _BLACKJACK.late_surrender
    insurance: Insurance = _BLACKJACK.insurance


@dataclass(frozen=True, slots=True, kw_only=True)
class BigDrawSection(GameSection):
    """Big Draw Poker's house options."""

    draw: DrawStyle = DrawStyle.FACE_DOWN
    deal: DealStyle = DealStyle.FIVE_AT_ONCE
    first_5_needs_big_draw: bool = False
    first_5_alone_least_cents: Amount = 100  # big-draw.md: a dollar, or more where a house says so
    first_5_alone_waits: bool = False
    draws_from: TopicWord | None = None
    draw_big_draw_pays: PaytableSection | None = None
    draw_first_5_pays: PaytableSection | None = None
    deuces_big_draw_pays: PaytableSection | None = None
    deuces_first_5_pays: PaytableSection | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesSection:
    """House options by game, also of those that are not dealt now."""

    big_50: Big50Section = field(default=Big50Section(), metadata={"key": GameName.BIG_50.value})
    big_raise: BigRaiseSection = field(default=BigRaiseSection(), metadata={"key": GameName.BIG_RAISE.value})
    big_draw: BigDrawSection = field(default=BigDrawSection(), metadata={"key": GameName.BIG_DRAW.value})
    blackjack: BlackjackSection = field(default=BlackjackSection(), metadata={"key": GameName.BLACKJACK.value})


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneySection:
    """The smallest chip, and whose the rest is when an amount is not a whole number of them."""

    chip_cents: Amount = 1
    breakage: Breakage = Breakage.PLAYER
    edge_percent_max: Annotated[int, Meta(ge=1, le=100)] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerSection:
    """One wager's limits."""

    least_cents: Amount = 1
    most_cents: Amount | None = None
    step_cents: Amount = 1
    aggregate_most_cents: Amount | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsSection:
    """The limits from one day on."""

    first_day: date
    authorised_most_cents: Amount
    wagers_a_hand_max: Annotated[int, Meta(ge=1, le=6)] = 6  # WAC 230-15-040
    large_wagers_a_hand_max: Annotated[int, Meta(ge=0, le=6)] | None = None
    verify_over_cents: Amount = 300_000  # WAC 230-15-320
    wagers: dict[WagerName, WagerSection] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class AngelEyeSection:
    """What the accounts of an Angel Eye disagree about; what is left out is as the profile has it."""

    card_again_means: CardAgainMeans | None = None
    seq_first: Character | None = None
    seq_last: Character | None = None
    commands_armed: bool | None = None
    command_bcc_covers_stx: bool | None = None
    command_bcc_form: BccForm | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceSection:
    """One device, by what it is and where it is plugged in."""

    profile: Text
    address: Text
    serial_number: Text | None = None
    firmware_least: Version | None = None
    firmware_below: Version | None = None
    keys: dict[Text, Button] = field(default_factory=dict)
    angel_eye: AngelEyeSection | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TlsSection:
    """How the broker proves who it is, and how we do."""

    ca_file: FilePath | None = None
    certificate_file: FilePath | None = None
    key_file: FilePath | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MqttSection:
    """The broker."""

    host: Text = "localhost"
    port: Port = 1883
    version: MqttVersion = MqttVersion.V5
    client_id: TopicWord | None = None
    username: Text | None = None
    password_file: FilePath | None = None
    keepalive_s: Annotated[int, Meta(ge=5, le=3600)] = 10
    session_expiry_s: Annotated[int, Meta(ge=60, le=31_536_000)] = 3600
    tls: TlsSection | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalSection:
    """Where everything is written before anyone hears of it."""

    path: FilePath


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelSection:
    """The page for a browser beside the table."""

    enabled: bool = False
    host: Text = "127.0.0.1"
    port: Port = 8050


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSection:
    """What is logged."""

    level: LogLevel = LogLevel.INFO


@dataclass(frozen=True, slots=True, kw_only=True)
class Sections:
    """A whole file."""

    table: TableSection
    games: GamesSection = GamesSection()
    money: MoneySection = MoneySection()
    limits: Annotated[tuple[LimitsSection, ...], Meta(min_length=1, description="a list of at least one table")]
    irregularities: dict[Irregularity, Policy] = field(default_factory=dict)
    devices: dict[TopicWord, DeviceSection] = field(default_factory=dict)
    mqtt: MqttSection = MqttSection()
    journal: JournalSection
    panel: PanelSection = PanelSection()
    log: LogSection = LogSection()
