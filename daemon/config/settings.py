"""Makes the settings of each part of the daemon from the sections of a file without problems."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from zoneinfo import ZoneInfo

from daemon.clock import Calendar, day_of
from daemon.config.files import tls_of
from daemon.config.games import dealt_from, offered, options_at_table
from daemon.config.sections import (
    AngelEyeSection,
    DeviceSection,
    HousePolicy,
    LimitsSection,
    MoneySection,
    MqttSection,
    Sections,
    WagerSection,
)
from daemon.logs import LogLevel
from daemon.mqtt.settings import MqttSettings
from daemon.rules.limits import AggregateLimit, Limits, LimitSchedule, StakeRange
from daemon.rules.money import Cents, MoneyRule
from daemon.rules.wagers import GameName
from daemon.table.settings import (
    SUPERVISED,
    OfferedGame,
    Positions,
    SourceSettings,
    TableSettings,
)
from daemon.table.vocabulary import SourceKind
from drivers.addresses import parse_address
from drivers.events import DeviceName
from drivers.profile import Capability, DeviceRole, DeviceSettings, Firmware, Profile
from drivers.profiles import PROFILES
from protocols.angel_eye.options import AngelEyeOptions, SeqRange
from protocols.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of one table, by the part of the daemon that uses them."""

    file: Path
    table: TableSettings
    calendar: Calendar
    devices: tuple[DeviceSettings, ...]
    mqtt: MqttSettings
    journal: Path
    log_level: LogLevel
    journal_key: Path | None = None
    edge_percent_max: int | None = None
    people: Path | None = None
    password_credential: str | None = None  # of systemd; nobody else is given it
    password_file: Path | None = None


def config_of(sections: Sections, file: Path, password: str | None) -> Config:
    """Return the configuration of a file without problems. Its relative paths start at its own directory."""
    beside = file.absolute().parent
    devices = {name: device_of(name, section) for name, section in sections.devices.items()}
    return Config(
        file=file,
        table=_table(sections, devices),
        calendar=Calendar(ZoneInfo(sections.table.time_zone) if sections.table.time_zone else None),
        devices=tuple(devices.values()),
        mqtt=_mqtt(sections.mqtt, beside, password),
        journal=beside / sections.journal.path,
        log_level=sections.log.level,
        journal_key=None if sections.journal.key_file is None else beside / sections.journal.key_file,
        edge_percent_max=sections.money.edge_percent_max,
        people=None if sections.people.file is None else beside / sections.people.file,
        password_credential=sections.mqtt.password_credential,
        password_file=None if sections.mqtt.password_file is None else beside / sections.mqtt.password_file,
    )


def broker_of(sections: Sections, file: Path) -> MqttSettings:
    """Return the broker of a table, without the table's password."""
    return _mqtt(sections.mqtt, file.absolute().parent, None)


def _table(sections: Sections, devices: dict[str, DeviceSettings]) -> TableSettings:
    table = sections.table
    games = tuple(_game(sections, game, devices) for game in offered(sections))
    policies = {**dict.fromkeys(SUPERVISED, HousePolicy.SUPERVISOR), **sections.irregularities}
    return TableSettings(
        site=table.site,
        table=table.name,
        game=games[0].game,
        seats=table.seats,
        source=games[0].source,
        options=games[0].options,
        money=money_of(sections.money),
        limits=LimitSchedule(tuple((day_of(dated.first_day), limits_of(dated)) for dated in sections.limits)),
        reconciling=table.reconciling,
        paying=table.paying,
        supervised=tuple(name for name, policy in policies.items() if policy is HousePolicy.SUPERVISOR),
        supervised_once_seen=tuple(name for name, policy in policies.items() if policy is HousePolicy.ONCE_SEEN),
        stub_count_rounds_max=table.stub_count_rounds_max,
        deck_change_rounds=table.deck_change_rounds,
        deck_change_minutes=table.deck_change_minutes,
        offered=games if len(games) > 1 else (),
        large_wins=table.large_wins,
        loads_shoe=table.loads_shoe,
        title=table.title or "",
        currency=sections.money.currency,
        chips_cents=tuple(sorted(set(sections.money.chips_cents))),
        positions=Positions.ONE_EACH if table.one_position_a_player else Positions.HELD,
    )


def money_of(section: MoneySection) -> MoneyRule:
    """Return the table's money rule."""
    return MoneyRule(Cents(section.chip_cents), section.breakage)


def _game(sections: Sections, game: GameName, devices: dict[str, DeviceSettings]) -> OfferedGame:
    _, device = dealt_from(sections, game)
    options = options_at_table(sections, game, lambda name: source_of(name, devices[name].profile))
    return OfferedGame(game, source_of(device or "", devices[device or ""].profile), options)


def source_of(name: str, profile: Profile) -> SourceSettings:
    """Return what the table must know of a device that deals."""
    can = profile.can
    return SourceSettings(
        device=DeviceName(name),
        takes_commands=can(Capability.COMMANDS),
        reads_faces=can(Capability.FACES),
        counts=can(Capability.COUNTS),
        kind=kind_of(profile),
    )


def kind_of(profile: Profile) -> SourceKind:
    """Return how cards come out of such a device."""
    if profile.role is DeviceRole.SHOE:
        return SourceKind.SHOE
    return SourceKind.BATCH if profile.can(Capability.BATCH) else SourceKind.SHUFFLER


def limits_of(dated: LimitsSection) -> Limits:
    """Return one day's limits as the rules apply them."""
    stakes = {name: _stakes(wager) for name, wager in dated.wagers.items()}
    return Limits(
        stakes=MappingProxyType(stakes),
        authorised_most=Cents(dated.authorised_most_cents),
        wagers_max=dated.wagers_a_hand_max,
        large_wagers_max=dated.large_wagers_a_hand_max,
        aggregates=tuple(
            AggregateLimit(name, Cents(wager.aggregate_most_cents), wager.aggregate_shares_all)
            for name, wager in dated.wagers.items()
            if wager.aggregate_most_cents is not None
        ),
        verify_over=Cents(dated.verify_over_cents),
    )


def _stakes(wager: WagerSection) -> StakeRange:
    most = None if wager.most_cents is None else Cents(wager.most_cents)
    return StakeRange(Cents(wager.least_cents), most, Cents(wager.step_cents))


def device_of(name: str, section: DeviceSection) -> DeviceSettings:
    """Return one device's settings: its profile, and what this house sets differently."""
    return DeviceSettings(
        name=DeviceName(name),
        address=parse_address(section.address),
        profile=_adapted(PROFILES[section.profile], section),
        serial=section.serial_number,
    )


def _adapted(profile: Profile, section: DeviceSection) -> Profile:
    firmware = Firmware(
        least=section.firmware_least or profile.firmware.least,
        below=section.firmware_below or profile.firmware.below,
    )
    adapted = replace(profile, firmware=firmware, keys={**profile.keys, **section.keys})
    return adapted if section.angel_eye is None else _as_this_angel_eye(adapted, section.angel_eye)


def _as_this_angel_eye(profile: Profile, section: AngelEyeSection) -> Profile:
    """Return the profile with this shoe's options. If its commands are armed, the table may send it commands."""
    said = {
        name: value
        for name in ("card_again_means", "commands_armed", "command_bcc_covers_stx", "command_bcc_form", "deals_locked")
        if (value := getattr(section, name)) is not None
    }
    options = replace(profile.options or AngelEyeOptions(), **said)
    if section.seq_first is not None and section.seq_last is not None:
        options = replace(options, seq_range=SeqRange(ord(section.seq_first), ord(section.seq_last)))
    commands = {Capability.COMMANDS} if options.commands_armed else set()
    return replace(profile, options=options, capabilities=(profile.capabilities - {Capability.COMMANDS}) | commands)


def _mqtt(section: MqttSection, beside: Path, password: str | None) -> MqttSettings:
    return MqttSettings(
        host=section.host,
        port=section.port,
        version=section.version,
        client_id=section.client_id,
        user=section.username,
        password=password,
        tls=tls_of(section.tls, beside),
        keepalive_s=section.keepalive_s,
        session_expiry_s=section.session_expiry_s,
    )
