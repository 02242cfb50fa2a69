"""`feltd audit`: what every wager is worth, computed while you wait, with its assumptions."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import click
from rich.console import Console

from daemon.rules.audit.big_draw import audit_big_draw, audit_draw, draw_game
from daemon.rules.audit.big_raise import audit_big_raise
from daemon.rules.audit.dealt_hands import audit_big_50
from daemon.rules.audit.orbits import orbits
from daemon.rules.audit.report import GameAudit
from daemon.rules.audit.showdowns import WinCounter, community_orbits
from daemon.rules.big_50 import Big50House
from daemon.rules.big_draw import BigDrawHouse, Variant
from daemon.rules.big_raise import BigRaiseHouse
from daemon.rules.blackjack.audit import audit_every_house, audit_house
from daemon.rules.blackjack.house import HOUSE as BLACKJACK_HOUSE
from daemon.rules.blackjack.house import BlackjackHouse
from daemon.rules.money import DOLLAR, Cents
from daemon.rules.wagers import GameName
from daemon.tools.rules.audit_tables import as_json, show
from daemon.tools.rules.counting import Watch
from daemon.tools.rules.houses import Houses, configured, published

Auditor: TypeAlias = Callable[[Any, Cents, Watch], GameAudit]
"""Audits a game's house at a stake, saying to the watch how far it is."""


def _big_50(house: Big50House, stake: Cents, watch: Watch) -> GameAudit:
    return audit_big_50(house, stake)


def _big_draw(house: BigDrawHouse, stake: Cents, watch: Watch) -> GameAudit:
    hands = list(orbits((5,)))
    counted = {
        variant: watch.count(draw_game(variant, house, stake), hands, f"every draw, {variant.value}")
        for variant in Variant
    }
    return audit_big_draw(house, stake, (audit_draw(variant, house, stake, counted[variant]) for variant in Variant))


def _big_raise(house: BigRaiseHouse, stake: Cents, watch: Watch) -> GameAudit:
    counter = WinCounter()
    counts = watch.count(counter, community_orbits(), "every showdown of Big Raise")
    return audit_big_raise(house, stake, counter.wins(counts))


def _blackjack(house: BlackjackHouse, stake: Cents, watch: Watch) -> GameAudit:
    """A house with options of its own is audited by itself; else every configuration under every paytable."""
    audit = audit_every_house if house == BLACKJACK_HOUSE else audit_house
    return audit(house, stake, lambda parts: watch.each(parts, "every round of blackjack"))


AUDITORS: Final[Mapping[GameName, Auditor]] = MappingProxyType(
    {
        GameName.BIG_50: _big_50,
        GameName.BIG_RAISE: _big_raise,
        GameName.BIG_DRAW: _big_draw,
        GameName.BLACKJACK: _blackjack,
    }
)


@click.command("audit")
@click.option("--game", "games", type=click.Choice([game.value for game in AUDITORS]), multiple=True,
              help="Only this game; may be given more than once. Without it, every game.")  # fmt: skip
@click.option("--config", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Audit a house's own options and paytables in place of the published ones.")  # fmt: skip
@click.option("--stake", type=click.IntRange(1, 10**9), default=DOLLAR, show_default=True,
              help="Stake in cents; it matters only where a prize is fixed.")  # fmt: skip
@click.option("--json", "in_json", is_flag=True, help="Exact fractions, for programs.")
def audit_command(games: tuple[str, ...], config: Path | None, stake: int, *, in_json: bool) -> None:
    """Compute the exact return of every wager."""
    houses: Houses = configured(config) if config else published()
    chosen = [game for game in AUDITORS if not games or game.value in games]
    watch = Watch()
    audits = [AUDITORS[game](houses[game], Cents(stake), watch) for game in chosen]
    if in_json:
        click.echo(json.dumps(as_json(audits), indent=1))
    else:
        show(Console(), audits)
