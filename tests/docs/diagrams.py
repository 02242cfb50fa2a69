"""The diagrams of ARCHITECTURE, made from the transition tables that the code runs on.

``python -m tests.docs.diagrams`` prints them, to be pasted.
"""

from __future__ import annotations

import sys
from collections import defaultdict

from daemon.table.big_50 import GAME as BIG_50
from daemon.table.blackjack.procedure import GAME as BLACKJACK
from daemon.table.procedure import Procedure, Trigger
from daemon.table.state import Phase
from drivers.device import TRANSITIONS, LinkInput, LinkState

HEAD = "stateDiagram-v2"


def draw(procedure: Procedure) -> str:
    """Every move from one phase to another; staying where one is is not drawn."""
    moves: dict[tuple[Phase, Phase], list[Trigger]] = defaultdict(list)
    for before, rows in procedure.rows.items():
        for trigger, to in rows.leading_to():
            for after in to - {before}:
                moves[before, after].append(trigger)
    order = {phase: place for place, phase in enumerate(Phase)}
    lines = [
        f"    {before.value} --> {after.value}: {', '.join(trigger.value for trigger in moves[before, after])}"
        for before, after in sorted(moves, key=lambda move: (order[move[0]], order[move[1]]))
    ]
    return "\n".join([HEAD, "    [*] --> idle", "    idle --> betting: nothing stands against a round", *lines])


def device() -> str:
    """How one device's connection moves; what leaves it where it is, is not drawn."""
    moves: dict[tuple[LinkState, LinkState], list[LinkInput]] = defaultdict(list)
    for (before, moved_by), after in TRANSITIONS.items():
        if after is not before:
            moves[before, after].append(moved_by)
    lines = [
        f"    {before.value} --> {after.value}: {', '.join(each.value for each in moved_by)}"
        for (before, after), moved_by in moves.items()
    ]
    return "\n".join([HEAD, f"    [*] --> {LinkState.CONNECTING.value}", *lines])


DIAGRAMS = {
    "Big 50 at the table": draw(BIG_50),
    "Bad Beat Blackjack at the table": draw(BLACKJACK),
    "one device's connection": device(),
}

if __name__ == "__main__":
    sys.stdout.writelines(f"{title}\n\n{diagram}\n\n" for title, diagram in DIAGRAMS.items())
