"""What people ask of Big Draw and of no other game: about the button with two sides, and First 5."""

from __future__ import annotations

from daemon.rules.big_draw import Variant
from daemon.table.vocabulary import SeatNumber
from protocols.frozen import dataclass


@dataclass(frozen=True, slots=True)
class ChooseGame:
    """The player with Big Draw's button chooses the side that is played."""

    seat: SeatNumber
    variant: Variant


@dataclass(frozen=True, slots=True)
class PassButton:
    """The player does not choose, and passes the button to the next player in turn."""

    seat: SeatNumber


@dataclass(frozen=True, slots=True)
class MoveButton:
    """Put the button where it belongs."""

    seat: SeatNumber


@dataclass(frozen=True, slots=True)
class Claim:
    """The player announces that the first five cards of this seat win."""

    seat: SeatNumber
