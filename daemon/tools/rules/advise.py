"""`feltd advise`: what to do with the cards that one player sees, and what every other decision would cost."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Final

import click
from rich.console import Console
from rich.table import Table

from daemon.rules.audit.report import Decision
from daemon.rules.wagers import GameName
from daemon.tools.rules.audit_tables import exact
from daemon.tools.rules.game import Advisor
from daemon.tools.rules.games import GAMES
from daemon.tools.rules.houses import config_option, houses_of
from protocols.cards import Card

ADVISORS: Final[Mapping[str, tuple[GameName, Advisor]]] = MappingProxyType(
    {name: (game, advisor) for game, known in GAMES.items() for name, advisor in known.advisors.items()}
)


def _cards(texts: Sequence[str]) -> tuple[Card, ...]:
    try:
        cards = tuple(Card.parse(word) for text in texts for word in text.split())
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    if len(set(cards)) != len(cards):
        raise click.UsageError("a card is there twice")
    return cards


def _ranked(decision: Decision) -> list[tuple[str, Fraction]]:
    return sorted(decision.worth.items(), key=lambda choice: (choice[1], choice[0] == decision.best), reverse=True)


def _table(decision: Decision, shown: int) -> Table:
    best = decision.worth[decision.best]
    table = Table(title=decision.situation, title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("choice")
    table.add_column("worth a stake of one", justify="right")
    table.add_column("against the best", justify="right")
    for choice, worth in _ranked(decision)[:shown]:
        table.add_row(choice, f"{float(worth):+.6f}", f"{float(worth - best):+.6f}")
    return table


@click.command("advise")
@click.argument("game", type=click.Choice(list(ADVISORS)))
@click.argument("cards", nargs=-1, required=True)
@config_option
@click.option("--all", "everything", is_flag=True, help="Every choice; without it the best eight.")
@click.option("--json", "in_json", is_flag=True, help="Every choice with exact fractions, for programs.")
def advise_command(game: str, cards: tuple[str, ...], config: Path | None, *, everything: bool, in_json: bool) -> None:
    """Say the best decision for given cards.

    CARDS are the five of a draw hand, or for Big Raise the player's two and then the dealer's up card: Ah Kd 7c.
    """
    played, advise = ADVISORS[game]
    decision = advise(houses_of(config)[played], _cards(cards))
    if in_json:
        choices = [{"choice": choice, "worth": exact(worth)} for choice, worth in _ranked(decision)]
        document = {"situation": decision.situation, "best": decision.best, "choices": choices}
        click.echo(json.dumps(document, indent=1))
    else:
        Console().print(_table(decision, len(decision.worth) if everything else 8))
