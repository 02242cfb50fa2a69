"""`feltd run`, `create-journal` and `check-config`: the commands that begin with a configuration."""

from __future__ import annotations

import faulthandler
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec
import structlog

from daemon import logs
from daemon.clock import stamp
from daemon.config.caution import Caution
from daemon.config.cautions import cautions
from daemon.config.document import InvalidConfigurationError
from daemon.config.edges import warnings
from daemon.config.files import credentials_given
from daemon.config.load import load
from daemon.config.option import FILE
from daemon.config.people import is_people_file, load_people
from daemon.config.problems import spell_path
from daemon.config.remedies import REMEDIES
from daemon.config.settings import Config
from daemon.counting import counted
from daemon.errors import ConfigurationError, ExitStatus
from daemon.lazy import importing
from drivers.profile import Evidence

if TYPE_CHECKING:
    from daemon.config.page import CheckedPage

_log = structlog.get_logger(__name__)


class CredentialMissingError(ConfigurationError):
    """The unit was started without the password that the file names."""

    def __init__(self, name: str, file: Path) -> None:
        known = ", ".join(credentials_given()) or "none"
        message = (
            f"{file} names the credential {name}, and systemd gave this process none or an empty one; it gave: {known}."
        )
        remedy = (
            f"feltd@{file.stem} gives mqtt-password, from /etc/feltd/{file.stem}.password: write that name as "
            "password_credential, and the password into that file, for root alone. "
            "A feltd that you start by hand needs password_file."
        )
        super().__init__("credential-missing", message, remedy)


@click.command()
@click.option("--config", "file", type=FILE, required=True, help="The table's TOML file.")
def run(file: Path) -> None:
    """Run the daemon of one table.

    It continues on the table's journal, which `feltd create-journal` made once. If the journal is missing, its disk is
    probably not mounted, and a new one would give rounds the numbers of old ones.

    It ends with status 78 if the configuration has a problem, and names all problems.
    """
    config = load(file)
    if config.password_credential is not None and config.mqtt.password is None:
        raise CredentialMissingError(config.password_credential, file)
    with importing():
        from daemon import app  # after the file is known to be good: it brings all that only a running table needs

    faulthandler.enable()  # the watchdog's SIGABRT then prints where every thread stands, without any value
    logs.configure(config.log_level)
    for caution in _cautions(config):
        _log.warning("configuration-caution", code=caution.code, caution=caution.said)
    for warning in warnings(config):
        _log.warning("paytable-edge", edge=warning)
    app.run(config)


@click.command("create-journal")
@click.option("--config", "file", type=FILE, required=True, help="The table's TOML file.")
def create_journal(file: Path) -> None:
    """Make a new table's journal, once in its life.

    Run it as the user that runs the daemon. It also creates the last directory of the journal's path. It ends with
    status 74 if a journal exists or existed there.
    """
    from daemon.journal import creation

    config = load(file)
    click.echo(f"{config.journal}: journal {creation.create(config.journal)}, new and empty")


@click.command()
@click.argument("file", type=FILE)
@click.option("--json", "as_json", is_flag=True, help="Print the problems as one JSON list.")
@click.pass_context
def check_config(ctx: click.Context, file: Path, as_json: bool) -> None:
    """Say everything that is wrong with a table's, a site's or the page's file.

    It ends with status 78 if anything is. It starts, opens and writes nothing. What only the page's unit is given is
    not tried: feltd doctor looks for it.
    """
    from daemon.config.page import check_page, is_page_file  # a table does without it

    try:
        if is_people_file(file):
            people = load_people(file)
            said = f"{counted(len(people.tables), 'table')} and {counted(len(people.people), 'user')} of {people.site}"
            click.echo("[]" if as_json else f"{file}: all well. {said}.")
            return
        if is_page_file(file):
            checked = check_page(file)
            click.echo("[]" if as_json else f"{file}: all well. {_of_the_page(checked)}")
            return
        config = load(file)
    except InvalidConfigurationError as error:
        if not as_json:
            raise
        click.echo(_as_json(error))
        ctx.exit(ExitStatus.CONFIGURATION)
    click.echo("[]" if as_json else f"{file}: all well. {_summary(config)}")
    for evidence in () if as_json else Evidence:
        names = [device.name for device in config.devices if device.profile.evidence is evidence]
        if names:
            click.echo(f"Evidence for {', '.join(names)}: {evidence.value}. That is {evidence.meaning}.")
    for caution in (*_cautions(config), *(Caution("paytable-edge", warning) for warning in warnings(config))):
        click.echo(f"warning: {caution.sentence}", err=True)


def _of_the_page(checked: CheckedPage) -> str:
    page = checked.section
    said = f"The page of {page.site} at {page.host}:{page.port}, for {', '.join(page.tables) or 'every table'}."
    return " ".join([said, *(f"Not tried, as only its unit has it: {path}." for path in checked.of_the_unit)])


def _cautions(config: Config) -> tuple[Caution, ...]:
    return tuple(cautions(config, config.calendar.day(stamp().utc_ns)))


def _summary(config: Config) -> str:
    table = config.table
    devices = ", ".join(f"{device.name} ({device.profile.title}) at {device.address}" for device in config.devices)
    games = ", ".join(offer.game.value for offer in table.games)
    return f"Table {table.table} of {table.site}: {games}, {counted(table.seats, 'seat')}; {devices}."


def _as_json(error: InvalidConfigurationError) -> str:
    problems = [
        {
            "code": problem.code.value,
            "file": str(error.file),
            "line": problem.line,
            "key": spell_path(problem.key),
            "found": problem.found,
            "allowed": problem.allowed,
            "nearest": problem.nearest,
            "remedy": REMEDIES[problem.code],
        }
        for problem in error.problems
    ]
    return msgspec.json.encode(problems).decode()
