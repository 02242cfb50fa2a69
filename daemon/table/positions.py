"""Positions: who bets at a seat first in a round holds it until the round ends.

Nobody bets on another player's hand, so nobody else raises, clears, decides or announces for it. The dealer and the
supervisor may, for the player, and each fact says who did. A player without a user of their own bets by the dealer's
hand: the position is then nobody else's either.
"""

from __future__ import annotations

from daemon.frozen import replace
from daemon.table.draft import Draft, Refusal
from daemon.table.inputs import Bet, Request
from daemon.table.said import Clause, SaidId
from daemon.table.settings import Positions
from daemon.table.state import Position
from daemon.table.vocabulary import Actor, SeatNumber


def not_theirs(draft: Draft, request: Request, seat: SeatNumber) -> Refusal | None:
    """Return why this player may not act for the seat, or None."""
    house = draft.state.settings.positions
    if request.role is not Actor.PLAYER or draft.state.round is None or house is Positions.ANYBODY:
        return None
    held = draft.round.position_of(seat)
    if held is not None and held.who != request.who:
        if held.who is None:
            return Refusal("position-held", Clause(SaidId.SEAT_HELD_BY_PLAYER, seat))
        return Refusal("position-held", Clause(SaidId.SEAT_HELD_BY, seat, who=held.who))
    other = next((each for each in draft.round.positions if each.who == request.who), None)
    if isinstance(request.action, Bet) and held is None and other is not None and house is Positions.ONE_EACH:
        return Refusal("one-position", Clause(SaidId.ONE_POSITION, other.seat, who=request.who))
    return None


def take(draft: Draft, request: Request, seat: SeatNumber) -> None:
    """Have the first who bets at a seat hold it."""
    if draft.round.position_of(seat) is None:
        position = Position(seat, request.who if request.role is Actor.PLAYER else None)
        draft.round = replace(draft.round, positions=(*draft.round.positions, position))


def give_up(draft: Draft, request: Request, seat: SeatNumber) -> None:
    """Free a seat whose stakes the dealer put there and takes away again: nobody has played there."""
    position = draft.round.position_of(seat)
    if position is not None and position.who is None and request.role is not Actor.PLAYER:
        draft.round = replace(
            draft.round, positions=tuple(each for each in draft.round.positions if each is not position)
        )
