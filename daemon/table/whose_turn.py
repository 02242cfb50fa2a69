"""Whether the seat that decides is the one that is asked."""

from __future__ import annotations

from daemon.table.draft import Draft, Refusal
from daemon.table.vocabulary import SeatNumber


def out_of_turn(draft: Draft, seat: SeatNumber) -> Refusal | None:
    """Return why it is not this seat's to decide now, or None."""
    first = draft.play.asked(draft.state)
    if seat == first:
        return None
    if seat not in draft.round.players:
        return Refusal("no-such-hand", f"seat {seat} has no hand in this round")
    return Refusal("out-of-turn", f"seat {first} decides first")
