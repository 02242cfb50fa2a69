"""`feltd selftest`: runs the part of the driver contract that is safe on a real device."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console

from daemon.config.load import load
from daemon.config.option import FILE
from daemon.errors import ExitStatus
from daemon.tools.capture.command import REAL, device_named
from daemon.tools.selftest.checks import Report, Verdict
from daemon.tools.selftest.conformance import Conformance
from daemon.tools.selftest.examination import Allowed, Examination
from daemon.tools.selftest.people import Person, present
from daemon.tools.selftest.rendering import as_json, show
from drivers.profile import DeviceSettings
from protocols import felt_link


@click.command()
@click.option("--config", "file", type=FILE, required=True, help="The table's TOML file.")
@click.option("--device", "name", required=True, help="The device's name in that file.")
@click.option("--move", is_flag=True, help="Also lock it, shuffle, dispense a packet and eject the rest.")
@click.option("--acknowledge", is_flag=True, help="Take the events that it holds; the daemon never gets them.")
@click.option("--conformance", "is_whole", is_flag=True,
              help="Also judge each numbered requirement of felt-link's specification.")  # fmt: skip
@click.option("--json", "is_json", is_flag=True, help="Print the report as one JSON object, and ask nobody.")
@click.pass_context
def selftest(
    ctx: click.Context, file: Path, name: str, move: bool, acknowledge: bool, is_whole: bool, is_json: bool
) -> None:
    """Find out whether a real device does what its protocol promises.

    Stop the table's daemon first: a port belongs to one program. The test takes about half a minute. It asks once for
    a key press or a card. Enter leaves that out; without a terminal it is left out after a while.

    Without --move no card is moved and no mode is changed; only the lamp is switched, and it ends dark. Nothing is ever
    written to a shoe that does not speak felt-link. The test acknowledges the event that was made for it, to see that
    the device then forgets it. The daemon never gets this event, and reports at its next start that one is missing. If
    the device holds older events, these are left to the daemon, unless --acknowledge or --move is given.

    With --conformance a vendor learns of each numbered requirement of protocols/felt_link/SPEC.md whether the device
    meets it. With --move it is also driven through a deal, and asked twice for hands.

    It ends with status 1 if a check failed, else with 0. A check that was left out has neither passed nor failed.
    """
    settings = device_named(load(file), name)
    if is_whole and settings.profile.protocol != felt_link.NAME:
        wrong = f"{name} speaks {settings.profile.protocol}, and the numbered requirements are felt-link's"
        raise click.BadParameter(wrong, param_hint="--conformance")
    allowed = Allowed(moves=move, acknowledges=acknowledge)
    report = asyncio.run(_examine(settings, allowed, present(is_json=is_json), is_whole=is_whole))
    if is_json:
        click.echo(as_json(report))
    else:
        show(report, Console(highlight=False))
    if report.count(Verdict.FAILED):
        ctx.exit(ExitStatus.REFUSED)


async def _examine(settings: DeviceSettings, allowed: Allowed, person: Person, *, is_whole: bool) -> Report:
    run = secrets.token_hex(4)
    report = await Examination(settings, REAL, person, run, allowed).report()
    if not is_whole or report.identity is None:
        return report
    try:
        requirements = await Conformance(settings, REAL, person, run).checks(
            moves=allowed.moves, acknowledges=allowed.takes_events
        )
    finally:
        person.show_step("")
    return replace(report, requirements=requirements)
