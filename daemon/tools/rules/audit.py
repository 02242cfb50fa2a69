"""`feltd audit`: what every wager is worth, computed while you wait, with its assumptions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console

from daemon.errors import ExitStatus
from daemon.rules.games import GAMES
from daemon.rules.money import DOLLAR, Cents
from daemon.rules.wagers import GameName
from daemon.tools.rules.audit_tables import as_json, show
from daemon.tools.rules.counting import ProgressWatch
from daemon.tools.rules.games import GAMES as COMMAND_GAMES
from daemon.tools.rules.houses import config_option, houses_of
from daemon.tools.rules.printed import Compared, Verdict, compare, printed_as_json, printed_figures
from daemon.tools.rules.printed_report import show_printed


@click.command("audit")
@click.option("--game", "games", type=click.Choice([game.value for game in GAMES]), multiple=True,
              help="Only this game; may be given more than once. Without it, every game.")  # fmt: skip
@config_option
@click.option("--stake", type=click.IntRange(1, 10**9), default=DOLLAR, show_default=True,
              help="Stake in cents; it matters only where a prize is fixed.")  # fmt: skip
@click.option("--printed", is_flag=True,
              help="What the games' documents print of it, beside what is computed, and why they differ.")  # fmt: skip
@click.option("--json", "in_json", is_flag=True, help="Exact fractions, for programs.")
@click.pass_context
def audit_command(
    context: click.Context, games: tuple[str, ...], config: Path | None, stake: int, *, printed: bool, in_json: bool
) -> None:
    """Compute the exact return of every wager.

    With --printed, compare the figures that the games' documents print with the computed ones. The exit status is 1 if
    one of them is unexplained.
    """
    chosen = [game for game in GAMES if not games or game.value in games]
    if printed and config:
        raise click.UsageError("--printed is about the published rules: leave out --config")
    if printed:
        compared = _compare(chosen)
        _tell_printed(compared, in_json=in_json)
        context.exit(ExitStatus.REFUSED if any(each.verdict is Verdict.UNEXPLAINED for each in compared) else 0)
    houses, watch = houses_of(config), ProgressWatch()
    audits = [GAMES[game].auditor().audit(houses[game], Cents(stake), watch) for game in chosen]
    if in_json:
        click.echo(json.dumps(as_json(audits), indent=1))
    else:
        show(Console(), audits)


def _compare(chosen: Sequence[GameName]) -> tuple[Compared, ...]:
    watch = ProgressWatch()
    figures = {game: known.begin(watch) for game in chosen if (known := COMMAND_GAMES[game].printed) is not None}
    if not figures:
        names = ", ".join(game.value for game in chosen)
        raise click.UsageError(f"--printed: feltd has no figures of a document of {names}: leave out --printed")
    return compare((each for each in printed_figures() if each.game in figures), figures)


def _tell_printed(compared: Sequence[Compared], *, in_json: bool) -> None:
    if in_json:
        click.echo(json.dumps(printed_as_json(compared), indent=1, ensure_ascii=False))
    else:
        assumed = {game: known.assumed for game, each in COMMAND_GAMES.items() if (known := each.printed) is not None}
        show_printed(Console(), compared, assumed)
