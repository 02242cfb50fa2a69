"""Whether the seat that decides is the one that is asked."""

from __future__ import annotations

from daemon.table.draft import Draft, Refusal
from daemon.table.said import Clause, SaidId
from daemon.table.vocabulary import SeatNumber


def out_of_turn(draft: Draft, seat: SeatNumber) -> Refusal | None:
    """Return why it is not this seat's to decide now, or None."""
    first = draft.play.asked(draft.state)
    if seat == first:
        return None
    if seat not in draft.round.players:
        return Refusal("no-such-hand", Clause(SaidId.NO_HAND_THERE, seat))
    return Refusal("out-of-turn", Clause(SaidId.DECIDES_FIRST, first))
