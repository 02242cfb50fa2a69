"""Every key of the configuration: a dataclass a table, a field a key, its type what is allowed there.

`systemd/feltd.example.toml` shows and explains all of them; a test holds the two together. A default stands
where every house would choose the same; what a house must decide has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import date
from enum import Enum
from types import MappingProxyType
from typing import Annotated, Any, Final, TypeAlias, get_args, get_type_hints

from msgspec import Meta

from daemon.config.reading import Text
from daemon.logs import LogLevel
from daemon.mqtt.settings import MqttVersion
from daemon.rules.house import AMOUNT_MOST, House, options_of
from daemon.rules.money import Breakage
from daemon.rules.wagers import GameName, WagerName
from daemon.table.games import PROCEDURES
from daemon.table.settings import USUAL_CHIPS, LargeWins, LoadsShoe, PayingStyle, Reconciling, SourceSettings
from daemon.table.vocabulary import Irregularity
from drivers.events import Button
from protocols.angel_eye.options import BccForm, CardAgainMeans
from protocols.frozen import dataclass

TopicWord: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"\A[a-z0-9][a-z0-9_-]{0,31}\Z",
        description="1 to 32 of a-z, 0-9, - and _, the first a letter or a digit (it becomes part of MQTT topics)",
    ),
]
FilePath: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"\A(?!~|.*(\$|%[a-zA-Z]))[^\x00]{1,4096}\Z",
        description="a path, from this file's directory if it is relative; nothing takes the place of ~, $ and %",
    ),
]
_OCTET: Final = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
Host: TypeAlias = Annotated[
    str,
    Meta(
        # One colon is a port's; an address of IPv6 has two at least. No name ends in a number, so such a one is an
        # address of IPv4, of which the system would take 10.0.40 for 10.0.0.40.
        pattern=rf"\A(?:(?:{_OCTET}\.){{3}}{_OCTET}\Z|(?![^:]*:[^:]*\Z)(?!(?:[^:]*\.)?[0-9]+\Z)[^\x00-\x20/@\[\]]{{1,255}}\Z)",
        description="a name or an address alone, as broker.harbour.example or 10.0.0.40; the port is a key of its own",
    ),
]
TimeZone: TypeAlias = Annotated[
    str, Meta(pattern=r"\A[A-Za-z0-9_+/-]{1,64}\Z", description="a time zone's name, as America/Los_Angeles")
]
Version: TypeAlias = Annotated[
    str, Meta(pattern=r"\A[0-9]{1,9}(\.[0-9]{1,9}){0,5}\Z", description="a version in dotted numbers, as 2.10.3")
]
CredentialName: TypeAlias = Annotated[
    str, Meta(pattern=r"\A[A-Za-z0-9_.-]{1,64}\Z", description="the name of a credential of the unit, as mqtt-password")
]
Character: TypeAlias = Annotated[str, Meta(pattern=r"\A[\x20-\x7e]\Z", description="one character that can be printed")]
Port: TypeAlias = Annotated[int, Meta(ge=1, le=65535)]
Amount: TypeAlias = Annotated[int, Meta(ge=1, le=AMOUNT_MOST)]
Chips: TypeAlias = Annotated[tuple[Amount, ...], Meta(min_length=1, description="a list of at least one value")]
"""Cents."""


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
    large_wins: LargeWins = LargeWins.HOLD
    loads_shoe: LoadsShoe = LoadsShoe.DEALER
    one_position_a_player: bool = False
    stub_count_rounds_max: Annotated[int, Meta(ge=1, le=5)] = 5  # games/README.md: at least every five rounds
    deck_change_rounds: Annotated[int, Meta(ge=1, le=100_000)] | None = None
    deck_change_minutes: Annotated[int, Meta(ge=1, le=10_080)] | None = None  # at most a week
    title: Text | None = None


def _section(options: type[House]) -> type[House]:
    """Return what `[games.NAME]` has: the game's options, and the devices that it is dealt from by their names.

    A device stands in the options as what the table must know of it, and in the file as the name that it has there.
    """
    names = ("deals_from", *sources_of(options))
    own: dict[str, Any] = {"__annotations__": dict.fromkeys(names, TopicWord | None), **dict.fromkeys(names)}
    section: type[House] = type(f"{options.__name__}Section", (options,), {"__module__": __name__, **own})
    return dataclass(frozen=True, slots=True, kw_only=True)(section)


def sources_of(options: type[House]) -> tuple[str, ...]:
    """Return the options of a game that are devices which cards come out of."""
    hints = get_type_hints(options)
    return tuple(option.name for option in options_of(options) if SourceSettings in get_args(hints[option.name]))


SECTIONS: Final[Mapping[GameName, type[House]]] = MappingProxyType(
    {game: _section(procedure.play.options) for game, procedure in PROCEDURES.items()}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneySection:
    """The smallest chip, and who gets the rest if an amount is not a multiple of it."""

    chip_cents: Amount = 1
    breakage: Breakage = Breakage.PLAYER
    edge_percent_max: Annotated[int, Meta(ge=1, le=100)] | None = None
    currency: Annotated[str, Meta(pattern=r"\A[A-Z]{3}\Z", description="three capital letters, as USD")] = "USD"
    chips_cents: Chips = USUAL_CHIPS


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesSections:
    """The part of a file that the rules need."""

    games: dict[GameName, House] = field(default_factory=dict)
    money: MoneySection = MoneySection()


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerSection:
    """One wager's limits."""

    least_cents: Amount = 1
    most_cents: Amount | None = None
    step_cents: Amount = 1
    aggregate_most_cents: Amount | None = None
    aggregate_shares_all: bool = False


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
    """Options of an Angel Eye that its documents disagree about. A missing option is the profile's."""

    card_again_means: CardAgainMeans | None = None
    seq_first: Character | None = None
    seq_last: Character | None = None
    commands_armed: bool | None = None
    command_bcc_covers_stx: bool | None = None
    command_bcc_form: BccForm | None = None
    deals_locked: bool | None = None


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
    """How the broker proves its identity, and how we prove ours."""

    ca_file: FilePath | None = None
    certificate_file: FilePath | None = None
    key_file: FilePath | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MqttSection:
    """The broker."""

    host: Host = "localhost"
    port: Port = 1883
    version: MqttVersion = MqttVersion.V5
    client_id: TopicWord | None = None
    username: Text | None = None
    password_file: FilePath | None = None
    password_credential: CredentialName | None = None
    keepalive_s: Annotated[int, Meta(ge=5, le=3600)] = 10
    session_expiry_s: Annotated[int, Meta(ge=60, le=31_536_000)] = 3600
    tls: TlsSection | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleSection:
    """Who may give commands."""

    file: FilePath | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalSection:
    """Where everything is written before anybody hears of it."""

    path: FilePath
    key_file: FilePath | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSection:
    """What is logged."""

    level: LogLevel = LogLevel.INFO


class HousePolicy(Enum):
    """What a house says of an irregularity. Where it says nothing, the table's usual policy counts."""

    VOID = "void"
    SUPERVISOR = "supervisor"
    ONCE_SEEN = "supervisor-once-seen"  # void while bets are taken, a supervisor once cards of the round are out


@dataclass(frozen=True, slots=True, kw_only=True)
class Sections:
    """A whole file."""

    table: TableSection
    games: dict[GameName, House] = field(default_factory=dict)
    money: MoneySection = MoneySection()
    limits: Annotated[tuple[LimitsSection, ...], Meta(min_length=1, description="a list of at least one table")]
    irregularities: dict[Irregularity, HousePolicy] = field(default_factory=dict)
    devices: dict[TopicWord, DeviceSection] = field(default_factory=dict)
    mqtt: MqttSection = MqttSection()
    people: PeopleSection = PeopleSection()
    journal: JournalSection
    log: LogSection = LogSection()
