"""What can be bet, by the names that the public interface uses."""

from __future__ import annotations

from enum import Enum

from daemon.rules.money import Cents
from protocols.frozen import dataclass


class GameName(Enum):
    """The games, by their public names. A member registers its game: see `daemon.rules.registry`."""

    __hash__ = object.__hash__  # Enum hashes the name, in Python; a member is one object

    BIG_50 = "big-50"
    BIG_RAISE = "big-raise-holdem"
    BIG_DRAW = "big-draw"
    BLACKJACK = "bad-beat-blackjack"

    @property
    def module(self) -> str:
        """Return the name that the game's modules have in every layer."""
        return self.name.lower()


class WagerName(Enum):
    """Every wager of every game, by its public name."""

    __hash__ = object.__hash__  # Enum hashes the name, in Python; a member is one object

    POKER_HAND = "poker_hand"
    RED_BLACK = "red_black"
    BIG_50 = "big_50"
    RANGE = "range"
    ANTE = "ante"
    PLAY = "play"
    ANTE_BONUS = "ante_bonus"  # not a stake: it is paid on the Ante
    TWO_CARD_BONUS = "two_card_bonus"
    FIVE_CARD_BONUS = "five_card_bonus"
    BIG_DRAW = "big_draw"
    FIRST_5 = "first_5"
    BLACKJACK = "blackjack"
    INSURANCE = "insurance"
    BAD_BEAT = "bad_beat"


class Colour(Enum):
    """The colour of a card, or the one that a player names."""

    RED = "red"
    BLACK = "black"


@dataclass(frozen=True, slots=True)
class Wager:
    """One stake on one spot; `colour` only where the house has the player name one."""

    name: WagerName
    stake: Cents
    colour: Colour | None = None
