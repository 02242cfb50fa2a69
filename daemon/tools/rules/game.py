"""What the rules' commands know of a game: how a line of it is read and judged, and who advises on its cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, Generic, TypeAlias

from daemon.rules.audit.report import Decision
from daemon.rules.wagers import GameName
from daemon.tools.rules.lines import Judged, LineT, decoded, within_limits
from daemon.tools.rules.printed import PrintedFigures
from protocols.cards import Card
from protocols.frozen import dataclass

Advisor: TypeAlias = Callable[[Any, Sequence[Card]], Decision]
"""Says what every choice of a house's player is worth on these cards, or raises click.UsageError."""


@dataclass(frozen=True, slots=True)
class CommandGame(Generic[LineT]):
    """One game. `line` is what a line has, `judge` asks the rules, `advisors` are by the name that a user types.

    `printed` is how the figures of the game's documents are computed, where we have the documents.
    """

    line: type[LineT]
    judge: Callable[[LineT], Judged]
    advisors: Mapping[str, Advisor] = field(default_factory=dict)
    printed: PrintedFigures | None = None

    def answer(self, data: bytes) -> Judged:
        """Judge one line, else raise LineError."""
        line = decoded(data, self.line)
        return within_limits(self.judge(line), GameName(line.game), line.limits_in_force())
