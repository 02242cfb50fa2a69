"""The options and limits of one line of `feltd adjudicate`, in JSON.

A `house` has the keys of the configuration's `[games.NAME]`, read by the same code. Beside them stand `chip` and
`breakage` for the money.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Final, Literal, TypeAlias, TypeVar

import msgspec

from daemon.config.problems import Problem, ProblemCode, spell_path
from daemon.config.reading import read
from daemon.rules.game import GameSpec
from daemon.rules.house import Amount, House, keys_of
from daemon.rules.limits import VERIFY_OVER, WAGERS_A_HAND_MAX, AggregateLimit, Limits, StakeRange
from daemon.rules.money import ONE_CENT, Breakage, Cents, MoneyRule
from daemon.rules.wagers import WagerName
from protocols.frozen import dataclass

HouseT = TypeVar("HouseT", bound=House)

LimitAmount = Annotated[int, msgspec.Meta(ge=1, le=10**12)]


OptionCode: TypeAlias = Literal["bad-option", "malformed"]


class OptionError(ValueError):
    """An option that cannot be. `code` says whether its shape is wrong, `where` is its path from here."""

    def __init__(self, where: str, message: str, code: OptionCode = "bad-option") -> None:
        super().__init__(message)
        self.where, self.code = where, code


class StakeRangeText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The least, most and step of one wager, in cents."""

    least: LimitAmount = 1
    most: LimitAmount | None = None
    step: LimitAmount = 1


class LimitsText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One day's limits, in cents."""

    stakes: dict[WagerName, StakeRangeText] = {}
    authorised_most: LimitAmount | None = None
    wagers_max: Annotated[int, msgspec.Meta(ge=1)] = WAGERS_A_HAND_MAX
    large_wagers_max: Annotated[int, msgspec.Meta(ge=0)] | None = None
    aggregates: dict[WagerName, LimitAmount] = {}
    aggregate_shares_all: bool = False
    verify_over: LimitAmount = VERIFY_OVER

    def limits(self) -> Limits:
        """Return the limits that these words say, else raise OptionError."""
        return Limits(
            stakes={name: _range(text, f"stakes.{name.value}") for name, text in self.stakes.items()},
            authorised_most=None if self.authorised_most is None else Cents(self.authorised_most),
            wagers_max=self.wagers_max,
            large_wagers_max=self.large_wagers_max,
            aggregates=tuple(
                AggregateLimit(name, Cents(most), self.aggregate_shares_all) for name, most in self.aggregates.items()
            ),
            verify_over=Cents(self.verify_over),
        )


def _range(text: StakeRangeText, where: str) -> StakeRange:
    try:
        return StakeRange(Cents(text.least), None if text.most is None else Cents(text.most), Cents(text.step))
    except ValueError as error:
        raise OptionError(where, str(error)) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class _Money:
    """What a line says of the table's money."""

    chip: Amount = ONE_CENT
    breakage: Breakage = Breakage.PLAYER


_MONEY_KEYS: Final = ("chip", "breakage")


def read_house(text: Mapping[str, object], game: GameSpec[HouseT], other_keys: Mapping[str, str]) -> HouseT:
    """Return the house that a line's options make, else raise OptionError. What is null is left out.

    `other_keys` are the keys under which lines may have an option beside its own: an older name, or the name of a
    published paytable in whose place a house writes its own.
    """
    kind = type(game.house)
    own_keys = {option.name for option in keys_of(kind)}
    said = {
        other_keys[key] if key in other_keys and (key not in own_keys or isinstance(value, dict)) else key: value
        for key, value in text.items()
        if value is not None
    }
    problems: list[Problem] = []
    money = read(_Money, {key: said.pop(key) for key in _MONEY_KEYS if key in said}, problems)
    house = read(kind, said, problems)
    if problems:
        as_written = {other_keys[key]: key for key in text if key in other_keys and other_keys[key] not in text}
        raise _as_error(problems, as_written, (*_MONEY_KEYS, *own_keys))
    return replace(house, money=MoneyRule(money.chip, money.breakage))


def _as_error(problems: list[Problem], as_written: Mapping[str, str], options: tuple[str, ...]) -> OptionError:
    """Return the first option that is wrong, by the key that the line has for it."""
    first = problems[0]
    option, *inside = first.key
    where = spell_path((as_written.get(str(option), option), *inside))
    if first.code is ProblemCode.UNKNOWN_KEY and not inside:
        return OptionError("", f"{option!r} is not an option; there are {', '.join(sorted(options))}", "malformed")
    if first.code is ProblemCode.PAYTABLE:
        return OptionError(where, "; ".join(problem.found for problem in problems if problem.key == first.key))
    code: OptionCode = "bad-option" if first.found.startswith('"') else "malformed"
    return OptionError(where, f"found {first.found}; allowed: {first.allowed}", code)
