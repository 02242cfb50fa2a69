"""`feltd selftest`: the part of the driver contract that is safe on a real device."""

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
@click.option("--device", "name", required=True, help="Its name in that file.")
@click.option("--move", is_flag=True, help="Also lock it, shuffle, give a packet and eject the rest.")
@click.option("--acknowledge", is_flag=True, help="Take the events that it keeps for good.")
@click.option("--json", "is_json", is_flag=True, help="The report as one JSON object; nobody is asked anything.")
@click.pass_context
def selftest(ctx: click.Context, file: Path, name: str, move: bool, acknowledge: bool, is_json: bool) -> None:
    """Find out whether a real device keeps what its protocol promises.

    Stop the table's daemon first: a port belongs to one program. It takes about half a minute. Once it asks for a key
    to be pressed or a card to be drawn; Enter leaves that out, and so does a time where there is no terminal.

    Without --move no card is moved and no mode changed; the only order is the lamp's, which ends dark. To Angel Eye and
    Bee-Tek shoes nothing is written ever. What was done for the test is acknowledged, to see that the device then
    forgets it; the daemon never gets it, and says at its next start that something is missing. Events of before are
    left to the daemon, and with them that check, unless --acknowledge or --move is given.

    Ends with status 0 if nothing failed and with 1 if something did. What was left out has neither passed nor failed.
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
