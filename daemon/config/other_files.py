"""What a table's file and the files around it say differently: people, certificates, password, other tables."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from daemon.config.caution import Caution
from daemon.config.files import UnreadableError, text_of
from daemon.config.people import Role, load_people
from daemon.config.settings import Config
from daemon.errors import ConfigurationError


def of_other_files(config: Config) -> Iterator[Caution]:
    """Yield what does not fit together. What cannot be read is left to who needs it."""
    yield from _of_the_people(config)
    yield from _of_the_password(config)
    yield from _of_the_certificates(config)
    yield from _of_other_tables(config)


def _of_the_people(config: Config) -> Iterator[Caution]:
    """Yield a user that the access list does not let in as this table, and seats that the table does not have."""
    if config.people is None:
        return
    try:
        people = load_people(config.people)
    except ConfigurationError:
        return
    own, user = people.tables.get(config.table.table), config.mqtt.user
    if own is not None and user is not None and user != own.user:
        said = f'mqtt.username is "{user}", and {config.people.name} says that this table is the user "{own.user}"'
        yield Caution(
            "user-of-another", f"{said}. The broker's access list, which is written from it, refuses the table"
        )
    for name, person in people.people.items():
        beyond = [str(seat) for seat in person.seats if seat > config.table.seats]
        if person.role is Role.PLAYER and config.table.table in person.tables and beyond:
            said = f"{config.people.name}: {name} has seat {', '.join(beyond)}"
            yield Caution("people-seats", f"{said}, and this table has {config.table.seats} seats")


def _of_the_password(config: Config) -> Iterator[Caution]:
    """Yield what is probably not the password. No caution has a character of it."""
    password = config.mqtt.password
    if password is not None and password != password.strip():
        yield Caution("password-odd", "mqtt: the password begins or ends with a blank, which is part of it")
    if config.password_file is not None:
        with suppress(UnreadableError):
            if any(line.strip() for line in text_of(config.password_file).split("\n")[1:]):
                said = f"mqtt.password_file: {config.password_file} has more lines than one"
                yield Caution("password-odd", f"{said}. Only the first is read, as the password")


def _of_the_certificates(config: Config) -> Iterator[Caution]:
    """Yield certificates out of their time, and one that is not this user's."""
    tls = config.mqtt.tls
    if tls is None or (tls.ca_file is None and tls.certificate_file is None):
        return
    from cryptography import x509  # only a table with such files needs it

    now = datetime.now(UTC)
    for key, path in (("ca_file", tls.ca_file), ("certificate_file", tls.certificate_file)):
        if path is None:
            continue
        with suppress(ValueError, OSError):
            all_of_it = x509.load_pem_x509_certificates(path.read_bytes())
            dated = [(each.not_valid_before_utc, each.not_valid_after_utc) for each in all_of_it]
            if not any(first <= now <= last for first, last in dated):
                said = f"mqtt.tls.{key}: {path} is valid from {dated[0][0]:%Y-%m-%d} to {dated[0][1]:%Y-%m-%d}"
                yield Caution("certificate-out-of-date", f"{said}, and today is {now:%Y-%m-%d}")
            names = all_of_it[0].subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)
            user = config.mqtt.user
            if key == "certificate_file" and user is not None and names and names[0].value != user:
                said = f'mqtt.tls.{key}: {path} is the certificate of "{names[0].value!s}"'
                yield Caution("certificate-of-another", f'{said}, and username is "{user}"')


def _of_other_tables(config: Config) -> Iterator[Caution]:
    """Yield what another table's file beside this one has too, as a copy that was not changed everywhere."""
    addresses = {str(device.address): device.name for device in config.devices}
    for file in sorted(config.file.absolute().parent.glob("*.toml")):
        other = _table_in(file)
        if file.name == config.file.name or other is None:
            continue
        table, journal = _section(other, "table"), _section(other, "journal").get("path")
        if (table.get("site"), table.get("name")) == (config.table.site, config.table.table):
            said = f"table.name: {file} is the file of {config.table.table} of {config.table.site} too"
            yield Caution("table-twice", f"{said}. Two daemons with one name end each other's connection")
        if isinstance(journal, str) and (file.parent / journal).resolve() == config.journal.resolve():
            yield Caution("table-twice", f"journal.path: {file} has the same journal. Each table has its own")
        for device in _section(other, "devices").values():
            address = device.get("address") if isinstance(device, dict) else None
            if isinstance(address, str) and address in addresses:
                said = f"devices.{addresses[address]}.address: {file} has the same device"
                yield Caution("table-twice", f"{said}. A port serves one table")


def _table_in(file: Path) -> Mapping[str, Any] | None:
    """Return a table's file as TOML has it, or None for anything else."""
    with suppress(UnreadableError, ValueError, RecursionError, OSError):
        document = tomllib.loads(text_of(file))
        return document if "table" in document else None
    return None


def _section(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    section = document.get(name)
    return section if isinstance(section, dict) else {}
