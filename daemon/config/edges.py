"""What an operator hears of his paytables before the first round: an edge below zero, or above his own bound."""

from __future__ import annotations

from fractions import Fraction

from daemon.config.settings import Config
from daemon.rules.audit.warnings import audit_warnings
from daemon.table.reducer import PROCEDURES


def warnings(config: Config) -> tuple[str, ...]:
    """A sentence for each wager of the table's game on which something is to be said."""
    house = PROCEDURES[config.table.game].play.house(config.table)
    limits = config.table.limits.dated[-1][1]
    bound = None if config.edge_percent_max is None else Fraction(config.edge_percent_max, 100)
    return audit_warnings(house, limits, bound)
