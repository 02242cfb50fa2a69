"""What one game adds to the picture that anybody may see: nothing that is hidden, and only what the game has."""

from __future__ import annotations

from dataclasses import dataclass

from daemon.rules.big_draw import Variant
from daemon.table.big_draw.facts import FirstFiveSettled
from daemon.table.round_facts import PlayedHand
from daemon.table.vocabulary import SeatNumber
from protocols.cards import Face


@dataclass(frozen=True, slots=True)
class GamePicture:
    """The house's open cards, and what lies on the table for this game."""

    dealer_cards: tuple[Face, ...] = ()
    community_cards: tuple[Face, ...] = ()
    button: SeatNumber | None = None
    variant: Variant | None = None


@dataclass(frozen=True, slots=True)
class SeatPicture:
    """What lies at one seat."""

    cards_dealt: int | None = None
    delivered: bool = False
    draws: int | None = None
    first_5: FirstFiveSettled | None = None
    hands: tuple[PlayedHand, ...] = ()  # in a game in which they lie open while they are played
