"""The diagrams of ARCHITECTURE, made from the transition tables that the code runs on.

``python -m tests.docs.diagrams`` prints them, to be pasted.
"""

from __future__ import annotations

import sys
from collections import defaultdict

from daemon.table.big_50 import GAME as BIG_50
from daemon.table.blackjack.procedure import GAME as BLACKJACK
from daemon.table.diagram import draw
from drivers.device import TRANSITIONS, LinkInput, LinkState


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
    return "\n".join(["stateDiagram-v2", f"    [*] --> {LinkState.CONNECTING.value}", *lines])


DIAGRAMS = {
    "Big 50 at the table": draw(BIG_50),
    "Bad Beat Blackjack at the table": draw(BLACKJACK),
    "one device's connection": device(),
}

if __name__ == "__main__":
    sys.stdout.writelines(f"{title}\n\n{diagram}\n\n" for title, diagram in DIAGRAMS.items())
