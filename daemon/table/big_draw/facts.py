"""What is said of Big Draw and of no other game: the button with two sides, and First 5."""

from __future__ import annotations

from enum import Enum

from daemon.rules.big_draw import Variant
from daemon.table.round_facts import SettledWager
from daemon.table.vocabulary import Actor, Evidence, SeatNumber
from protocols.cards import Face
from protocols.frozen import dataclass


class ButtonMove(Enum):
    """Why the button lies somewhere else now."""

    NEXT_ROUND = "next-round"
    EMPTY_SEAT = "empty-seat"  # said by versions in which the game was chosen after the bets
    PASSED = "passed"  # by a player who does not want to choose
    BY_HAND = "by-hand"


@dataclass(frozen=True, slots=True)
class ButtonMoved:
    """The button with two sides lies at this seat now."""

    seat: SeatNumber
    why: ButtonMove
    who: str | None = None  # None where nobody moved it but the rules did
    role: Actor | None = None


@dataclass(frozen=True, slots=True)
class GameChosen:
    """The player with the button chose this side."""

    seat: SeatNumber
    variant: Variant
    who: str
    role: Actor | None = None


@dataclass(frozen=True, slots=True)
class FirstFiveClaimed:
    """The player of this seat announced that the first five cards win."""

    seat: SeatNumber
    who: str
    role: Actor


@dataclass(frozen=True, slots=True)
class FirstFiveSettled:
    """What First 5 comes to, before any draw. A losing hand stays face down, so only a winning one says its cards.

    Nobody looks at a hand that lost because it was not announced.
    """

    seat: SeatNumber
    wager: SettledWager
    evidence: Evidence
    cards: tuple[Face, ...] = ()
    hand: str | None = None
