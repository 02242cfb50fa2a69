"""One line of `feltd adjudicate`: its shape, and what is wrong with one that has another.

A line is parsed once, into the struct of its game; after that nothing asks again whether a field is there. What
the *rules* object to is not wrong with the line: that is an answer, void or refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from types import MappingProxyType
from typing import Annotated, Final, Literal, TypeAlias, TypeVar

import msgspec

from daemon.rules.game import GameSpec
from daemon.rules.games import GAMES
from daemon.rules.house import House
from daemon.rules.limits import NO_LIMITS, Limits, within_aggregate
from daemon.rules.money import Cents
from daemon.rules.results import Refused, Settled, Voided, WagerResult
from daemon.rules.wagers import Colour, GameName, Wager, WagerName
from daemon.tools.rules.options import LimitsText, OptionError, read_house
from protocols.cards import Card, Face, Misread, parse_face
from protocols.frozen import dataclass

LineT = TypeVar("LineT", bound="JsonLine")
OptionsT = TypeVar("OptionsT")
HouseT = TypeVar("HouseT", bound=House)
ShapeT = TypeVar("ShapeT")

STAKE_MOST: Final = 10**12
NO_OTHER_KEYS: Final[Mapping[str, str]] = MappingProxyType({})

_PATH: Final = re.compile(r" - at `\$\.?(?P<path>.*)`$")
_WAGERS: Final[Mapping[str, WagerName]] = {name.value: name for name in WagerName}


LineCode: TypeAlias = Literal["bad-option", "malformed", "not-json", "too-long", "unknown-game", "unknown-wager"]
"""Every code of a line that is not a hand. They are public names, and stay; `systemd/CODES.md` explains each."""


class LineError(Exception):
    """A line that is not a hand: a stable code, a sentence, and the place in the line."""

    def __init__(self, code: LineCode, message: str, where: str) -> None:
        super().__init__(message)
        self.code, self.message, self.where = code, message, where


class Envelope(msgspec.Struct):
    """What has to be known before the rest can be read. The id is echoed byte by byte, whatever it is."""

    id: msgspec.Raw = msgspec.Raw(b"null")
    game: object = None


class JsonLine(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """What every game's line has."""

    id: msgspec.Raw = msgspec.Raw(b"null")
    game: str
    wagers: dict[str, object]
    house: dict[str, object] = {}
    limits: LimitsText = LimitsText()

    def bets(self) -> tuple[Wager, ...]:
        """Return the wagers, else raise LineError."""
        return tuple(_bet(name, value) for name, value in self.wagers.items())

    def house_of(self, game: GameSpec[HouseT], other_keys: Mapping[str, str] = NO_OTHER_KEYS) -> HouseT:
        """Return the house, else raise LineError. `other_keys` are names that lines may have for an option."""
        return within("house", lambda: read_house(self.house, game, other_keys))

    def limits_in_force(self) -> Limits:
        """Return the limits, else raise LineError."""
        return within("limits", self.limits.limits)


class StakeText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Return a stake with its options. A stake of 0 or less is refused by the rules, not here."""

    stake: Annotated[int, msgspec.Meta(ge=-STAKE_MOST, le=STAKE_MOST)]
    colour: Colour | None = None


def _bet(name: str, value: object) -> Wager:
    where = f"wagers.{name}"
    if name not in _WAGERS:
        message = f"{name!r} is not a wager{nearest_of(name, _WAGERS)}"
        raise LineError("unknown-wager", message, where)
    try:
        text = msgspec.convert(value if isinstance(value, dict) else {"stake": value}, StakeText)
    except msgspec.ValidationError as error:
        raise malformed(error, where) from error
    return Wager(_WAGERS[name], Cents(text.stake), text.colour)


def nearest_of(name: str, known: Mapping[str, object]) -> str:
    """Return a hint after a mistyped name."""
    nearest = get_close_matches(name, known, n=1)
    return f"; did you mean {nearest[0]!r}?" if nearest else f"; there are {', '.join(known)}"


def within(where: str, make: Callable[[], OptionsT]) -> OptionsT:
    """Return what the options under `where` make, else LineError with the whole path."""
    try:
        return make()
    except OptionError as error:
        raise LineError(error.code, str(error), ".".join(part for part in (where, error.where) if part)) from error


def decoded(data: bytes, shape: type[ShapeT]) -> ShapeT:
    """Return the line in its shape, else LineError."""
    try:
        return msgspec.json.decode(data, type=shape)
    except msgspec.ValidationError as error:
        raise malformed(error) from error
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise LineError("not-json", str(error), "") from error


def malformed(error: msgspec.ValidationError, where: str = "") -> LineError:
    """Return the same in our own terms: msgspec says the place at the end of its sentence."""
    text = str(error)
    found = _PATH.search(text)
    path = ".".join(part for part in (where, found["path"] if found else "") if part)
    return LineError("malformed", _PATH.sub("", text), path)


def faces(texts: Sequence[str]) -> tuple[Face, ...]:
    """Return cards by their text, misreads by their mark. Any other text is an unreadable card."""
    return tuple(_face(text) for text in texts)


def _face(text: str) -> Face:
    try:
        return parse_face(text)
    except ValueError:
        return Misread.UNREADABLE


def texts(cards: tuple[Card, ...]) -> list[str]:
    """Return cards for JSON, in their order."""
    return [str(card) for card in cards]


@dataclass(frozen=True, slots=True)
class Judged:
    """What the rules answer to a line, what decided it, ready for JSON, and the house and limits that it was under."""

    result: Settled[object] | Voided | Refused
    decided: Mapping[str, object]
    house: House | None = None
    limits: Limits = NO_LIMITS


def refused_or_void(result: Voided | Refused) -> Judged:
    """Return an answer in which nothing was decided by cards."""
    return Judged(result, {})


def within_limits(judged: Judged, game: GameName, limits: Limits) -> Judged:
    """Return the answer with its wins cut to what one deal may pay. The line is a deal of one hand."""
    house = judged.house
    if house is None or not isinstance(judged.result, Settled):
        return judged

    def cut(wager: WagerResult) -> WagerResult:
        limit = next((limit for limit in limits.aggregates if limit.wager is wager.name), None)
        by = wager.decided_by
        paytables = GAMES[game].paytables_of(wager.name, house)
        decided = next((paytable for paytable in paytables if by is not None and paytable.sha256 == by.sha256), None)
        if limit is None or decided is None:
            return wager
        return within_aggregate(limit, [wager], decided, house.money.chip)[0]

    wagers = tuple(map(cut, judged.result.wagers))
    return replace(judged, result=replace(judged.result, wagers=wagers), limits=limits)
