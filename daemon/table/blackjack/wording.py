"""Hands and choices in the dealer's words."""

from __future__ import annotations

from typing import Final

from daemon.rules.blackjack.house import BlackjackHouse
from daemon.rules.blackjack.play import Action, Play, legal_actions
from daemon.table.blackjack.state import SeatPlay

_NAMED: Final = (Action.STAND, Action.HIT, Action.DOUBLE, Action.SPLIT, Action.SURRENDER)


def which_hand(player: SeatPlay) -> tuple[int, int] | tuple[None, None]:
    """Return the number of the hand that is played and how many there are, or neither where the seat did not split."""
    play = player.play
    if play is None or not play.was_split:
        return None, None
    return (play.turn or 0) + 1, len(play.hands)


def choices(play: Play, house: BlackjackHouse) -> tuple[str, ...]:
    """Return what the player may decide now."""
    legal = legal_actions(play, house)
    return tuple(action.value for action in _NAMED if legal[action] is None)
