"""What the rules and the limits refuse, as the table says it: by the names on the felt, and with fields."""

from __future__ import annotations

from typing import Final

from daemon.rules.results import RefusalCode, Refused
from daemon.table.draft import Refusal
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
_WITHOUT_NUMBERS: Final = (RefusalCode.STAKE_NOT_POSITIVE, RefusalCode.ALREADY_PLACED)


def refused_by_rules(refused: Refused) -> Refusal:
    """Return what the rules refuse as the table's refusal. A sentence of one game's rules stays as they say it."""
    if refused.wager is None:
        return Refusal(refused.code.value, Clause(SaidId.IN_ITS_WORDS, text=refused.message))
    return Refusal(refused.code.value, Said(SaidId.ON_SPOT, spot=refused.wager, because=(_why(refused),)))


def _why(refused: Refused) -> Clause:
    assert refused.wager is not None, "it is about a spot"
    has_numbers = refused.bound is not None or refused.number is not None
    if refused.code in _OF_LIMITS and (has_numbers or refused.code in _WITHOUT_NUMBERS):
        said = SaidId(refused.code.value)
        return Clause(said, count=refused.number, cents=refused.bound, seen_cents=refused.stake)
    return Clause(SaidId.IN_ITS_WORDS, text=refused.message.removeprefix(f"{refused.wager.value}: "))
