"""The shoe's records without what they say of cards (see `protocols.blinding`). It never says a serial number."""

from __future__ import annotations

import re
from typing import Final

from protocols.bee_tek import messages as m
from protocols.bee_tek.wording import read_record
from protocols.blinding import Blinding, hidden
from protocols.cards import Card

_CARD: Final = re.compile(r"<card:([^>]*)>", re.IGNORECASE)


def blind_frame(data: bytes, blinding: Blinding) -> bytes:
    """Replace the card of a record, in its own order and case. Cover any text whose words are not known."""
    text = data.decode("ascii")
    match read_record(text):
        case m.CardPassed(face=Card() as card):
            return _CARD.sub(lambda found: f"{found[0][:6]}{_like(found[1], card, blinding)}>", text).encode("ascii")
        case m.Alarm(text=words):
            return text.replace(words, hidden(words)).encode("ascii")
        case m.UnknownText():
            return hidden(text).encode("ascii")
        case _:
            return data


def _like(written: str, card: Card, blinding: Blinding) -> str:
    """Return the other card as this shoe would write it."""
    other = str(blinding.face(card))
    is_suit_first = written[0].lower() == card.suit.letter and written[-1].lower() != card.suit.letter
    is_upper = any(character.isupper() for character in written)
    text = other[::-1] if is_suit_first else other
    return text.upper() if is_upper else text.lower()
