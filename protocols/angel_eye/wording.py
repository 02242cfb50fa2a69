"""Texts of frames to messages and back: which letter means what, and what its payload bytes say.

A payload byte has bit 7 set and says something in the other seven. A report of a card in which one has it not is sound,
for its check holds: the card came out, and has no name. The two numbers of a preset are called characters
in the accounts of the link, and it is not known whether they keep to that; both are read, since it makes no difference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final, TypeVar, assert_never

from protocols.angel_eye import messages as m
from protocols.cards import Card, Face, Misread, Rank, Suit
from protocols.errors import LocalProtocolError

_PAYLOAD: Final = 0x80
_LOW: Final = 0x7F
_ERROR_MODE: Final = 0x40
_ERROR_CODE: Final = 0x3F
_LOCKED: Final = 0x01
_PAIRS: Final = 0x03
_OF_A_CARD: Final = frozenset("DdR")
_PRESET: Final = "M"
_PRESET_ADDRESS_LENGTH: Final = 2
_PRESET_LENGTH: Final = 6
_OPERATION: Final = "OP"
_COMMAND_LENGTH: Final = 6

_SUITS: Final = {1: Suit.DIAMONDS, 2: Suit.CLUBS, 3: Suit.SPADES, 4: Suit.HEARTS}
_RANKS: Final = {1: Rank.ACE, 11: Rank.JACK, 12: Rank.QUEEN, 13: Rank.KING} | {n: Rank(n) for n in range(2, 11)}
_CARDS: Final = {s << 4 | r: Card(rank, suit) for s, suit in _SUITS.items() for r, rank in _RANKS.items()}
_CARD_BYTES: Final = {card: _PAYLOAD | low for low, card in _CARDS.items()}

KnownT = TypeVar("KnownT", bound=Enum)


def read_report(data: bytes) -> m.WireReport:
    """Return what the letter and the payload of a sound frame say."""
    letter, payload = chr(data[0]), data[1:]
    known = _REPORTS.get(letter)
    if known is None:
        return m.UnknownReport(letter, "no such report is known", payload)
    length, read = known
    if letter in _OF_A_CARD and len(payload) == length and not all(byte & _PAYLOAD for byte in payload):
        payload = bytes((payload[0] | _PAYLOAD, _PAYLOAD))  # a card came out, and the report does not name it
    low = bytes(byte & _LOW for byte in payload)
    wrong = _wrong_with(letter, payload, length, low)
    return read(low) if wrong is None else m.UnknownReport(letter, wrong, payload)


def _wrong_with(letter: str, payload: bytes, length: int, low: bytes) -> str | None:
    if len(payload) != length:
        return f"{len(payload)} payload bytes, {length} expected"
    if letter == _PRESET:
        return None if _is_printable(low.decode("ascii")) else "a preset that is not text"
    return None if all(byte & _PAYLOAD for byte in payload) else "a payload byte without bit 7"


def write_report(report: m.WireReport) -> bytes:
    """Return the letter and the payload that say this."""
    if isinstance(report, m.UnknownReport):
        return report.letter.encode("latin-1") + report.payload
    letter, *low = _letter_and_low(report)
    return letter.encode("ascii") + bytes(_PAYLOAD | byte for byte in low)


def _letter_and_low(report: m.KnownReport) -> tuple[str, *tuple[int, ...]]:  # noqa: C901 - one branch a report
    match report:
        case m.Started():
            return ("S",)
        case m.Standby():
            return ("P",)
        case m.WireCutCardDrawn():
            return ("C",)
        case m.WireCardDrawn(place, face):
            return ("D", _place_byte(place), _card_byte(face))
        case m.CardDrawnOutside(reason, index, face):
            return ("d", _number(reason) << 4 | index, _card_byte(face))
        case m.CardAgain(place, face):
            return ("R", _place_byte(place), _card_byte(face))
        case m.GameEnded(winner, pairs):
            return ("G", _number(winner) << 4 | pairs.value)
        case m.ErrorRaised(error, mode):
            return ("E", _error_byte(error, is_in_error_mode=mode))
        case m.ErrorCancelled(error, mode):
            return ("e", _error_byte(error, is_in_error_mode=mode))
        case m.PresetChanged(address, value):
            return (_PRESET, *_preset_characters(address, value))
        case m.LockChanged(is_locked):
            return ("L", int(is_locked))
        case _:
            assert_never(report)


def _preset_characters(address: str, value: str) -> bytes:
    characters = address + value
    if len(address) != _PRESET_ADDRESS_LENGTH or len(characters) != _PRESET_LENGTH or not _is_printable(characters):
        raise LocalProtocolError("a preset has two printable characters of address and four of value")
    return characters.encode("ascii")


def _is_printable(text: str) -> bool:
    return text.isascii() and text.isprintable()


def read_face(low: int) -> Face:
    """Return the card that seven bits name. Bits that name none are `UNREADABLE`, never another card."""
    return _CARDS.get(low, Misread.UNREADABLE)


def _card_byte(face: Face) -> int:
    return _CARD_BYTES[face] if isinstance(face, Card) else _PAYLOAD


def _read_place(low: int) -> m.Place:
    return m.Place(_known(m.Target, low >> 4), low & 0x0F)


def _place_byte(place: m.Place) -> int:
    return _number(place.target) << 4 | place.index


def _error_byte(error: m.ErrorCode | int, *, is_in_error_mode: bool) -> int:
    return _number(error) | (_ERROR_MODE if is_in_error_mode else 0)


def _read_error(low: int) -> tuple[m.ErrorCode | int, bool]:
    return _known(m.ErrorCode, low & _ERROR_CODE), bool(low & _ERROR_MODE)


def _known(names: type[KnownT], number: int) -> KnownT | int:
    """Return the name of a number, or the number itself if it has no name."""
    try:
        return names(number)
    except ValueError:
        return number


def _number(known: Enum | int) -> int:
    return int(known.value) if isinstance(known, Enum) else known


def _read_preset(low: bytes) -> m.PresetChanged:
    characters = low.decode("ascii")
    return m.PresetChanged(characters[:_PRESET_ADDRESS_LENGTH], characters[_PRESET_ADDRESS_LENGTH:])


_REPORTS: Final[Mapping[str, tuple[int, Callable[[bytes], m.WireReport]]]] = {
    "S": (0, lambda p: m.Started()),
    "P": (0, lambda p: m.Standby()),
    "C": (0, lambda p: m.WireCutCardDrawn()),
    "D": (2, lambda p: m.WireCardDrawn(_read_place(p[0]), read_face(p[1]))),
    "d": (2, lambda p: m.CardDrawnOutside(_known(m.OutsideReason, p[0] >> 4), p[0] & 0x0F, read_face(p[1]))),
    "R": (2, lambda p: m.CardAgain(_read_place(p[0]), read_face(p[1]))),
    "G": (1, lambda p: m.GameEnded(_known(m.Winner, p[0] >> 4), m.Pairs(p[0] & _PAIRS))),
    "E": (1, lambda p: m.ErrorRaised(*_read_error(p[0]))),
    "e": (1, lambda p: m.ErrorCancelled(*_read_error(p[0]))),
    "L": (1, lambda p: m.LockChanged(bool(p[0] & _LOCKED))),
    _PRESET: (_PRESET_LENGTH, _read_preset),
}
"""Each letter with the length of its payload and how the low seven bits are read."""


def write_command(command: m.Command) -> bytes:
    """Return the text that says this."""
    match command:
        case m.SetLock(is_locked):
            words = "LK", "02" if is_locked else "01"
        case m.AnswerError(answer):
            words = "EC", f"{answer.value:02d}"
        case m.ConfirmProcess():
            words = "GP", "00"
        case _:
            assert_never(command)
    return "".join((_OPERATION, *words)).encode("ascii")


_EVERY_COMMAND: Final[tuple[m.Command, ...]] = (
    m.SetLock(is_locked=True),
    m.SetLock(is_locked=False),
    *map(m.AnswerError, m.ErrorAnswer),
    m.ConfirmProcess(),
)
_COMMANDS: Final[Mapping[bytes, m.Command]] = {write_command(command): command for command in _EVERY_COMMAND}
_TYPES: Final = frozenset(text[2:4] for text in _COMMANDS)


def read_command(text: bytes) -> m.Command | m.NakCode:
    """Return the command that a sound text says, or the code with which a shoe refuses it."""
    if not text.startswith(_OPERATION.encode("ascii")):
        return m.NakCode.COMMAND
    if len(text) != _COMMAND_LENGTH:
        return m.NakCode.LENGTH
    if text[2:4] not in _TYPES:
        return m.NakCode.TYPE
    return _COMMANDS.get(text, m.NakCode.OTHER)


def nak_code(code: int) -> m.NakCode | int:
    """Return the name of a refusal's code, or the code itself if it has none."""
    return _known(m.NakCode, code)


def seq_text(seq: int) -> str:
    """Return a SEQ as a person reads it."""
    text = chr(seq)
    return text if text.isascii() and text.isprintable() else f"0x{seq:02X}"
