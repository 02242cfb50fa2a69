"""`feltd check-config`: is this file good?"""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from daemon.config.load import InvalidConfigurationError, load_sections
from daemon.config.problems import spell_path
from daemon.errors import ExitStatus

FILE = click.Path(dir_okay=True, path_type=Path)


@click.command()
@click.argument("file", type=FILE)
@click.option("--json", "as_json", is_flag=True, help="The problems as one JSON list.")
@click.pass_context
def check_config(ctx: click.Context, file: Path, as_json: bool) -> None:
    """Say everything that is wrong with a file.

    Ends with status 78 if anything is. Nothing is started, opened or written.
    """
    try:
        table = load_sections(file).table
    except InvalidConfigurationError as error:
        if not as_json:
            raise
        click.echo(_as_json(error))
        ctx.exit(ExitStatus.CONFIGURATION)
    said = f"{file}: all well. Table {table.name} of {table.site}: {table.game.value}, {table.seats} seats."
    click.echo("[]" if as_json else said)


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
        }
        for problem in error.problems
    ]
    return msgspec.json.encode(problems).decode()
