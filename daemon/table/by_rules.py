"""What the rules and the limits refuse, as the table says it: by the names on the felt, and with fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from daemon.rules.results import RefusalCode, Refused
from daemon.rules.wagers import WagerName
from daemon.table.draft import Refusal
from daemon.table.offers import Bounds
from daemon.table.said import Clause, Said, SaidId

_OF_LIMITS: Final = frozenset(
    {
        RefusalCode.STAKE_NOT_POSITIVE,
        RefusalCode.BELOW_LEAST,
        RefusalCode.ABOVE_MOST,
        RefusalCode.ABOVE_AUTHORISED,
        RefusalCode.OFF_STEP,
        RefusalCode.NOT_WHOLE_CHIPS,
        RefusalCode.ALREADY_PLACED,
        RefusalCode.TOO_MANY_WAGERS,
        RefusalCode.TOO_MANY_LARGE_WAGERS,
    }
)
"""What every game's limits refuse. The sentence has the same name as the code."""
_OF_GAMES: Final = (RefusalCode.COLOUR_MISSING, RefusalCode.COLOUR_NOT_NAMED_HERE, RefusalCode.NOT_OFFERED)
"""What some games refuse, each for the same reason."""
_WITHOUT_NUMBERS: Final = (RefusalCode.STAKE_NOT_POSITIVE, RefusalCode.ALREADY_PLACED, *_OF_GAMES)


def refused_by_rules(refused: Refused) -> Refusal:
    """Return what the rules refuse as the table's refusal."""
    if refused.wager is None:
        return Refusal(refused.code.value, _why(refused))
    return Refusal(refused.code.value, Said(SaidId.ON_SPOT, spot=refused.wager, because=tuple(_whys(refused))))


def _whys(refused: Refused) -> Iterator[Clause]:
    yield _why(refused)
    if refused.because is not None:
        yield _why(refused.because)
        if refused.span is not None:
            yield Clause(SaidId.ANTES_FOLLOWED, bounds=_bounds(refused))
        elif refused.wager is WagerName.ANTE:
            yield Clause(SaidId.NO_ANTE_FOLLOWED)


def _why(refused: Refused) -> Clause:
    if refused.objection is not None:
        return _objection(refused, SaidId(refused.objection.value))
    if refused.needs is not None:
        return Clause(SaidId.NEEDS_ANOTHER_WAGER, spot=refused.needs)
    has_numbers = refused.bound is not None or refused.number is not None
    if refused.code in (*_OF_LIMITS, *_OF_GAMES) and (has_numbers or refused.code in _WITHOUT_NUMBERS):
        said = SaidId(refused.code.value)
        return Clause(said, count=refused.number, cents=refused.bound, seen_cents=refused.stake)
    name = "" if refused.wager is None else f"{refused.wager.value}: "
    return Clause(SaidId.IN_ITS_WORDS, text=refused.message.removeprefix(name))


def _objection(refused: Refused, said: SaidId) -> Clause:
    return Clause(
        said,
        count=refused.number,
        cents=refused.bound,
        seen_cents=refused.stake,
        bounds=_bounds(refused),
        word=refused.word,
        text=refused.detail,
    )


def _bounds(refused: Refused) -> Bounds | None:
    if refused.span is None:
        return None
    least, most, paired = refused.span
    return Bounds(least, most, 1, paired)
