"""The file of a new table: the keys that every table has, each with the explanation that matters."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Final

from daemon.config.sections import HousePolicy
from daemon.rules.games import GAMES
from daemon.rules.wagers import GameName
from daemon.table.settings import AT_A_DEALERS_WILL
from drivers.profiles import PROFILES
from protocols.frozen import dataclass

PEOPLE: Final = "people.toml"
"""The site's file of people, beside the files of its tables."""
CREDENTIAL: Final = "mqtt-password"
"""What feltd@.service calls the password."""


@dataclass(frozen=True, slots=True)
class TableAnswers:
    """What the technician said of the table."""

    site: str
    name: str
    game: GameName
    seats: int
    most_cents: int
    first_day: date
    journal: Path


@dataclass(frozen=True, slots=True)
class DeviceAnswers:
    """The device that deals. `serial_number` is None if it does not tell one."""

    address: str
    profile: str
    serial_number: str | None = None


@dataclass(frozen=True, slots=True)
class BrokerAnswers:
    """The broker. `ca_file` is None without TLS, and "" for the authorities that the machine trusts.

    `has_credential`: the unit gives the table its password, which lies in a file of root's beside the configuration.
    """

    host: str
    port: int
    user: str | None = None
    password_file: str | None = None
    ca_file: str | None = None
    has_credential: bool = False


def text_of(table: TableAnswers, device: DeviceAnswers, broker: BrokerAnswers, file: Path) -> str:
    """Return the file's text."""
    name = PROFILES[device.profile].role.value
    return "\n".join(
        [*_table(table, name, file), *_device(device, name), *_broker(broker), *_people(), *_journal(table)]
    )


def _table(table: TableAnswers, device: str, file: Path) -> list[str]:
    spot = GAMES[table.game].spots[0].value
    return [
        f"# Table {table.name} of {table.site}, written by feltd setup on {table.first_day}. Every key, also those",
        "# that are not here, is explained in systemd/feltd.example.toml. After a change run",
        f"#     feltd check-config {file}",
        "",
        "[table]",
        f"# Both names are part of the MQTT topics: felt/v1/{table.site}/{table.name}/...",
        f"site = {_quoted(table.site)}",
        f"name = {_quoted(table.name)}",
        "# Numbered from the dealer's left.",
        f"seats = {table.seats}",
        f"game = {_quoted(table.game.value)}",
        "# The device below that deals.",
        f"deals_from = {_quoted(device)}",
        "",
        "# Limits by their first day, earliest first. Amounts are cents. Nothing can be bet before the first day.",
        "[[limits]]",
        f"first_day = {table.first_day.isoformat()}",
        "# The most of any single wager.",
        f"authorised_most_cents = {table.most_cents}",
        "# Each wager can have limits of its own. Without them any stake up to the most above is taken.",
        f"#[limits.wagers.{spot}]",
        "#least_cents = 500",
        "#most_cents = 10000",
        "#step_cents = 500",
        "",
        "# A dealer alone can bring these about. Once cards of the round are out, a supervisor rules on them.",
        "[irregularities]",
        *(f'{each.value} = "{HousePolicy.ONCE_SEEN.value}"' for each in AT_A_DEALERS_WILL),
        "",
    ]


def _device(device: DeviceAnswers, name: str) -> list[str]:
    lines = [
        f"[devices.{name}]",
        "# What it is, and where it is plugged in.",
        f"profile = {_quoted(device.profile)}",
        f"address = {_quoted(device.address)}",
    ]
    if device.serial_number is not None:
        lines += ["# Only the device with this number is accepted.", f"serial_number = {_quoted(device.serial_number)}"]
    return [*lines, ""]


def _broker(broker: BrokerAnswers) -> list[str]:
    lines = ["[mqtt]", f"host = {_quoted(broker.host)}", f"port = {broker.port}"]
    if broker.user is not None:
        lines.append(f"username = {_quoted(broker.user)}")
    if broker.has_credential:
        lines += ["# systemd gives the password to this table alone.", f"password_credential = {_quoted(CREDENTIAL)}"]
    elif broker.password_file is not None:
        lines += ["# Its first line is the password.", f"password_file = {_quoted(broker.password_file)}"]
    if broker.ca_file is not None:
        lines += ["", "# The connection is encrypted, and the broker has to prove its name.", "[mqtt.tls]"]
        lines += [f"ca_file = {_quoted(broker.ca_file)}"] if broker.ca_file else []
    return [*lines, ""]


def _people() -> list[str]:
    lines = ["# Who may do what at the tables of the site. Without this file the table takes no command."]
    return [*lines, "[people]", f"file = {_quoted(PEOPLE)}", ""]


def _journal(table: TableAnswers) -> list[str]:
    return [
        "[journal]",
        "# Everything is written here before anybody hears of it. feltd run never creates it: if it is missing, its",
        "# disk is probably not mounted.",
        f"path = {_quoted(str(table.journal))}",
        "",
    ]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
