"""Cards drawn for a terminal, face up and face down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text

CARD_WIDTH: Final = 3
_RED_SUITS: Final = "dh"
_SIGNS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_FACE_DOWN: Final = "▮"


def open_cards(cards: Sequence[str]) -> Text:
    """Draw cards by their names."""
    shown = Text()
    for card in cards:
        rank, suit = card[:-1], card[-1]
        shown.append(f"{rank}{_SIGNS.get(suit, suit):<{CARD_WIDTH - 1}}", style="red" if suit in _RED_SUITS else "")
    shown.rstrip()
    return shown


def face_down(cards: int) -> Text:
    """Draw this number of backs."""
    return Text((f"{_FACE_DOWN:<{CARD_WIDTH}}" * cards).rstrip(), style="blue")


def partly_open(cards: Sequence[str], dealt: int) -> Text:
    """Draw the open cards, then the backs of the others, in the width of all dealt cards."""
    shown = open_cards(cards)
    if dealt > len(cards):
        shown.append(" " if cards else "").append_text(face_down(dealt - len(cards)))
    shown.pad_right(dealt * CARD_WIDTH - 1 - shown.cell_len)
    return shown
