"""`feltd setup`: a technician's way from a new machine to a table that can be played."""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Final

import click

from daemon.config.files import file_problems
from daemon.config.load import examine, load
from daemon.config.people import load_people
from daemon.config.sections import MqttSection, Sections, TlsSection
from daemon.errors import ExitStatus, SetupError
from daemon.journal.creation import create
from daemon.journal.errors import JournalThereError
from daemon.rules.games import GAMES
from daemon.rules.wagers import GameName
from daemon.tools.doctor.account import account, of_the_unit
from daemon.tools.doctor.command import as_text, examined
from daemon.tools.doctor.findings import Verdict
from daemon.tools.setup.found import FoundDevice, listen_to, serial_addresses
from daemon.tools.setup.people import ask_people, site_file, users_of
from daemon.tools.setup.text import BrokerAnswers, DeviceAnswers, TableAnswers, text_of
from daemon.tools.setup.words import plain, topic_word
from daemon.tools.whole import write_whole
from daemon.visible import visible
from drivers.addresses import FORMS, AddressError, SerialAddress, parse_address
from drivers.profile import Profile
from drivers.profiles import PROFILES

SEATS: Final = 6
MOST_DOLLARS: Final = 400
SERVICE_USER: Final = "feltd"
CONFIGURATIONS: Final = Path("/etc/feltd")
JOURNALS: Final = Path("/var/lib/feltd")
PLAIN_PORT: Final = 1883
TLS_PORT: Final = 8883
USUAL_CA: Final = "ca.pem"  # where systemd/README.md puts it, beside the tables' files
MACHINES_OWN: Final = "-"


@click.command()
@click.option("--file", type=click.Path(path_type=Path), help="The file to write; by default /etc/feltd/TABLE.toml.")
@click.option("--journal", type=click.Path(path_type=Path), help="By default /var/lib/feltd/TABLE/journal.db.")
@click.pass_context
def setup(ctx: click.Context, file: Path | None, journal: Path | None) -> None:
    """Set up a new table: ask, write its file, create its journal, and run doctor.

    It asks what it cannot find out. It listens to the serial ports, writes to none of them, and offers the devices that
    identify themselves. An existing file or journal is never overwritten;
    a table is added to the site's file of people. As root, give the files to the user feltd.

    It ends with status 69 if doctor finds a problem.
    """
    table = _ask_table(journal)
    file = (file or CONFIGURATIONS / f"{table.name}.toml").absolute()
    for there in (file, file.with_suffix(".password")):
        if there.exists():
            remedy = "Change it with an editor, or name another with --file."
            raise SetupError("setup.file-there", f"{there} exists.", remedy)
    site = site_file(file, table)
    device = _ask_device(table, file)
    broker, password = _ask_broker(table, device, file, site.user_of(table.name))
    people = ask_people(site, table, broker.user)
    if people is not None and site.people is None:
        _write(site.path, people)
    elif people is not None:
        with _written(site.path):
            write_whole(site.path, people)  # running tables read it, and a site may have it elsewhere behind a link
    _write(file, text_of(table, device, broker, file))
    if password is not None:
        _write(file.with_suffix(".password"), f"{password}\n", is_secret=broker.has_credential)
    config = load(file)
    _create_journal(config.journal)
    click.echo(f"{file} is written. doctor looks at the table:\n")
    findings = examined(config, (of_the_unit(file) or account(SERVICE_USER)) if _is_for_service() else None)
    click.echo(as_text(findings))
    problems = sum(finding.verdict is Verdict.PROBLEM for finding in findings)
    is_unit = file.parent == CONFIGURATIONS
    start = f"systemctl enable --now feltd@{file.stem}" if is_unit else f"feltd run --config {file}"
    if problems:
        click.echo(f"\nFirst solve the problems ({problems}), and look again: feltd doctor --config {file}")
    users = ", ".join(users_of(load_people(site.path), table.name))
    click.echo(f"\nGive each of these users a password at the broker: {users}. Its access list is written by:")
    click.echo(f"    feltd access --broker mosquitto --out /etc/mosquitto/feltd.acl {site.path}")
    click.echo(f"Set the house's limits in {file}. Then start the table: {start}")
    if problems:
        ctx.exit(ExitStatus.UNAVAILABLE)


def _ask_table(journal: Path | None) -> TableAnswers:
    site = click.prompt("Site, a short name for the casino", value_proc=topic_word)
    name = click.prompt("Table, a name that no other table of the site has", value_proc=topic_word)
    games = [game.value for game in GAMES]
    game = GameName(click.prompt("Game", type=click.Choice(games), default=games[0]))
    most = GAMES[game].positions_max
    seats = click.prompt("Seats", type=click.IntRange(1, most), default=min(SEATS, most))
    dollars = click.prompt("The most of a single wager, in dollars", type=click.IntRange(1), default=MOST_DOLLARS)
    path = (journal or JOURNALS / name / "journal.db").absolute()
    return TableAnswers(site, name, game, seats, dollars * 100, date.today(), path)  # noqa: DTZ011  the house's own day


def _ask_device(table: TableAnswers, file: Path) -> DeviceAnswers:
    fitting = _fitting_profiles(table, file)
    found = _listen()
    for number, one in enumerate(found, 1):
        click.echo(f"  {number}  {one.address}\n     {visible(one.says)}")
    words = f"the number of a port above, or an address ({FORMS})" if found else f"an address ({FORMS})"
    chosen = click.prompt(f"The device that deals: {words}", value_proc=_address_of(found))
    best = chosen.best_of(fitting)
    if best is not None:
        click.echo(f"It can deal {table.game.value} as {best.name}: {best.title}.")
        return DeviceAnswers(chosen.address, best.name, chosen.hello.identity.serial if chosen.hello else None)
    for profile in fitting:
        click.echo(f"  {profile.name}: {profile.title}")
    names = click.Choice([profile.name for profile in fitting])
    return DeviceAnswers(chosen.address, click.prompt("What it is", type=names, show_choices=False))


def _fitting_profiles(table: TableAnswers, file: Path) -> list[Profile]:
    """Return the profiles with which this table's file would have no problem."""

    def has_no_problem(profile: Profile) -> bool:
        device = DeviceAnswers("serial:/dev/null", profile.name)
        return isinstance(examine(text_of(table, device, BrokerAnswers("localhost", PLAIN_PORT), file)), Sections)

    return [profile for profile in PROFILES.values() if has_no_problem(profile)]


def _listen() -> list[FoundDevice]:
    addresses = serial_addresses()
    if not addresses:
        click.echo("This machine has no serial port that feltd can see.")
        return []
    click.echo(f"Serial ports: {', '.join(str(address) for address in addresses)}")
    if not click.confirm("Listen to them for three seconds? Nothing is written to them", default=True):
        return [FoundDevice(str(address), "was not listened to.") for address in addresses]
    return asyncio.run(listen_to(addresses))


def _address_of(found: list[FoundDevice]) -> Callable[[str], FoundDevice]:
    def chosen(text: str) -> FoundDevice:
        if text.isdecimal() and 1 <= int(text) <= len(found):
            return found[int(text) - 1]
        try:
            address = parse_address(plain(text))
        except AddressError as error:
            raise click.BadParameter(str(error)) from None
        if isinstance(address, SerialAddress) and Path(address.path).exists():
            return asyncio.run(listen_to([address]))[0]
        return FoundDevice(str(address), "")

    return chosen


def _ask_broker(
    table: TableAnswers, device: DeviceAnswers, file: Path, known_user: str | None
) -> tuple[BrokerAnswers, str | None]:
    def host_of(text: str) -> str:
        found = examine(text_of(table, device, BrokerAnswers(plain(text), PLAIN_PORT), file))
        if not isinstance(found, Sections):
            raise click.BadParameter("; ".join(f"{each.found}; allowed: {each.allowed}" for each in found))
        return text

    host = click.prompt("Host of the MQTT broker", default="localhost", value_proc=host_of)
    is_encrypted = click.confirm("Is the connection encrypted (TLS)?", default=host != "localhost")
    port = click.prompt("Its port", type=click.IntRange(1, 65535), default=TLS_PORT if is_encrypted else PLAIN_PORT)
    broker = BrokerAnswers(host, port)
    if is_encrypted:
        ask = "File with the authority's certificate (- for the authorities that the machine trusts)"
        usual = file.parent / USUAL_CA
        default = str(usual) if usual.exists() else MACHINES_OWN
        broker = replace(broker, ca_file=click.prompt(ask, default=default, value_proc=_ca_file))
    none = f"empty: none; the file of people says {known_user}" if known_user else "empty: none"
    user = click.prompt(f"User at the broker ({none})", default="", show_default=False, value_proc=plain)
    if not user:
        return broker, None
    password = click.prompt("Password (it is written to a file of its own)", hide_input=True, value_proc=plain)
    password_file = str(file.with_suffix(".password"))
    has_credential = file.parent == CONFIGURATIONS and _is_for_service()  # `feltd@` runs the table
    return replace(broker, user=user, password_file=password_file, has_credential=has_credential), password


def _ca_file(text: str) -> str:
    if text in ("", MACHINES_OWN):
        return ""
    problem = next(file_problems(MqttSection(tls=TlsSection(ca_file=text)), Path.cwd()), None)
    if problem is not None:
        raise click.BadParameter(f"{problem.found}; allowed: {problem.allowed}")
    return str(Path(text).absolute())


def _write(file: Path, text: str, *, is_secret: bool = False) -> None:
    """Write a new file that the daemon's user may read and others may not. A secret is for root alone."""
    mode = 0o600 if is_secret else 0o640
    with _written(file):
        file.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(handle, "w", encoding="utf-8") as written:
            written.write(text)
            os.fchmod(handle, mode)  # whatever root's umask takes away
            if _is_for_service() and not is_secret:
                shutil.chown(handle, group=SERVICE_USER)  # not what lies there by now: the directory may be a user's


@contextmanager
def _written(file: Path) -> Iterator[None]:
    """Raise SetupError where the file cannot be written."""
    try:
        yield
    except OSError as error:
        remedy = "Run setup as root, or name another file with --file."
        raise SetupError("setup.not-written", f"{file} cannot be written: {error.strerror}.", remedy) from error


def _create_journal(path: Path) -> None:
    try:
        path.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
        with suppress(JournalThereError):  # the table is set up anew, and continues on its journal
            create(path)
        if _is_for_service():
            ours = pwd.getpwnam(SERVICE_USER)
            for one in (path.parent, *path.parent.glob(f"{path.name}*")):
                # Not what a link points to: the directory of a table is its user's, and this is root.
                os.chown(one, ours.pw_uid, ours.pw_gid, follow_symlinks=False)
    except OSError as error:
        remedy = "Run setup as root, or name another file with --journal."
        raise SetupError("setup.no-journal", f"{path} cannot be created: {error.strerror}.", remedy) from error


def _is_for_service() -> bool:
    """Return whether the files are for the daemon's user of the unit."""
    with suppress(KeyError):
        return os.geteuid() == 0 and pwd.getpwnam(SERVICE_USER) is not None
    return False
