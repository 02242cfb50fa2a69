"""Big Raise Hold'em: what the limits leave of the Play bet, and so of the Ante.

Everybody who does not fold has the right to play two antes. So an Ante is refused where the limits would refuse that
bet beside what lies there already, and a side bet is refused that would take the right away. What is offered later is
cut to the limits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd, lcm
from typing import TYPE_CHECKING, Any, Final

from daemon.rules.big_raise_pays import MAIN
from daemon.rules.limits import LARGE_WAGER_OVER, Limits, check_stake
from daemon.rules.money import Cents, MoneyRule, dollars
from daemon.rules.paytable import Paytable
from daemon.rules.results import Objection, RefusalCode, Refused
from daemon.rules.wagers import Wager, WagerName
from protocols.frozen import dataclass

if TYPE_CHECKING:
    from daemon.rules.big_raise import BigRaiseHouse

PLAY_TIMES_LEAST: Final = 2
PLAY_TIMES_MOST: Final = 3
PLAY_TIMES_MOST_WITH_PAIR: Final = 4


@dataclass(frozen=True, slots=True)
class PlayRange:
    """What the Play bet may be, and in which steps from the least. The least is above the most if it may be nothing."""

    least: Cents
    most: Cents
    step: Cents
    with_pair: bool


@dataclass(frozen=True, slots=True)
class _AnteRange:
    """The Antes that two antes can follow; `most` is None where no limit ends them."""

    least: Cents
    most: Cents | None


def range_of_play(
    ante: Cents, house: BigRaiseHouse, limits: Limits, beside: Sequence[Wager], *, with_pair: bool
) -> PlayRange:
    """Return what rules and limits let the Play bet be, with a pair or without, beside the hand's other bets."""
    play = limits.range_of(WagerName.PLAY)
    step = lcm(play.step, house.money.chip, ante if house.play_in_whole_antes else 1)
    least = max(PLAY_TIMES_LEAST * ante, play.least)
    mosts = [(PLAY_TIMES_MOST_WITH_PAIR if with_pair else PLAY_TIMES_MOST) * ante]
    mosts += [most for most in (limits.most_of(WagerName.PLAY),) if most is not None]
    if limits.large_wagers_max is not None and _large(beside) >= limits.large_wagers_max:
        mosts.append(LARGE_WAGER_OVER)
    return PlayRange(Cents(least), Cents(least + (min(mosts) - least) // step * step), Cents(step), with_pair)


FOLD_PLAYS_NOTHING: Final = Refused(
    RefusalCode.ILLEGAL_ACTION,
    "play: a hand that folds makes no Play bet",
    WagerName.PLAY,
    objection=Objection.FOLD_PLAYS_NOTHING,
)
PLAY_NEEDS_STAKE: Final = Refused(
    RefusalCode.NEEDS_ANOTHER_WAGER,
    "play: a hand that plays needs the Play bet",
    WagerName.PLAY,
    objection=Objection.PLAY_NEEDS_STAKE,
)


def out_of_range(
    play: Wager, ante: Cents, plain: PlayRange, paired: PlayRange, *, in_whole_antes: bool = False
) -> Refused:
    """Return the refusal of a Play bet. Without whole Antes it is above the most, in the words for every hand."""
    it_is = f"{dollars(plain.least)} to {dollars(plain.most)}, with a pair up to {dollars(paired.most)}"
    return Refused(
        RefusalCode.OFF_STEP if in_whole_antes else RefusalCode.ABOVE_MOST,
        f"play: {dollars(play.stake)} on an Ante of {dollars(ante)}; it is {it_is}"
        + (", in whole Antes" if in_whole_antes else ""),
        play.name,
        play.stake,
        ante,
        objection=Objection.PLAY_BETWEEN_WHOLE if in_whole_antes else Objection.PLAY_BETWEEN,
        span=(plain.least, plain.most, paired.most),
    )


def right_to_play(
    wager: Wager, placed: Sequence[Wager], paytables: Sequence[Paytable[Any]], money: MoneyRule, limits: Limits
) -> Refused | None:
    """Return why no player could play two antes once this bet lies beside the others, or None.

    One of them is the Ante, and `paytables` are those that an Ante is paid by.
    """
    bets = [*placed, wager]
    ante = next(bet for bet in bets if bet.name is WagerName.ANTE)
    others = [bet for bet in bets if bet is not ante]
    play = Wager(WagerName.PLAY, Cents(PLAY_TIMES_LEAST * ante.stake))
    why = check_stake(play, [ante, *others], (MAIN,), money, limits)
    if why is None:
        return None
    message = f"{wager.name.value}: a Play bet of two antes could not follow it ({why.message})"
    taken = _antes_taken(others, paytables, money, limits) if wager is ante else None
    if wager is ante:
        message += ". No Ante is taken here" if taken is None else f". An Ante here is {_spell(taken)}"
    span = None if taken is None else (taken.least, taken.most, None)
    objection = Objection.NOT_FOLLOWED
    return Refused(RefusalCode.CANNOT_BE_FOLLOWED, message, wager.name, objection=objection, span=span, because=why)


def followed_in(wager: WagerName, limits: Limits) -> int:
    """Return the step of the stakes that can be followed: of Antes, two are a Play bet in its own step."""
    if wager is not WagerName.ANTE:
        return 1
    step = limits.range_of(WagerName.PLAY).step
    return step // gcd(step, PLAY_TIMES_LEAST)


def most_refused(paytables: Sequence[Paytable[Any]], money: MoneyRule, limits: Limits) -> str | None:
    """Return which Antes are refused only because no Play bet could follow them, or None."""
    taken, most = _antes_taken((), paytables, money, limits), limits.most_of(WagerName.ANTE)
    if taken is None:
        return "no Ante can be bet, because the limits refuse every Play bet of two antes"
    if taken.most is None or (most is not None and most <= taken.most):
        return None
    return f"an Ante over {dollars(taken.most)} is refused, because the limits refuse a Play bet of two such antes"


def _antes_taken(
    others: Sequence[Wager], paytables: Sequence[Paytable[Any]], money: MoneyRule, limits: Limits
) -> _AnteRange | None:
    """Return the Antes that two antes can follow beside these bets, or None if the limits leave none."""
    ante, play = limits.range_of(WagerName.ANTE), limits.range_of(WagerName.PLAY)
    step = lcm(ante.step, money.chip, followed_in(WagerName.ANTE, limits))
    prizes = [paytable.prize_stake_min for paytable in paytables]
    least = -(-max(ante.least, *prizes, -(-play.least // PLAY_TIMES_LEAST)) // step) * step
    most = min(_mosts(others, limits), default=None)
    if len(others) + 2 > limits.wagers_max or (most is not None and most < least):
        return None
    return _AnteRange(Cents(least), None if most is None else Cents(most // step * step))


def _mosts(others: Sequence[Wager], limits: Limits) -> Iterator[Cents]:
    """Yield each limit that ends an Ante, by itself or by its two antes of Play."""
    for wager, times in ((WagerName.ANTE, 1), (WagerName.PLAY, PLAY_TIMES_LEAST)):
        most = limits.most_of(wager)
        if most is not None:
            yield Cents(most // times)
    if limits.large_wagers_max is not None:
        left = limits.large_wagers_max - _large(others)
        if left < 1:
            yield Cents(LARGE_WAGER_OVER // PLAY_TIMES_LEAST)
        elif left == 1:  # it is Play's
            yield LARGE_WAGER_OVER


def _large(bets: Sequence[Wager]) -> int:
    return sum(bet.stake > LARGE_WAGER_OVER for bet in bets)


def _spell(taken: _AnteRange) -> str:
    least = dollars(taken.least)
    return f"{least} or more" if taken.most is None else f"{least} to {dollars(taken.most)}"
