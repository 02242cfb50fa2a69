"""A game in which players only bet, at the command line: a line has the cards of one hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from daemon.rules.house import House
from daemon.rules.own_hand import OwnHandRules
from daemon.rules.results import Settled
from daemon.tools.rules.game import CommandGame
from daemon.tools.rules.lines import JsonLine, Judged, faces, refused_or_void
from daemon.tools.rules.printed import PrintedFigures

HouseT = TypeVar("HouseT", bound=House)
FoundT = TypeVar("FoundT")


class OwnHandLine(JsonLine, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """One position of such a game."""

    cards: list[str]


def own_hand_command(
    rules: OwnHandRules[HouseT, FoundT],
    decided: Callable[[FoundT], Mapping[str, object]],
    printed: PrintedFigures | None = None,
) -> CommandGame[OwnHandLine]:
    """Return the game's commands. `decided` has the findings in words, ready for JSON."""
    game = rules.spec()

    def judge(line: OwnHandLine) -> Judged:
        """Check the bets as placed, then settle the hand."""
        house, bets = line.house_of(game), line.bets()
        refused = game.check_wagers(bets, house, line.limits_in_force())
        if refused is not None:
            return refused_or_void(refused)
        result = rules.settle(faces(line.cards), bets, house)
        if not isinstance(result, Settled):
            return refused_or_void(result)
        return Judged(result, decided(result.findings), house)

    return CommandGame(OwnHandLine, judge, printed=printed)
