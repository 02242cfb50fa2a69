"""What an operator should read about their paytables before the first round: an edge below zero, or above their bound.

Fast enough for every start: what is dealt is counted by symmetry in some milliseconds. Two wagers would take longer,
because they have a best play. Big Draw is counted only where the house has a paytable of its own. An Ante Bonus of the
house's own is put on the play that is best under the published one, which is stored in `best_play`. A player who plays
best under the new one gets at least as much, so the edge that is told is the most that it can be.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from daemon.rules.audit.auditor import Edge
from daemon.rules.games import GAMES
from daemon.rules.house import House
from daemon.rules.limits import NO_LIMITS, Limits


def audit_warnings(house: House, limits: Limits = NO_LIMITS, edge_max: Fraction | None = None) -> tuple[str, ...]:
    """Return a sentence for every wager with an edge below zero or above the house's bound."""
    return tuple(warning for edge in edges(house, limits) if (warning := _warning(edge, edge_max)))


def _warning(edge: Edge, edge_max: Fraction | None) -> str | None:
    what = f"{edge.wager} by {edge.paytable}{f' ({edge.note})' if edge.note else ''}"
    keeps = f"{'at most ' if edge.at_most else ''}{float(edge.house_edge * 100):.4f} %"
    if edge.house_edge < 0:
        return f"{what}: the player has the better of it, the house keeps {keeps} of a stake"
    if edge_max is not None and edge.house_edge > edge_max:
        return f"{what}: the house keeps {keeps} of a stake, above the bound of {float(edge_max * 100):.4f} %"
    return None


def edges(house: House, limits: Limits = NO_LIMITS) -> Iterator[Edge]:
    """Yield the edges of everything that can be staked in a house."""
    game = next(game for game in GAMES.values() if isinstance(house, type(game.house)))
    return game.auditor().edges(house, limits)
