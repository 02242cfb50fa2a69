"""What can be wrong with the deck that a dealer brings: a missing card, a copy, a foreign card, a boxed card.

Which card it is follows from the seed and the number of the load, so the same seed has the same mishaps. A fault
armed for packet N takes a card that the coming shuffle would deal into that packet.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final, TypeAlias

from protocols.cards import Card
from protocols.frozen import dataclass
from sim_hardware.deck import Condition, Deck, Piece, choose, in_condition, shuffled
from sim_hardware.faults import Arming, FaultBoard, FaultName, OnPacket

STRANGE_FROM: Final = 1_000
"""Pieces of a house deck have lower numbers. An added piece is numbered by its load."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """One deck that goes in, and what the machine will do with it."""

    seed: int
    load: int
    shuffle: int
    hand_size: int


Mishap: TypeAlias = Callable[[tuple[Piece, ...], Piece, Occasion], tuple[Piece, ...]]


def tampered(deck: Deck, board: FaultBoard, occasion: Occasion) -> Deck:
    """Return the deck as it goes in. Every armed deck fault strikes, each on a card of its own."""
    untouched = deck.pieces
    pieces = deck.pieces
    for place, (name, mishap) in enumerate(_MISHAPS.items()):
        arming = board.strike_deck(name)
        if arming is not None and untouched:
            victim = _victim(replace(deck, pieces=untouched), arming, occasion, place)
            untouched = tuple(piece for piece in untouched if piece is not victim)
            pieces = mishap(pieces, victim, occasion)
    return replace(deck, pieces=pieces)


def _victim(deck: Deck, arming: Arming, occasion: Occasion, place: int) -> Piece:
    dealt = deck.pieces if deck.stacked else shuffled(deck.pieces, occasion.seed, occasion.shuffle)
    packet = dealt
    if isinstance(arming, OnPacket):
        first = (arming.position - 1) * occasion.hand_size
        packet = dealt[first : first + occasion.hand_size] or dealt
    return packet[choose(len(packet), occasion.seed, occasion.load, place)]


def _remove(pieces: tuple[Piece, ...], victim: Piece, _occasion: Occasion) -> tuple[Piece, ...]:
    return tuple(piece for piece in pieces if piece is not victim)


def _copy(pieces: tuple[Piece, ...], victim: Piece, occasion: Occasion) -> tuple[Piece, ...]:
    """Replace the victim by a second copy of a card that stays in the deck."""
    others = [piece.printed for piece in pieces if piece.printed not in (None, victim.printed)]
    printed = others[choose(len(others), occasion.seed, occasion.load)] if others else victim.printed
    return _swap(pieces, victim, _stranger(victim, printed, occasion, 0))


def _exchange(pieces: tuple[Piece, ...], victim: Piece, occasion: Occasion) -> tuple[Piece, ...]:
    return _swap(pieces, victim, replace(_stranger(victim, None, occasion, 1), condition=Condition.FOREIGN))


def _turn(pieces: tuple[Piece, ...], victim: Piece, _occasion: Occasion) -> tuple[Piece, ...]:
    return _swap(pieces, victim, in_condition(victim, Condition.BOXED))


def _stranger(victim: Piece, printed: Card | None, occasion: Occasion, kind: int) -> Piece:
    """Return a piece in the victim's slot, so that a shuffle lays it where the victim would have lain."""
    return Piece(STRANGE_FROM + 2 * occasion.load + kind, victim.slot, printed)


def _swap(pieces: tuple[Piece, ...], victim: Piece, other: Piece) -> tuple[Piece, ...]:
    return tuple(other if piece is victim else piece for piece in pieces)


_MISHAPS: Final[Mapping[FaultName, Mishap]] = MappingProxyType(
    {
        FaultName.MISSING_CARD: _remove,
        FaultName.DUPLICATE_CARD: _copy,
        FaultName.FOREIGN_CARD: _exchange,
        FaultName.BOXED_CARD: _turn,
    }
)
