"""Records to messages and back.

    [Game]<Card:4S>                  a card, rank and suit in either order and either case, ten as T or 10
    [Manual Burn Cards]<Game>        a card that could not be read
    [GameAlarm]<Alarm:E3 …>          an alarm and its text
    <W0x01>                          a warning and its number

There is no check: this grammar is all that stands between a damaged record and the table. So a record has to fit it
from end to end, or it is unknown, however much in it looks like a card. Only blanks between the two brackets are free.
"""

from __future__ import annotations

import re
from typing import Final, assert_never

from protocols.bee_tek import messages as m
from protocols.cards import Card, Face, Misread, Rank, Suit
from protocols.errors import LocalProtocolError
from protocols.lines import is_line

_ANY_CASE: Final = re.IGNORECASE | re.ASCII
_RANK: Final = r"10|[2-9TJQKA]"
_SUIT: Final = r"[CDHS]"
_CARD: Final = re.compile(rf"\[(Game|Manual Burn Cards)\] *<Card:(?:({_RANK})({_SUIT})|({_SUIT})({_RANK}))>", _ANY_CASE)
_UNREADABLE: Final = re.compile(r"\[(Game|Manual Burn Cards)\] *<Game>", _ANY_CASE)
_ALARM: Final = re.compile(r"\[(Game|Manual Burn Cards|GameAlarm)\] *<Alarm:([^<>]*)>", _ANY_CASE)
_WARNING: Final = re.compile(r"<W0x([0-9A-F]{1,8})>", _ANY_CASE)
_ALARM_CODE: Final = re.compile(r" *([A-Z][0-9]{1,3})(?: |$)")

_OPERATIONS: Final = {operation.value.lower(): operation for operation in m.Operation}
_SUITS: Final = {suit.letter.upper(): suit for suit in Suit}
_RANKS: Final = {rank.letter: rank for rank in Rank} | {"10": Rank.TEN}


def read_record(text: str) -> m.ShoeRecord:
    """Return what a record says."""
    for read in (_read_card, _read_unreadable, _read_alarm, _read_warning):
        meaning = read(text)
        if meaning is not None:
            return meaning
    return m.UnknownText(text)


def _read_card(text: str) -> m.CardPassed | None:
    found = _CARD.fullmatch(text)
    if found is None:
        return None
    operation, *parts = found.groups()
    rank, suit = (parts[0], parts[1]) if parts[0] else (parts[3], parts[2])
    return m.CardPassed(_operation(operation), Card(_RANKS[rank.upper()], _SUITS[suit.upper()]))


def _read_unreadable(text: str) -> m.CardPassed | None:
    found = _UNREADABLE.fullmatch(text)
    return m.CardPassed(_operation(found[1]), Misread.UNREADABLE) if found else None


def _read_alarm(text: str) -> m.Alarm | None:
    found = _ALARM.fullmatch(text)
    if found is None:
        return None
    code = _ALARM_CODE.match(found[2])
    return m.Alarm(_operation(found[1]), code[1] if code else None, found[2])


def _read_warning(text: str) -> m.Warned | None:
    found = _WARNING.fullmatch(text)
    return m.Warned(int(found[1], 16)) if found else None


def _operation(word: str) -> m.Operation:
    return _OPERATIONS[word.lower()]


def write_line(record: m.ShoeRecord, *, suit_first: bool = False) -> str:
    """Return the line that says this. A real shoe always names the rank first, or always the suit."""
    match record:
        case m.CardPassed(operation, Misread()):
            record, text = m.CardPassed(operation, Misread.UNREADABLE), f" [{operation.value}]<Game> "
        case m.CardPassed(operation, face):
            text = f" [{operation.value}]<Card:{_card_text(face, suit_first=suit_first)}> "
        case m.Alarm(operation, _, words):
            text = f" [{operation.value}]<Alarm:{words}> "
        case m.Warned(code):
            text = f"<W0x{code:02X}>"
        case m.UnknownText(text):
            pass
        case _:
            assert_never(record)
    if read_record(text.strip(" ")) != record or not is_line(text):
        raise LocalProtocolError(f"{record!r} cannot be said on this link")
    return text


def _card_text(face: Face, *, suit_first: bool) -> str:
    letters = str(face).upper()
    return letters[::-1] if suit_first else letters
