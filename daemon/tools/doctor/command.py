"""`feltd doctor`: runs every check, and prints each finding with its remedy."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import click
import msgspec

from daemon.clock import stamp
from daemon.config.cautions import cautions, voids_at_will
from daemon.config.files import UnreadableError, first_line
from daemon.config.load import load
from daemon.config.option import FILE
from daemon.config.page import is_page_file
from daemon.config.people import Role, load_people
from daemon.config.settings import Config
from daemon.errors import ExitStatus
from daemon.journal.lock import lock_file
from daemon.mqtt.topics import Topics
from daemon.tools.doctor.account import Account, account, check_files, of_the_unit
from daemon.tools.doctor.broker import check_beside, check_broker
from daemon.tools.doctor.broker_memory import check_memory
from daemon.tools.doctor.credential import check_secrets_beside, find_credential
from daemon.tools.doctor.devices import check_device, check_ports_differ
from daemon.tools.doctor.findings import Finding, Verdict, warning
from daemon.tools.doctor.identity import Trial, check_identity, not_tried
from daemon.tools.doctor.machine import check_clock, check_journal, clock_status
from daemon.tools.doctor.owners import check_owners, tables_users
from daemon.tools.doctor.page import check_page_file
from daemon.tools.doctor.ports import built_in, check_port, check_rules, ports
from daemon.tools.login import Login
from daemon.visible import visible
from drivers.addresses import SerialAddress
from drivers.transports.holders import holders

_MARKS: Final = {Verdict.OK: "ok", Verdict.WARNING: "WARNING", Verdict.PROBLEM: "PROBLEM"}


@click.command()
@click.option("--config", "file", type=FILE, help="The table's TOML file, or the page's.")
@click.option(
    "--user", "user", metavar="NAME", help="Check the rights on serial ports for this user, for example the service's."
)
@click.option("--json", "is_json", is_flag=True, help="Print the findings as one JSON list.")
@click.option("--as-user", help="Prove that this user at the broker may do nothing but what the access list says.")
@click.option("--as-password-file", type=FILE, help="The first line of this file is the password.")
@click.option("--as-certificate-file", type=FILE, help="Or a certificate that says to the broker who the user is.")
@click.option("--as-key-file", type=FILE, help="Its key, if the file of the certificate has none.")
@click.pass_context
def doctor(
    ctx: click.Context,
    file: Path | None,
    user: str | None,
    is_json: bool,
    as_user: str | None,
    as_password_file: Path | None,
    as_certificate_file: Path | None,
    as_key_file: Path | None,
) -> None:
    """Find what would keep a table from being played.

    Without a file it checks serial ports, udev rules and the clock; with one, also its devices, broker and journal.
    Run it as the user that runs the daemon, or name that user. It writes to no port. It opens the configured ports and
    listens for some seconds, but leaves TCP and USB devices of a running daemon alone. The broker gets empty messages
    on topics of this table that nothing else uses. With --as-user it also gets the table's documents once more.

    With the page's file it checks that file, those that it names, and what the page's unit is given.

    It ends with status 69 if there is a problem. Warnings do not count.
    """
    if file is not None and is_page_file(file):
        _tell(ctx, list(check_page_file(file)), is_json=is_json)
        return
    config = None if file is None else load(file)
    whose = of_the_unit(file) if user is None and file is not None else _account(user)
    findings = examined(config, whose, _trial(Login(as_user, as_password_file, as_certificate_file, as_key_file)))
    _tell(ctx, findings, is_json=is_json)


def _tell(ctx: click.Context, findings: Sequence[Finding], *, is_json: bool) -> None:
    click.echo(msgspec.json.encode(findings).decode() if is_json else as_text(findings))
    if any(finding.verdict is Verdict.PROBLEM for finding in findings):
        ctx.exit(ExitStatus.UNAVAILABLE)


def examined(config: Config | None, whose: Account | None, trial: Trial | None = None) -> list[Finding]:
    """Return every finding about this machine, and about the table if there is a configuration."""
    of_machine = list(_machine(config, whose))
    if config is None:
        return of_machine
    if config.password_credential is None or config.mqtt.password is not None:
        return [*of_machine, *asyncio.run(_outside(config, trial))]
    found = find_credential(config.password_credential, config.file.stem)
    with_password = replace(config, mqtt=replace(config.mqtt, password=found.password))
    return [*of_machine, found.finding, *asyncio.run(_outside(with_password, trial))]


def _trial(login: Login) -> Trial | None:
    if login.user is None:
        if login.certificate_file is not None:
            raise click.UsageError("--as-certificate-file needs --as-user: the name that the broker takes from it")
        return None
    try:
        password = None if login.password_file is None else first_line(login.password_file)
    except UnreadableError as error:
        said = f"{login.password_file}: this file {error}"
        raise click.BadParameter(said, param_hint="--as-password-file") from error
    return Trial(login.user, password, login.certificate_file, login.key_file)


def _account(name: str | None) -> Account | None:
    try:
        return None if name is None else account(name)
    except KeyError:
        raise click.BadParameter(f"there is no user {name!r} on this machine", param_hint="--user") from None


def _machine(config: Config | None, whose: Account | None) -> Iterator[Finding]:
    yield check_clock(clock_status())
    yield check_rules()
    devices = () if config is None else config.devices
    configured = [Path(device.address.path) for device in devices if isinstance(device.address, SerialAddress)]
    wanted = {path.resolve() for path in configured}
    of_the_board = built_in()
    for port, names in ports(configured=configured).items():
        yield from check_port(port, names, whose, is_ours=port in wanted or port not in of_the_board)
    if config is not None:
        if whose is not None:
            yield from check_owners(devices, whose, tables_users())
        yield from check_files(config, whose)
        yield from check_secrets_beside(config.file.stem)
        yield from _policies(config)
        yield from _cautions(config)
        yield from check_journal(config.journal, config.table)


def _cautions(config: Config) -> Iterator[Finding]:
    """Yield what check-config warns of, so that the two agree."""
    for caution in cautions(config, config.calendar.day(stamp().utc_ns)):
        if caution.code != "dealer-may-void":  # which has a finding of its own
            remedy = f"Correct the file, or leave it if this is meant: {caution.code} in systemd/CODES.md."
            yield warning("configuration", str(config.file), f"{caution.said}.", remedy)


async def _outside(config: Config, trial: Trial | None) -> list[Finding]:
    daemon = next(iter(holders(lock_file(config.journal).resolve())), None)
    devices = [*check_ports_differ(config.devices)]
    devices += [await check_device(settings, daemon=daemon) for settings in config.devices]
    topics = Topics(config.table.site, config.table.table)
    devices += await check_memory(config.mqtt)
    if daemon is not None and config.mqtt.logs_in:
        return [*devices, *_people(config), await check_beside(config.mqtt, daemon), *not_tried(trial, daemon)]
    devices += [*_people(config), *await check_broker(config.mqtt, topics)]
    if trial is None:
        return devices
    return [*devices, *await check_identity(config.mqtt, topics, trial, _others(config, trial))]


def _others(config: Config, trial: Trial) -> list[str]:
    people = {} if config.people is None else load_people(config.people).people
    return [user for user, person in people.items() if user != trial.user and person.is_at(config.table.table)]


def _policies(config: Config) -> Iterator[Finding]:
    for said in voids_at_will(config.table):
        remedy = 'Write "supervisor-once-seen" for these in [irregularities], unless your approved rules say void.'
        yield warning("policy", "[irregularities]", f"{said}.", remedy)


def _people(config: Config) -> Iterator[Finding]:
    if config.people is None:
        said = "names no file of people. The table then refuses every command; only keys on devices work."
        yield warning("people", "[people]", said, "Name the site's file of people (systemd/people.example.toml).")
        return
    named = load_people(config.people).people.values()
    if not any(person.role is Role.SUPERVISOR and person.is_at(config.table.table) for person in named):
        said = f"names no supervisor of {config.table.table}: nobody could rule on a round that stands still."
        yield warning("people", str(config.people), said, "Add one, as systemd/people.example.toml has them.")


def as_text(findings: Iterable[Finding]) -> str:
    """Return the findings in columns, with the remedies below."""
    lines = []
    for finding in findings:
        lines.append(f"{_MARKS[finding.verdict]:<8} {finding.check:<18} {finding.subject}: {finding.said}")
        if finding.remedy:
            lines.append(f"{'':<27} {finding.remedy}")
    return "\n".join(map(visible, lines))
