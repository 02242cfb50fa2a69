"""`feltd selftest`: runs the part of the driver contract that is safe on a real device."""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path

import click
from rich.console import Console

from daemon.config.load import load
from daemon.errors import ExitStatus
from daemon.tools.capture.command import REAL, device_named
from daemon.tools.selftest.checks import Verdict
from daemon.tools.selftest.examination import Allowed, Examination
from daemon.tools.selftest.people import present
from daemon.tools.selftest.rendering import as_json, show


@click.command()
@click.option("--config", "file", type=click.Path(path_type=Path), required=True, help="The table's TOML file.")
@click.option("--device", "name", required=True, help="The device's name in that file.")
@click.option("--move", is_flag=True, help="Also lock it, shuffle, dispense a packet and eject the rest.")
@click.option("--acknowledge", is_flag=True, help="Take the events that it holds; the daemon never gets them.")
@click.option("--json", "is_json", is_flag=True, help="Print the report as one JSON object, and ask nobody.")
@click.pass_context
def selftest(ctx: click.Context, file: Path, name: str, move: bool, acknowledge: bool, is_json: bool) -> None:
    """Find out whether a real device does what its protocol promises.

    Stop the table's daemon first: a port belongs to one program. The test takes about half a minute. It asks once for
    a key press or a card. Enter leaves that out; without a terminal it is left out after a while.

    Without --move no card is moved and no mode is changed; only the lamp is switched, and it ends dark. Nothing is ever
    written to Angel Eye and Bee-Tek shoes. The test acknowledges the event that was made for it, to see that the device
    then forgets it. The daemon never gets this event, and reports at its next start that one is missing. If the device
    holds older events, these are left to the daemon, unless --acknowledge or --move is given.

    It ends with status 1 if a check failed, else with 0. A check that was left out has neither passed nor failed.
    """
    settings = device_named(load(file), name)
    allowed = Allowed(moves=move, acknowledges=acknowledge)
    examination = Examination(settings, REAL, present(is_json=is_json), secrets.token_hex(4), allowed)
    report = asyncio.run(examination.report())
    if is_json:
        click.echo(as_json(report))
    else:
        show(report, Console(highlight=False))
    if report.count(Verdict.FAILED):
        ctx.exit(ExitStatus.REFUSED)
