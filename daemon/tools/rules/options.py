"""A house's options as JSON and TOML spell them, and the houses of `daemon.rules` that they make.

One shape for `feltd adjudicate`, whose lines carry a `house`, and for the table's configuration. Every option has
the rules' own default, unknown ones are refused by msgspec, and a paytable of the house's own is proven while it
is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, TypeVar

import msgspec

from daemon.rules.big_50 import HOUSE as BIG_50_HOUSE
from daemon.rules.big_50 import Big50House, RedBlack
from daemon.rules.big_draw import HOUSE as BIG_DRAW_HOUSE
from daemon.rules.big_draw import BigDrawHouse
from daemon.rules.big_raise import HOUSE as BIG_RAISE_HOUSE
from daemon.rules.big_raise import BigRaiseHouse
from daemon.rules.big_raise_pays import FIVE_CARD_BONUSES
from daemon.rules.limits import VERIFY_OVER, WAGERS_A_HAND_MAX, AggregateLimit, Limits, StakeRange
from daemon.rules.money import Breakage, Cents, MoneyRule
from daemon.rules.paytable import Paytable, PaytableInvalidError
from daemon.rules.paytable_text import read_paytable
from daemon.rules.wagers import WagerName

CaseT = TypeVar("CaseT")

Amount = Annotated[int, msgspec.Meta(ge=1, le=10**12)]


class OptionError(ValueError):
    """An option that has the right shape and cannot be; `where` is its path from here."""

    def __init__(self, where: str, message: str) -> None:
        super().__init__(message)
        self.where = where


class PaytableText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A paytable of the house's own, in the words of its document."""

    name: str
    source: str
    rows: dict[str, str]

    def like(self, published: Paytable[CaseT], where: str) -> Paytable[CaseT]:
        """The paytable, on the scale of the one that it replaces."""
        try:
            return read_paytable(self.name, self.source, published.scale, self.rows)
        except PaytableInvalidError as error:
            raise OptionError(where, "; ".join(error.problems)) from error


def _own(text: PaytableText | None, published: Paytable[CaseT], where: str) -> Paytable[CaseT]:
    return published if text is None else text.like(published, where)


class StakeRangeText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The least, most and step of one wager, in cents."""

    least: Amount = 1
    most: Amount | None = None
    step: Amount = 1


class LimitsText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One day's limits, in cents."""

    stakes: dict[WagerName, StakeRangeText] = {}
    authorised_most: Amount | None = None
    wagers_max: Annotated[int, msgspec.Meta(ge=1)] = WAGERS_A_HAND_MAX
    large_wagers_max: Annotated[int, msgspec.Meta(ge=0)] | None = None
    aggregates: dict[WagerName, Amount] = {}
    verify_over: Amount = VERIFY_OVER

    def limits(self) -> Limits:
        """The limits that these words say, else OptionError."""
        return Limits(
            stakes={name: _range(text, f"stakes.{name.value}") for name, text in self.stakes.items()},
            authorised_most=None if self.authorised_most is None else Cents(self.authorised_most),
            wagers_max=self.wagers_max,
            large_wagers_max=self.large_wagers_max,
            aggregates=tuple(AggregateLimit(name, Cents(most)) for name, most in self.aggregates.items()),
            verify_over=Cents(self.verify_over),
        )


def _range(text: StakeRangeText, where: str) -> StakeRange:
    try:
        return StakeRange(Cents(text.least), None if text.most is None else Cents(text.most), Cents(text.step))
    except ValueError as error:
        raise OptionError(where, str(error)) from error


class MoneyOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every game's house decides about money."""

    chip: Amount = 1
    breakage: Breakage = Breakage.PLAYER

    @property
    def money(self) -> MoneyRule:
        """The rule that these options say."""
        return MoneyRule(Cents(self.chip), self.breakage)


class Big50Options(MoneyOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The house's options for Big 50."""

    red_black: RedBlack = BIG_50_HOUSE.red_black
    poker_hand_pays: PaytableText | None = None
    red_black_pays: PaytableText | None = None
    big_50_pays: PaytableText | None = None
    range_pays: PaytableText | None = None

    def house(self) -> Big50House:
        """The house that these options make, else OptionError."""
        published = BIG_50_HOUSE
        return Big50House(
            money=self.money,
            red_black=self.red_black,
            poker_hand_pays=_own(self.poker_hand_pays, published.poker_hand_pays, "poker_hand_pays"),
            red_black_pays=_own(self.red_black_pays, published.red_black_pays, "red_black_pays"),
            big_50_pays=_own(self.big_50_pays, published.big_50_pays, "big_50_pays"),
            range_pays=_own(self.range_pays, published.range_pays, "range_pays"),
        )


BRH_40: Final = "BRH-40"
_FIVE_CARD_BONUSES: Final[Mapping[str, Paytable[Any]]] = {paytable.name: paytable for paytable in FIVE_CARD_BONUSES}


class BigRaiseOptions(MoneyOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The house's options for Big Raise Hold'em; `paytable` names the Ante Bonus and the 2 Card Bonus at once."""

    paytable: str = BRH_40
    five_card_bonus: str | PaytableText | None = None
    five_card_bonus_on_fold: bool = BIG_RAISE_HOUSE.five_card_bonus_on_fold
    play_in_whole_antes: bool = BIG_RAISE_HOUSE.play_in_whole_antes
    ante_bonus_pays: PaytableText | None = None
    two_card_bonus_pays: PaytableText | None = None

    def house(self) -> BigRaiseHouse:
        """The house that these options make, else OptionError."""
        if self.paytable != BRH_40:
            raise OptionError("paytable", f"{self.paytable!r} is not published; {BRH_40} is")
        published = BIG_RAISE_HOUSE
        return BigRaiseHouse(
            money=self.money,
            ante_bonus_pays=_own(self.ante_bonus_pays, published.ante_bonus_pays, "ante_bonus_pays"),
            two_card_bonus_pays=_own(self.two_card_bonus_pays, published.two_card_bonus_pays, "two_card_bonus_pays"),
            five_card_bonus_pays=self._five_card_bonus(),
            five_card_bonus_on_fold=self.five_card_bonus_on_fold,
            play_in_whole_antes=self.play_in_whole_antes,
        )

    def _five_card_bonus(self) -> Paytable[Any] | None:
        match self.five_card_bonus:
            case None:
                return None
            case PaytableText() as own:
                return own.like(FIVE_CARD_BONUSES[0], "five_card_bonus")
            case name if name in _FIVE_CARD_BONUSES:
                return _FIVE_CARD_BONUSES[name]
            case name:
                known = ", ".join(_FIVE_CARD_BONUSES)
                raise OptionError("five_card_bonus", f"{name!r} is not published; {known} are")


class BigDrawOptions(MoneyOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The house's options for Big Draw Poker."""

    first_5_needs_big_draw: bool = BIG_DRAW_HOUSE.first_5_needs_big_draw
    first_5_alone_least: Amount = BIG_DRAW_HOUSE.first_5_alone_least
    draw_big_draw_pays: PaytableText | None = None
    draw_first_5_pays: PaytableText | None = None
    deuces_big_draw_pays: PaytableText | None = None
    deuces_first_5_pays: PaytableText | None = None

    def house(self) -> BigDrawHouse:
        """The house that these options make, else OptionError."""
        published = BIG_DRAW_HOUSE
        return BigDrawHouse(
            money=self.money,
            first_5_needs_big_draw=self.first_5_needs_big_draw,
            first_5_alone_least=Cents(self.first_5_alone_least),
            draw_big_draw_pays=_own(self.draw_big_draw_pays, published.draw_big_draw_pays, "draw_big_draw_pays"),
            draw_first_5_pays=_own(self.draw_first_5_pays, published.draw_first_5_pays, "draw_first_5_pays"),
            deuces_big_draw_pays=_own(
                self.deuces_big_draw_pays, published.deuces_big_draw_pays, "deuces_big_draw_pays"
            ),
            deuces_first_5_pays=_own(self.deuces_first_5_pays, published.deuces_first_5_pays, "deuces_first_5_pays"),
        )
