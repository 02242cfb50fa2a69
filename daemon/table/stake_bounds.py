"""Within which bounds a stake is taken, found by asking whether single stakes are.

Limits, chips and exact payment give a grid of stakes. Where the game has a condition more (an Ante has to leave room
for the Play bet), the bounds are narrower: what is taken of the grid is one run of it, and its ends are searched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import lcm
from typing import Final

from daemon.rules.house import AMOUNT_MOST
from daemon.rules.limits import Limits
from daemon.rules.money import Breakage, MoneyRule
from daemon.rules.paytable import CaseT, Odds, Paytable
from daemon.rules.results import RefusalCode
from daemon.rules.wagers import WagerName
from daemon.table.draft import Refusal
from daemon.table.offers import Bounds

_STEPS_TRIED: Final = 64
_MENDED_BY_ANOTHER_STAKE: Final = (RefusalCode.BELOW_LEAST.value, RefusalCode.CANNOT_BE_FOLLOWED.value)


def bounds(allowed: Bounds, refusal: Callable[[int], Refusal | None]) -> Bounds | None:
    """Return what is taken of the stakes `allowed` by limits, or None if no stake is. `refusal` answers for one."""
    step, first, last = allowed.step, allowed.least // allowed.step, (allowed.most or AMOUNT_MOST) // allowed.step
    refused = refusal(first * step)
    if refused is not None and refused.code not in _MENDED_BY_ANOTHER_STAKE:
        return None

    def is_taken(number: int) -> bool:
        return refusal(number * step) is None

    taken = next((number for number in _tries(first, last) if is_taken(number)), None)
    if taken is None:
        return None
    least, most = _end(taken, first, is_taken), _end(taken, last, is_taken)
    ends_somewhere = most < last or allowed.most is not None
    return Bounds(least * step, most * step if ends_somewhere else None, step)


def by_limits(
    wager: WagerName, paytables: Sequence[Paytable[CaseT]], money: MoneyRule, limits: Limits, followed_in: int
) -> Bounds:
    """Return the stakes that limits, chips and exact payment leave for this bet, whatever lies beside it.

    `followed_in` is the game's own step for it: that of the stakes that a later bet can follow.
    """
    exact = (_exact_step(table, money) for table in paytables)
    step = lcm(limits.range_of(wager).step, money.chip, followed_in, *exact)
    least, most = (
        max([limits.range_of(wager).least, *(table.prize_stake_min for table in paytables)]),
        limits.most_of(wager),
    )
    return Bounds(-(-least // step) * step, None if most is None else most // step * step, step)


def _exact_step(paytable: Paytable[CaseT], money: MoneyRule) -> int:
    """Return the step of the stakes that a house without breakage can pay by every row."""
    if money.breakage is not Breakage.EXACT:
        return 1
    odds = (row.award.to_one for row in paytable.rows if isinstance(row.award, Odds))
    return lcm(*(_paid_in_chips(each, money.chip) for each in odds))


def _paid_in_chips(odds: Fraction, chip: int) -> int:
    """Return the least stake of which these odds are a whole number of chips."""
    return (Fraction(chip) / odds).numerator if odds else 1


def _tries(first: int, last: int) -> Iterator[int]:
    """Places of the grid at which to look for one that is taken: the ends, doublings, and even parts between."""
    if first > last:
        return
    yield first
    yield last
    yield from (first << power for power in range((last // max(first, 1)).bit_length()) if first << power <= last)
    yield from (first + (last - first) * part // _STEPS_TRIED for part in range(_STEPS_TRIED))


def _end(taken: int, end: int, is_taken: Callable[[int], bool]) -> int:
    """Return the last place towards `end` that is taken, from one that is."""
    if end == taken or is_taken(end):
        return end
    refused = end
    while abs(refused - taken) > 1:
        middle = (taken + refused) // 2
        taken, refused = (middle, refused) if is_taken(middle) else (taken, middle)
    return taken
