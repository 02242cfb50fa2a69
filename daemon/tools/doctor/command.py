"""`feltd doctor`: runs every check, and prints each finding with its remedy."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import click
import msgspec

from daemon.config.load import load
from daemon.config.settings import Config
from daemon.errors import ExitStatus
from daemon.journal.lock import lock_file
from daemon.mqtt.topics import Topics
from daemon.tools.doctor.broker import check_broker
from daemon.tools.doctor.devices import check_device, check_ports_differ
from daemon.tools.doctor.findings import Finding, Verdict
from daemon.tools.doctor.machine import check_clock, check_journal, clock_status
from daemon.tools.doctor.ports import Account, account, built_in, check_port, check_rules, ports
from drivers.addresses import SerialAddress
from drivers.transports.holders import holders

_MARKS: Final = {Verdict.OK: "ok", Verdict.WARNING: "WARNING", Verdict.PROBLEM: "PROBLEM"}


@click.command()
@click.option("--config", "file", type=click.Path(path_type=Path), help="The table's TOML file.")
@click.option(
    "--user", "user", metavar="NAME", help="Check the rights on serial ports for this user, for example the service's."
)
@click.option("--json", "is_json", is_flag=True, help="Print the findings as one JSON list.")
@click.pass_context
def doctor(ctx: click.Context, file: Path | None, user: str | None, is_json: bool) -> None:
    """Find what would keep a table from being played.

    Without a file it checks serial ports, udev rules and the clock; with one, also its devices, broker and journal.
    Run it as the user that runs the daemon, or name that user. It writes to no port. It opens the configured ports and
    listens for some seconds, but leaves TCP and USB devices of a running daemon alone. The broker gets empty messages
    on topics of this table that nothing else uses.

    It ends with status 69 if there is a problem. Warnings do not count.
    """
    config = None if file is None else load(file)
    findings = examined(config, _account(user))
    click.echo(msgspec.json.encode(findings).decode() if is_json else as_text(findings))
    if any(finding.verdict is Verdict.PROBLEM for finding in findings):
        ctx.exit(ExitStatus.UNAVAILABLE)


def examined(config: Config | None, whose: Account | None) -> list[Finding]:
    """Return every finding about this machine, and about the table if there is a configuration."""
    return [*_machine(config, whose), *(asyncio.run(_outside(config)) if config is not None else ())]


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
        yield from check_journal(config.journal, config.table)


async def _outside(config: Config) -> list[Finding]:
    daemon = next(iter(holders(lock_file(config.journal).resolve())), None)
    devices = [*check_ports_differ(config.devices)]
    devices += [await check_device(settings, daemon=daemon) for settings in config.devices]
    return devices + await check_broker(config.mqtt, Topics(config.table.site, config.table.table))


def as_text(findings: Iterable[Finding]) -> str:
    """Return the findings in columns, with the remedies below."""
    lines = []
    for finding in findings:
        lines.append(f"{_MARKS[finding.verdict]:<8} {finding.check:<18} {finding.subject}: {finding.said}")
        if finding.remedy:
            lines.append(f"{'':<27} {finding.remedy}")
    return "\n".join(lines)
