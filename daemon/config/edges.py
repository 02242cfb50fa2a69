"""What an operator reads about their paytables before the first round: an edge below zero, or above their own bound.

Counting an edge needs the audits, which a table needs for nothing else. So they are imported only where an edge is not
known already: the house sets a bound, has rules of its own, or pays fixed prizes, whose edge depends on its limits.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from daemon.config.settings import Config
from daemon.rules.game import GameSpec
from daemon.rules.games import GAMES
from daemon.rules.house import House, narrowed
from daemon.rules.paytable import Prize


def warnings(config: Config) -> tuple[str, ...]:
    """Return a sentence for each wager of the table's games whose edge needs one."""
    bound = None if config.edge_percent_max is None else Fraction(config.edge_percent_max, 100)
    houses = [house for spec, house in _houses(config) if bound is not None or not has_known_edges(spec, house)]
    if not houses:
        return ()
    from daemon.rules.audit.warnings import audit_warnings  # see above

    limits = config.table.limits.dated[-1][1]
    return tuple(warning for house in houses for warning in audit_warnings(house, limits, bound))


def has_known_edges(spec: GameSpec[Any], house: House) -> bool:
    """Return whether this is the published house, and its edges are the published ones whatever is staked."""
    paytables = (paytable for spot in spec.spots for paytable in spec.paytables_of(spot, house))
    prizes = any(isinstance(row.award, Prize) for paytable in paytables for row in paytable.rows)
    return house == spec.house and not prizes


def _houses(config: Config) -> Iterator[tuple[GameSpec[Any], House]]:
    for offer in config.table.games:
        playing = config.table.playing(offer.game)
        assert playing is not None, "it is one of the offered"
        spec = GAMES[offer.game]
        yield spec, narrowed(playing.house, type(spec.house))
