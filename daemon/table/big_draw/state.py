"""What a round of Big Draw remembers beside stakes, packets and results.

Theory of operation. A round's place in its procedure is not kept: it follows from what is here and in the round. No
game is chosen: there is no value yet, and the button's holder is asked. A player with a Big Draw bet has no draw here:
they are asked how many cards they give up. First 5 is not over: it is settled. A draw has no packet at its seat: it is
dealt. So a round that stood still goes on by looking at what it holds, like every other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from daemon.rules.big_draw import Variant
from daemon.table.big_draw.facts import FirstFiveSettled
from daemon.table.vocabulary import Evidence, SeatNumber
from protocols.cards import Card
from protocols.frozen import dataclass

if TYPE_CHECKING:
    from daemon.table.state import Round


@dataclass(frozen=True, slots=True)
class PlayerDraw:
    """How many cards a player gave up and draws; which ones, if somebody who saw them said so."""

    seat: SeatNumber
    cards: int
    discarded: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class FinalHand:
    """The five cards after the draw. Hidden until the seat lies open."""

    seat: SeatNumber
    cards: tuple[Card, ...]
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class BigDrawRound:
    """One round of Big Draw. First 5's results wait here until they are said, in the order in which they will be."""

    variant: Variant
    is_face_up: bool = False  # option 2: a hand is turned up and settled as soon as its draw is there
    is_one_at_a_time: bool = False  # five cards go round the table out of a shoe, not to one seat after the other
    draws: tuple[PlayerDraw, ...] = ()
    claims: tuple[SeatNumber, ...] = ()  # who announced that their first five win
    first_5: tuple[FirstFiveSettled, ...] | None = None  # None until it is known who wins
    first_5_said: int = 0
    first_5_over: bool = False
    first_5_waiting: tuple[FirstFiveSettled, ...] = ()  # of hands that nobody may look at before all draws
    finals: tuple[FinalHand, ...] = ()  # that a person entered

    def draw_of(self, seat: SeatNumber) -> PlayerDraw | None:
        """Return what a seat gave up, once it has said so."""
        return next((draw for draw in self.draws if draw.seat == seat), None)


def own_of(played: Round) -> BigDrawRound | None:
    """Return what this round has of its own; None until a game is chosen."""
    assert played.own is None or isinstance(played.own, BigDrawRound), "a round of another game"
    return played.own


def deal_of(played: Round) -> BigDrawRound:
    """Return what this round has of its own. A game was chosen."""
    own = own_of(played)
    assert own is not None, "no game was chosen"
    return own
