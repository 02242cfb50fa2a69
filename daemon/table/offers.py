"""What the table would accept now: the values that the public picture carries as `may`.

One flat shape for every command, so that a screen can draw what is offered without knowing the game. `seats` are the
values that the command's `seat` may have, `choices` those of its one other word, and `amount` bounds its number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import TypeVar

from daemon.rules.wagers import Colour
from daemon.table.vocabulary import Actor, SeatNumber
from protocols.frozen import dataclass

SaidT = TypeVar("SaidT")


class Command(Enum):
    """A command by its public name, with the word that `choices` are of, and the number that `amount` bounds."""

    PRESS = "press"  # button
    BET = "bet"  # wager; stake_cents
    CLEAR_BETS = "clear-bets"
    DECIDE = "decide"  # decision; stake_cents, or of a draw discards
    CHOOSE_GAME = "choose-game"  # variant
    PASS_BUTTON = "pass-button"  # noqa: S105 (no password)
    MOVE_BUTTON = "move-button"
    CLAIM = "claim"
    ENTER_CARDS = "enter-cards"  # amount is the number of cards
    REPORT = "report-irregularity"  # irregularity
    STUB_COUNT = "stub-count"  # count
    RULE = "rule"  # ruling
    VOID_ROUND = "void-round"
    CLEAR_ALERT = "clear-alert"  # alert
    OPEN_TABLE = "open-table"
    CLOSE_TABLE = "close-table"
    RESHUFFLE = "reshuffle"
    LOAD_SHOE = "load-shoe"  # decks
    CHANGE_GAME = "change-game"  # game
    CHANGE_DECK = "change-deck"
    COUNT_DECK = "count-deck"


@dataclass(frozen=True, slots=True)
class Bounds:
    """A number from `least` to `most` in steps of `step` from the least. Without a most there is no limit."""

    least: int
    most: int | None
    step: int = 1
    most_with_pair: int | None = None  # what a player may bet who has one; nobody else knows whether they have


@dataclass(frozen=True, slots=True)
class Offer:
    """A command that would be accepted now, from each of these roles."""

    command: Command
    roles: tuple[Actor, ...]
    seats: tuple[SeatNumber, ...] = ()
    choices: tuple[str, ...] = ()
    colours: tuple[Colour, ...] = ()  # a bet has to name one of these, where there are any
    hand: int | None = None  # which of a seat's hands, where it has several
    amount: Bounds | None = None


def seats_by(said: Mapping[SeatNumber, SaidT]) -> Iterator[tuple[SaidT, tuple[SeatNumber, ...]]]:
    """Yield what is said of seats, each with all seats of which it is said, in the order of the seats."""
    different: list[tuple[SaidT, list[SeatNumber]]] = []
    for seat in sorted(said):
        for each, seats in different:  # a few; their hashes would take longer
            if each == said[seat]:
                seats.append(seat)
                break
        else:
            different.append((said[seat], [seat]))
    yield from ((each, tuple(seats)) for each, seats in different)
