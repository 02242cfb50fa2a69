"""The state diagram, drawn from the transition table that the code runs on, so that it cannot be out of date."""

from __future__ import annotations

from collections import defaultdict

from daemon.table.procedure import Procedure, Trigger
from daemon.table.state import Phase

HEAD = "stateDiagram-v2"


def draw(procedure: Procedure) -> str:
    """Return a Mermaid diagram of every move from one phase to another; staying where one is is not drawn."""
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
