"""Any value of a type of the journal's, by hypothesis."""

from __future__ import annotations

from dataclasses import Field
from typing import Any, TypeVar, get_type_hints

from hypothesis import strategies as st

from daemon.rules.house import House, options_of, scale_of
from daemon.rules.limits import Day, Limits, LimitSchedule, StakeRange
from daemon.rules.money import Breakage, Cents, MoneyRule
from daemon.rules.paytable_text import read_paytable
from daemon.table.games import PROCEDURES
from protocols.cards import DECK, Face, Misread

T = TypeVar("T")

CENTS = st.integers(1, 10**9).map(Cents)
st.register_type_strategy(Face, st.sampled_from((*DECK, *Misread)))
st.register_type_strategy(MoneyRule, st.builds(MoneyRule, CENTS, st.sampled_from(Breakage)))
st.register_type_strategy(StakeRange, st.builds(lambda least, step: StakeRange(least, None, step), CENTS, CENTS))
st.register_type_strategy(
    LimitSchedule,
    st.dictionaries(st.integers(0, 99_999).map(Day), st.builds(Limits), min_size=1, max_size=3).map(
        lambda dated: LimitSchedule(tuple(sorted(dated.items(), key=lambda day: day[0])))
    ),
)


def houses(kind: type[House]) -> st.SearchStrategy[House]:
    """Options of every kind but the money, which the journal leaves out; some with paytables of the house's own."""
    hints = get_type_hints(kind)
    simple = {option.name: st.from_type(hints[option.name]) for option in options_of(kind) if scale_of(option) is None}
    own = {option.name: paytables(option) for option in options_of(kind) if scale_of(option) is not None}
    return st.builds(kind, **simple, **own)


def paytables(option: Field[Any]) -> st.SearchStrategy[object]:
    """The default, or a paytable of the house's own that pays for every case alike."""
    scale = scale_of(option)
    assert scale is not None
    rows = {scale.spell(case): "3 to 2" for case in scale.cases}
    return st.sampled_from([option.default, read_paytable("ours", "filed", scale, rows)])


KINDS_OF_HOUSE = tuple(procedure.play.options for procedure in PROCEDURES.values())
for kind in KINDS_OF_HOUSE:
    st.register_type_strategy(kind, houses(kind))
st.register_type_strategy(House, st.one_of(*map(houses, KINDS_OF_HOUSE)))


def anything(cls: type[T]) -> st.SearchStrategy[T]:
    """Any value of this class, built from its annotations."""
    return st.from_type(cls)
