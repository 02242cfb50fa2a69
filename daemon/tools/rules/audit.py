"""`feltd audit`: what every wager is worth, computed while you wait, with its assumptions."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.console import Console

from daemon.rules.games import GAMES
from daemon.rules.money import DOLLAR, Cents
from daemon.tools.rules.audit_tables import as_json, show
from daemon.tools.rules.counting import ProgressWatch
from daemon.tools.rules.houses import config_option, houses_of


@click.command("audit")
@click.option("--game", "games", type=click.Choice([game.value for game in GAMES]), multiple=True,
              help="Only this game; may be given more than once. Without it, every game.")  # fmt: skip
@config_option
@click.option("--stake", type=click.IntRange(1, 10**9), default=DOLLAR, show_default=True,
              help="Stake in cents; it matters only where a prize is fixed.")  # fmt: skip
@click.option("--json", "in_json", is_flag=True, help="Exact fractions, for programs.")
def audit_command(games: tuple[str, ...], config: Path | None, stake: int, *, in_json: bool) -> None:
    """Compute the exact return of every wager."""
    houses, watch = houses_of(config), ProgressWatch()
    chosen = [spec for spec in GAMES.values() if not games or spec.name.value in games]
    audits = [spec.auditor().audit(houses[spec.name], Cents(stake), watch) for spec in chosen]
    if in_json:
        click.echo(json.dumps(as_json(audits), indent=1))
    else:
        show(Console(), audits)
