"""Paytables as people write them: the name of a row, and what it pays, both in words.

The manufacturers' paytables in the games' modules and a house's own ones in its configuration are read by the
same few lines, so that a house writes what it sees in the approved documents::

    "royal flush": "1000 to 1"    "jacks or better": "push"    "20-29": "lose 1/2"    "four deuces": "prize 2222.00"
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from fractions import Fraction
from typing import Final

from daemon.rules.money import DOLLAR, Cents
from daemon.rules.paytable import LOSS, Award, CaseT, Odds, Paytable, PaytableInvalidError, Prize, Row, Scale

_ODDS: Final = re.compile(r"([0-9]{1,6})(?: to ([1-9][0-9]{0,5}))?", re.ASCII)
_PART: Final = re.compile(r"lose ([1-9][0-9]{0,5})/([1-9][0-9]{0,5})", re.ASCII)
_AMOUNT: Final = r"([0-9]{1,9})(?:\.([0-9]{2}))?"
_PRIZE: Final = re.compile(rf"prize {_AMOUNT}(?: from {_AMOUNT})?", re.ASCII)


def read_award(text: str) -> Award:
    """Return what a row pays, else ValueError with what would have been accepted."""
    if text == "push":
        return Odds(Fraction(0))
    if text == "lose":
        return Odds(LOSS)
    if found := _ODDS.fullmatch(text):
        return Odds(Fraction(int(found[1]), int(found[2] or 1)))
    if found := _PART.fullmatch(text):
        return Odds(-Fraction(int(found[1]), int(found[2])))
    if found := _PRIZE.fullmatch(text):
        return Prize(_cents(found[1], found[2]), _cents(found[3], found[4]) if found[3] else DOLLAR)
    accepted = "'5 to 1', '3 to 2', 'push', 'lose', 'lose 1/2', 'prize 1000.00' or 'prize 1000.00 from 5.00'"
    raise ValueError(f"{text!r} is not an award. Write {accepted}")


def _cents(whole: str, hundredths: str | None) -> Cents:
    return Cents(int(whole) * 100 + int(hundredths or 0))


def read_paytable(name: str, source: str, scale: Scale[CaseT], rows: Mapping[str, str]) -> Paytable[CaseT]:
    """Return the paytable that the rows say, top row first, else PaytableInvalidError with everything wrong in them."""
    problems = list(_unreadable(scale, rows))
    if problems:
        raise PaytableInvalidError(name, problems)
    cases = scale.named()
    return Paytable(name, source, scale, tuple(Row(row, cases[row], read_award(pays)) for row, pays in rows.items()))


def _unreadable(scale: Scale[CaseT], rows: Mapping[str, str]) -> Iterator[str]:
    known = scale.named()
    for row, pays in rows.items():
        if row not in known:
            nearest = get_close_matches(row, known, n=3, cutoff=0.5)
            hint = f"; did you mean {' or '.join(repr(name) for name in nearest)}?" if nearest else ""
            yield f"row {row!r} means nothing on the scale of {scale.name}{hint}"
        try:
            read_award(pays)
        except ValueError as error:
            yield f"row {row!r}: {error}"
