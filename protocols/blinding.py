"""Recordings that a site can give away: cards shuffled, serial numbers replaced, the rest bit by bit the same.

Theory of operation. A key that stays with the site decides which card stands for which, and the same card is always
replaced by the same one. So counts, duplicates, orders of events and times stay true, and a round cannot be told.
Each protocol replaces what it knows in its own frames and makes their checks anew. Damage can name a card that no
reader can find in it, so its letters, digits and payload bytes are covered. Its length and its control bytes stay.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

from protocols.capture import Capture, Chunk, Side
from protocols.cards import DECK, Card, Face
from protocols.codec import Garbage
from protocols.listening import Listening

_HIDDEN: Final = "x"
_HIDDEN_PAYLOAD: Final = 0x80
KEY_BYTES_MIN: Final = 16


class Blinding:
    """What one key puts in the place of cards and names."""

    def __init__(self, key: bytes) -> None:
        if len(key) < KEY_BYTES_MIN:
            raise ValueError(f"a key has at least {KEY_BYTES_MIN} bytes")
        self._key: Final = key
        order = sorted(DECK, key=lambda card: self._digest("card", str(card)))
        self._cards: Final = dict(zip(DECK, order, strict=True))

    def face(self, face: Face) -> Face:
        """Return the card that stands for this one. A misread stays."""
        return self._cards[face] if isinstance(face, Card) else face

    def name(self, text: str) -> str:
        """Return a name of the same length."""
        return self._digest("name", text).hex().upper()[: len(text)].ljust(len(text), "0")

    def _digest(self, what: str, text: str) -> bytes:
        return hmac.digest(self._key, f"{what}:{text}".encode(), hashlib.sha256)


BlindFrame: TypeAlias = Callable[[bytes, Blinding], bytes]
"""Replaces the cards and serial numbers in one sound frame, given as it came."""


def hidden(text: str) -> str:
    """Return text with every letter and digit covered."""
    return "".join(_HIDDEN if character.isalnum() else character for character in text)


def hidden_bytes(data: bytes) -> bytes:
    """Return damage with everything covered that can name a card."""
    return bytes(_HIDDEN_PAYLOAD if byte & 0x80 else ord(_HIDDEN) if chr(byte).isalnum() else byte for byte in data)


def blind_capture(
    capture: Capture, listener: Callable[[], Listening], blind_frame: BlindFrame, blinding: Blinding
) -> Capture:
    """Return the recording with its cards and serial numbers replaced. Every chunk keeps its time and direction."""
    streams = {side: _blind_stream(capture.said_by(side), listener(), blind_frame, blinding) for side in Side}
    chunks = tuple(
        Chunk(chunk.offset_ns, chunk.side, data) for chunk in capture.chunks if (data := next(streams[chunk.side]))
    )
    kept = {key: text for key, text in capture.notes.items() if key != "by"}
    if "serial" in kept:
        kept["serial"] = blinding.name(kept["serial"])
    return Capture({**kept, "blinded": "cards and serial numbers, by a key that stayed with the site"}, chunks)


def _blind_stream(
    chunks: Sequence[Chunk], listener: Listening, blind_frame: BlindFrame, blinding: Blinding
) -> Iterator[bytes]:
    """Yield the new bytes of each chunk. What stands for a byte stays in the chunk in which that byte came."""
    data = b"".join(chunk.data for chunk in chunks)
    instead = [data[place : place + 1] for place in range(len(data))]
    listener.feed(data)
    heard = list(iter(listener.next, None))
    rest = listener.end()
    for one in heard if rest is None else [*heard, rest]:
        is_damage = isinstance(one.saying, Garbage)
        new = hidden_bytes(one.data) if is_damage else blind_frame(one.data, blinding)
        last = len(one.data) - 1
        instead[one.offset : one.offset + last + 1] = [
            *(new[place : place + 1] for place in range(last)),
            new[last:],
        ]
    offset = 0
    for chunk in chunks:
        yield b"".join(instead[offset : offset + len(chunk.data)])
        offset += len(chunk.data)
