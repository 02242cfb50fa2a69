"""The messages of the shoe as frozen values."""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from typing import TypeAlias

from protocols.cards import Face
from protocols.frozen import dataclass


class Operation(Enum):
    """What the shoe was doing, by the word that it prints in brackets."""

    GAME = "Game"
    MANUAL_BURN_CARDS = "Manual Burn Cards"  # the mode for every game but its own
    GAME_ALARM = "GameAlarm"


@dataclass(frozen=True, slots=True)
class CardPassed:
    """A card came out. Its face is a `Misread` if the shoe could not read it."""

    operation: Operation
    face: Face


@dataclass(frozen=True, slots=True)
class Alarm:
    """Something is wrong at the shoe. `code` is the text's first word if it looks like a code.

    The text is the shoe's own. Not all texts are known, and one may name a card, so the repr leaves it out.
    """

    operation: Operation
    code: str | None
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Warned:
    """A warning of which only the number is known."""

    code: int


@dataclass(frozen=True, slots=True)
class UnknownText:
    """Text whose meaning is not known. It may name a card, so the repr leaves it out."""

    text: str = field(repr=False)


ShoeRecord: TypeAlias = CardPassed | Alarm | Warned | UnknownText
