"""What an operator hears of his paytables before the first round: an edge below zero, or above his own bound."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from daemon.config.settings import Config
from daemon.rules.audit.warnings import House, audit_warnings
from daemon.table.reducer import PROCEDURES


def warnings(config: Config) -> tuple[str, ...]:
    """A sentence for each wager of the table's games on which something is to be said."""
    limits = config.table.limits.dated[-1][1]
    bound = None if config.edge_percent_max is None else Fraction(config.edge_percent_max, 100)
    return tuple(warning for house in _houses(config) for warning in audit_warnings(house, limits, bound))


def _houses(config: Config) -> Iterator[House]:
    for offer in config.table.games:
        playing = config.table.playing(offer.game)
        assert playing is not None, "it is one of the offered"
        yield PROCEDURES[offer.game].play.house(playing)
