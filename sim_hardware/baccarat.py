"""The referee in a baccarat shoe: whose card comes next, when the hand is over, and which card is too many.

The rules are those of punto banco as casinos deal it: two cards each, a natural 8 or 9 ends the hand, the player draws
to 5, and the banker draws by its own points and the player's third card.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final

from protocols.cards import Card, Face, Rank
from protocols.frozen import dataclass

_NATURAL: Final = 8
_STANDS_ON: Final = 6
# To which third cards of the player, by their points, a banker with so many points draws; with fewer than 3 to any.
_BANKER_DRAWS_TO: Final = {3: {*range(8), 9}, 4: {*range(2, 8)}, 5: {*range(4, 8)}, 6: {6, 7}}
_TENS: Final = frozenset({Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING})


class Side(Enum):
    """Whose hand a card belongs to."""

    PLAYER = "player"
    BANKER = "banker"


@dataclass(frozen=True, slots=True)
class Result:
    """How a hand ended. `winner` is None for a tie. `pairs` are the sides whose first two cards were a pair."""

    winner: Side | None
    pairs: frozenset[Side]


class Referee:
    """Referees one hand after another. Mutable: it has the cards of the present hand, in order."""

    def __init__(self) -> None:
        self._dealt: Final[list[tuple[Side, Face]]] = []

    def next_side(self) -> Side | None:
        """Return whose card comes next. Return None if the hand is over: any further card is an overdraw."""
        player, banker = self._hand(Side.PLAYER), self._hand(Side.BANKER)
        if len(banker) < 2:
            return Side.PLAYER if len(player) == len(banker) else Side.BANKER
        player_points, banker_points = points_of(player[:2]), points_of(banker[:2])
        if max(player_points, banker_points) >= _NATURAL or len(banker) > 2:
            return None
        if len(player) == 2 and player_points < _STANDS_ON:
            return Side.PLAYER
        if len(player) == 2:
            return Side.BANKER if banker_points < _STANDS_ON else None
        draws = banker_points < min(_BANKER_DRAWS_TO) or points_of(player[2:]) in _BANKER_DRAWS_TO.get(
            banker_points, ()
        )
        return Side.BANKER if draws else None

    def take_card(self, face: Face) -> tuple[Side, int] | None:
        """Take the next card. Return its side and its place there from 1, or None if baccarat does not allow it."""
        side = self.next_side()
        if side is None:
            return None
        self._dealt.append((side, face))
        return side, len(self._hand(side))

    def put_back(self) -> None:
        """Forget the last card: it went back into the shoe."""
        del self._dealt[-1:]

    def end_hand(self) -> Result | None:
        """Forget the hand. Return how it ended, or None if it was not over."""
        player, banker, is_over = self._hand(Side.PLAYER), self._hand(Side.BANKER), self.next_side() is None
        pairs = frozenset(side for side in Side if _is_pair(self._hand(side)[:2]))
        self._dealt.clear()
        ahead = points_of(player) - points_of(banker)
        winner = None if ahead == 0 else Side.PLAYER if ahead > 0 else Side.BANKER
        return Result(winner, pairs) if is_over else None

    def _hand(self, side: Side) -> list[Face]:
        return [face for whose, face in self._dealt if whose is side]


def points_of(faces: Sequence[Face]) -> int:
    """Return the points of cards. A card without a name counts nothing."""
    ranks = [face.rank for face in faces if isinstance(face, Card)]
    return sum(0 if rank in _TENS else 1 if rank is Rank.ACE else rank for rank in ranks) % 10


def _is_pair(faces: Sequence[Face]) -> bool:
    ranks = [face.rank for face in faces if isinstance(face, Card)]
    return len(ranks) == 2 and ranks[0] is ranks[1]
