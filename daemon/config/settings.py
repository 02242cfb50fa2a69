"""From the sections of a good file to what each part of the daemon is given."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from zoneinfo import ZoneInfo

from daemon.clock import Calendar, day_of
from daemon.config.sections import (
    DeviceSection,
    LimitsSection,
    MqttSection,
    PanelSection,
    PaytableSection,
    Sections,
    WagerSection,
)
from daemon.logs import LogLevel
from daemon.mqtt.settings import MqttSettings, TlsSettings
from daemon.rules.limits import AggregateLimit, Limits, LimitSchedule, StakeRange
from daemon.rules.money import Cents, MoneyRule
from daemon.rules.wagers import GameName
from daemon.table.settings import (
    Big50Settings,
    BigRaiseSettings,
    GameSettings,
    OwnPaytable,
    SourceSettings,
    TableSettings,
)
from daemon.table.vocabulary import Policy, SourceKind
from drivers.addresses import parse_address
from drivers.events import DeviceName
from drivers.profile import Capability, DeviceRole, DeviceSettings, Firmware, Profile
from drivers.profiles import PROFILES


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that a daemon is told, ready for the parts that it is for."""

    file: Path
    table: TableSettings
    calendar: Calendar
    devices: tuple[DeviceSettings, ...]
    mqtt: MqttSettings
    journal: Path
    panel: PanelSection
    log_level: LogLevel
    edge_percent_max: int | None = None


def config_of(sections: Sections, file: Path, password: str | None) -> Config:
    """The configuration that a file without problems means; relative paths in it start at its own directory."""
    beside = file.absolute().parent
    devices = {name: device_of(name, section) for name, section in sections.devices.items()}
    return Config(
        file=file,
        table=_table(sections, devices),
        calendar=Calendar(ZoneInfo(sections.table.time_zone) if sections.table.time_zone else None),
        devices=tuple(devices.values()),
        mqtt=_mqtt(sections.mqtt, beside, password),
        journal=beside / sections.journal.path,
        panel=sections.panel,
        log_level=sections.log.level,
        edge_percent_max=sections.money.edge_percent_max,
    )


def _table(sections: Sections, devices: dict[str, DeviceSettings]) -> TableSettings:
    table = sections.table
    return TableSettings(
        site=table.site,
        table=table.name,
        game=table.game,
        seats=table.seats,
        source=_source(devices[table.deals_from or ""]),
        options=_options(sections),
        money=MoneyRule(Cents(sections.money.chip_cents), sections.money.breakage),
        limits=LimitSchedule(tuple((day_of(dated.first_day), limits_of(dated)) for dated in sections.limits)),
        reconciling=table.reconciling,
        paying=table.paying,
        supervised=tuple(name for name, policy in sections.irregularities.items() if policy is Policy.SUPERVISOR),
        stub_count_rounds_max=table.stub_count_rounds_max,
    )


def _options(sections: Sections) -> GameSettings:
    match sections.table.game:
        case GameName.BIG_RAISE_HOLDEM:
            house = sections.games.big_raise
            return BigRaiseSettings(
                five_card_bonus=house.five_card_bonus,
                five_card_bonus_on_fold=house.five_card_bonus_on_fold,
                play_in_whole_antes=house.play_in_whole_antes,
                ante_bonus_pays=own_paytable(house.ante_bonus_pays),
                two_card_bonus_pays=own_paytable(house.two_card_bonus_pays),
            )
        case _:
            big_50 = sections.games.big_50
            return Big50Settings(
                red_black=big_50.red_black,
                poker_hand_pays=own_paytable(big_50.poker_hand_pays),
                red_black_pays=own_paytable(big_50.red_black_pays),
                big_50_pays=own_paytable(big_50.big_50_pays),
                range_pays=own_paytable(big_50.range_pays),
            )


def own_paytable(section: PaytableSection | None) -> OwnPaytable | None:
    """A house's paytable as the table keeps it."""
    return None if section is None else OwnPaytable(section.name, section.source, tuple(section.rows.items()))


def _source(device: DeviceSettings) -> SourceSettings:
    can = device.profile.can
    return SourceSettings(
        device=device.name,
        takes_commands=can(Capability.COMMANDS),
        reads_faces=can(Capability.FACES),
        counts=can(Capability.COUNTS),
        proves_no_gap=can(Capability.KEEPS_EVENTS),
        kind=SourceKind.SHOE if device.profile.role is DeviceRole.SHOE else SourceKind.SHUFFLER,
    )


def limits_of(dated: LimitsSection) -> Limits:
    """One day's limits as the rules apply them."""
    stakes = {name: _stakes(wager) for name, wager in dated.wagers.items()}
    return Limits(
        stakes=MappingProxyType(stakes),
        authorised_most=Cents(dated.authorised_most_cents),
        wagers_max=dated.wagers_a_hand_max,
        large_wagers_max=dated.large_wagers_a_hand_max,
        aggregates=tuple(
            AggregateLimit(name, Cents(wager.aggregate_most_cents))
            for name, wager in dated.wagers.items()
            if wager.aggregate_most_cents is not None
        ),
        verify_over=Cents(dated.verify_over_cents),
    )


def _stakes(wager: WagerSection) -> StakeRange:
    most = None if wager.most_cents is None else Cents(wager.most_cents)
    return StakeRange(Cents(wager.least_cents), most, Cents(wager.step_cents))


def device_of(name: str, section: DeviceSection) -> DeviceSettings:
    """One device's settings: its profile, with what this house says differently."""
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
    return replace(profile, firmware=firmware, keys={**profile.keys, **section.keys})


def _mqtt(section: MqttSection, beside: Path, password: str | None) -> MqttSettings:
    return MqttSettings(
        host=section.host,
        port=section.port,
        version=section.version,
        client_id=section.client_id,
        user=section.username,
        password=password,
        tls=_tls(section, beside),
        keepalive_s=section.keepalive_s,
        session_expiry_s=section.session_expiry_s,
    )


def _tls(section: MqttSection, beside: Path) -> TlsSettings | None:
    tls = section.tls
    if tls is None:
        return None

    def there(path: str | None) -> Path | None:
        return None if path is None else beside / path

    return TlsSettings(
        ca_file=there(tls.ca_file), certificate_file=there(tls.certificate_file), key_file=there(tls.key_file)
    )
