"""`feltd advise`: what to do with the cards that one player sees, and what everything else would cost him."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import click
from rich.console import Console
from rich.table import Table

from daemon.rules.audit.big_draw import draw_game
from daemon.rules.audit.big_raise import choose, decision_of
from daemon.rules.audit.draw import Hold
from daemon.rules.audit.report import Decision
from daemon.rules.audit.showdowns import wins_of
from daemon.rules.big_draw import Variant
from daemon.rules.money import DOLLAR
from daemon.rules.wagers import GameName
from daemon.tools.rules.audit_tables import exact
from daemon.tools.rules.houses import Houses, configured, published
from protocols.cards import Card, spell

Advisor: TypeAlias = Callable[[Houses, Sequence[Card]], Decision]


def _draw(variant: Variant) -> Advisor:
    def advise(houses: Houses, cards: Sequence[Card]) -> Decision:
        if len(cards) != 5:
            raise click.UsageError(f"{len(cards)} cards: give the five of the hand")
        holds = draw_game(variant, houses[GameName.BIG_DRAW], DOLLAR).holds(cards)
        worth = {_hold(hold): hold.expectation for hold in holds}
        return Decision(f"{spell(tuple(cards))}, {variant.value}", 1, worth, _hold(holds[0]))

    return advise


def _hold(hold: Hold[Any]) -> str:
    if not hold.keeps:
        return "draw five"
    return f"keep {spell(hold.keeps)}" if hold.throws else "stand pat"


def _big_raise(houses: Houses, cards: Sequence[Card]) -> Decision:
    if len(cards) != 3:
        raise click.UsageError(f"{len(cards)} cards: give the player's two, then the dealer's up card")
    first, second, up = cards
    return decision_of(choose(wins_of(((first, second), up)), houses[GameName.BIG_RAISE], DOLLAR))


ADVISORS: Final[Mapping[str, Advisor]] = MappingProxyType(
    {
        Variant.FIVE_CARD_DRAW.value: _draw(Variant.FIVE_CARD_DRAW),
        Variant.DEUCES_NEVER_LOSES.value: _draw(Variant.DEUCES_NEVER_LOSES),
        GameName.BIG_RAISE.value: _big_raise,
    }
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


def _json(decision: Decision) -> str:
    choices = [{"choice": choice, "worth": exact(worth)} for choice, worth in _ranked(decision)]
    return json.dumps({"situation": decision.situation, "best": decision.best, "choices": choices}, indent=1)


@click.command("advise")
@click.argument("game", type=click.Choice(list(ADVISORS)))
@click.argument("cards", nargs=-1, required=True)
@click.option("--config", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="By a house's own options and paytables in place of the published ones.")  # fmt: skip
@click.option("--all", "everything", is_flag=True, help="Every choice; without it the best eight.")
@click.option("--json", "in_json", is_flag=True, help="Every choice with exact fractions, for programs.")
def advise_command(game: str, cards: tuple[str, ...], config: Path | None, *, everything: bool, in_json: bool) -> None:
    """Say the best decision for given cards.

    CARDS are the five of a draw hand, or for Big Raise the player's two and then the dealer's up card: Ah Kd 7c.
    """
    houses = configured(config) if config else published()
    decision = ADVISORS[game](houses, _cards(cards))
    if in_json:
        click.echo(_json(decision))
    else:
        Console().print(_table(decision, len(decision.worth) if everything else 8))
