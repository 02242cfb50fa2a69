"""How much may be bet, how much one deal may pay, and from which day.

Limits are configuration, because the rules behind them change by date: a `LimitSchedule` holds each set with
its first day, and a round plays under the set of the day on which its betting opened. A day is a number, so
that nothing here has to know a calendar.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from itertools import chain
from types import MappingProxyType
from typing import Any, Final, NewType

from daemon.rules.money import IN_JOURNALS, ONE_CENT, Breakage, Cents, MoneyRule, dollars
from daemon.rules.paytable import Odds, Paytable, net_exact
from daemon.rules.results import Objection, RefusalCode, Refused, WagerResult
from daemon.rules.wagers import Wager, WagerName
from protocols.frozen import dataclass

Day = NewType("Day", int)
"""Days since 1970-01-01 by the table's own calendar."""

WAGERS_A_HAND_MAX: Final = 6  # WAC 230-15-040
LARGE_WAGER_OVER: Final = Cents(500)  # the same, in its text of 2009
VERIFY_OVER: Final = Cents(300_000)  # WAC 230-15-320
AGGREGATE_ODDS: Final = Fraction(50)  # WAC 230-15-490


@dataclass(frozen=True, slots=True)
class StakeRange:
    """The least and most of one wager, and the step between stakes."""

    least: Cents = ONE_CENT
    most: Cents | None = None
    step: Cents = ONE_CENT

    def __post_init__(self) -> None:
        if self.least < 1 or self.step < 1 or (self.most is not None and self.most < self.least):
            raise ValueError(f"no stake can lie between {self.least} and {self.most} by steps of {self.step}")


@dataclass(frozen=True, slots=True)
class AggregateLimit:
    """The most that one deal may pay, over all players, on the odds of one wager.

    A row that pays less than 50 to 1 is paid in full and does not count, unless `shares_all`.
    """

    wager: WagerName
    most: Cents
    shares_all: bool = field(default=False, metadata={IN_JOURNALS: True})


@dataclass(frozen=True, slots=True)
class Limits:
    """One day's limits. Without a word from the house only what the rules themselves fix is checked."""

    stakes: Mapping[WagerName, StakeRange] = field(default_factory=lambda: MappingProxyType({}))
    authorised_most: Cents | None = None  # WAC 230-15-140
    wagers_max: int = WAGERS_A_HAND_MAX
    large_wagers_max: int | None = None
    aggregates: tuple[AggregateLimit, ...] = ()
    verify_over: Cents = VERIFY_OVER

    def range_of(self, wager: WagerName) -> StakeRange:
        """Return the wager's own range; any positive stake when the house set none."""
        return self.stakes.get(wager, StakeRange())

    def most_of(self, wager: WagerName) -> Cents | None:
        """Return the most of a single wager, by its own range and by law; None where neither ends it."""
        mosts = [most for most in (self.range_of(wager).most, self.authorised_most) if most is not None]
        return min(mosts, default=None)


NO_LIMITS: Final = Limits()


@dataclass(frozen=True, slots=True)
class LimitSchedule:
    """Limits by their first day, earliest first."""

    dated: tuple[tuple[Day, Limits], ...]

    def __post_init__(self) -> None:
        days = [day for day, _ in self.dated]
        if not days or days != sorted(set(days)):
            raise ValueError("limits need at least one first day, each day once, earliest first")

    def on(self, day: Day) -> Limits | None:
        """Return the limits of that day; None before the first one, when nothing may be played."""
        return next((limits for first, limits in reversed(self.dated) if first <= day), None)


def check_stake(
    wager: Wager, placed: Sequence[Wager], paytables: Sequence[Paytable[Any]], money: MoneyRule, limits: Limits
) -> Refused | None:
    """Return what every game asks of a bet when it is placed; `placed` are the hand's other bets."""
    objections = chain(
        _amount(wager, paytables, limits), _whole(wager, paytables, money), _number(wager, placed, limits)
    )
    return next(objections, None)


def _amount(wager: Wager, paytables: Sequence[Paytable[Any]], limits: Limits) -> Iterator[Refused]:
    name, stake, allowed = wager.name, wager.stake, limits.range_of(wager.name)
    if stake <= 0:
        yield Refused(RefusalCode.STAKE_NOT_POSITIVE, f"{name.value}: a stake is at least one cent", name)
    least = Cents(max([allowed.least, *(paytable.prize_stake_min for paytable in paytables)]))
    if stake < least:
        yield _bounded(RefusalCode.BELOW_LEAST, wager, least, "is below the least,")
    if allowed.most is not None and stake > allowed.most:
        yield _bounded(RefusalCode.ABOVE_MOST, wager, allowed.most, "is above the most,")
    if limits.authorised_most is not None and stake > limits.authorised_most:
        yield _bounded(RefusalCode.ABOVE_AUTHORISED, wager, limits.authorised_most, "is above the authorised")
    if stake % allowed.step:
        yield _bounded(RefusalCode.OFF_STEP, wager, allowed.step, "is not a multiple of")


def _bounded(code: RefusalCode, wager: Wager, bound: Cents, why: str) -> Refused:
    message = f"{wager.name.value}: {dollars(wager.stake)} {why} {dollars(bound)}"
    return Refused(code, message, wager.name, wager.stake, bound)


def _whole(wager: Wager, paytables: Sequence[Paytable[Any]], money: MoneyRule) -> Iterator[Refused]:
    name, stake = wager.name, wager.stake
    if stake % money.chip:
        message = f"{name.value}: {dollars(stake)} is not a number of {dollars(money.chip)} chips"
        yield Refused(RefusalCode.NOT_WHOLE_CHIPS, message, name, stake, money.chip)
    if money.breakage is not Breakage.EXACT:
        return
    for paytable in paytables:
        for row in paytable.rows:
            if not money.payable(net_exact(row.award, stake)):
                message = f"{name.value}: {row.name} at {row.award} on {dollars(stake)} is not a number of chips"
                yield Refused(
                    RefusalCode.CANNOT_BE_PAID_EXACTLY, message, name, stake, objection=Objection.NOT_PAID_IN_CHIPS
                )


def _number(wager: Wager, placed: Sequence[Wager], limits: Limits) -> Iterator[Refused]:
    name = wager.name
    if any((other.name, other.colour) == (wager.name, wager.colour) for other in placed):
        yield Refused(RefusalCode.ALREADY_PLACED, f"{name.value}: this hand has that wager already", name)
    if len(placed) + 1 > limits.wagers_max:
        message = f"{name.value}: at most {limits.wagers_max} wagers with one hand"
        yield Refused(RefusalCode.TOO_MANY_WAGERS, message, name, number=limits.wagers_max)
    large, most = sum(bet.stake > LARGE_WAGER_OVER for bet in (*placed, wager)), limits.large_wagers_max
    if most is not None and wager.stake > LARGE_WAGER_OVER and large > most:
        message = f"{name.value}: at most {most} wagers over {dollars(LARGE_WAGER_OVER)} with one hand"
        yield Refused(RefusalCode.TOO_MANY_LARGE_WAGERS, message, name, bound=LARGE_WAGER_OVER, number=most)


def aggregate_problem(
    limit: AggregateLimit, paytable: Paytable[Any], limits: Limits, spots: Sequence[WagerName]
) -> str | None:
    """Say why the law does not allow this aggregate limit, or return None.

    Its floor is reckoned with the highest wager of the game, whose spots these are, and not with that of its own wager.
    """
    name, top = limit.wager.value, paytable.top_odds
    if top < AGGREGATE_ODDS:
        return f"{name}: an aggregate limit needs odds of at least 50 to 1; {paytable.name} has {top} to 1"
    mosts = [limits.most_of(spot) for spot in spots]
    highest = [most for most in mosts if most is not None]
    if len(highest) < len(mosts):
        return f"{name}: an aggregate limit needs a most for each wager of the game"
    floor = max(highest) * min(top, AGGREGATE_ODDS)
    if limit.most < floor:
        return f"{name}: the aggregate limit is {dollars(limit.most)}; it must be at least {dollars(int(floor))}"
    return None


def share(most: Cents, prizes: Sequence[Cents], chip: Cents = ONE_CENT) -> tuple[Cents, ...]:
    """Return what each winner gets of prizes that are more than `most` together, in the order in which they were dealt.

    Shares are in proportion to the prizes, in whole chips; the chips that remain go to the largest remainders,
    and to the seat dealt first where those are equal.
    """
    total = sum(prizes)
    if total <= most:
        return tuple(prizes)
    chips = most // chip
    exact = [Fraction(chips * prize, total) for prize in prizes]
    whole = [portion.numerator // portion.denominator for portion in exact]
    by_remainder = sorted(range(len(prizes)), key=lambda seat: (whole[seat] - exact[seat], seat))
    for seat in by_remainder[: chips - sum(whole)]:
        whole[seat] += 1
    return tuple(Cents(count * chip) for count in whole)


def within_aggregate(
    limit: AggregateLimit, dealt_in_order: Sequence[WagerResult], paytable: Paytable[Any], chip: Cents = ONE_CENT
) -> tuple[WagerResult, ...]:
    """Return one deal's results for the limit's wager, cut to what the deal may pay. Fixed prizes are outside it."""
    counted = [_counts(result, paytable, limit) for result in dealt_in_order]
    prizes = [result.pays for result, counts in zip(dealt_in_order, counted, strict=True) if counts]
    shares = iter(share(limit.most, prizes, chip))
    return tuple(
        result.cut_to(next(shares)) if counts else result
        for result, counts in zip(dealt_in_order, counted, strict=True)
    )


def _counts(result: WagerResult, paytable: Paytable[Any], limit: AggregateLimit) -> bool:
    """Return whether a win at odds counts: if they are high enough. A loss, a push and a fixed prize do not."""
    return result.pays > 0 and result.decided_by is not None and row_counts(limit, paytable, result.decided_by.row)


def row_counts(limit: AggregateLimit, paytable: Paytable[Any], name: str | None) -> bool:
    """Return whether what a row pays counts towards the limit."""
    row = next((row for row in paytable.rows if row.name == name), None)
    if row is None or not isinstance(row.award, Odds):
        return False
    return limit.shares_all or row.award.to_one >= AGGREGATE_ODDS
