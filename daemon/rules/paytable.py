"""Paytables as data: which row a hand falls in, and what that row awards.

A wager looks at the cards and sees one *case*: "full house", "pair of nines", "total 37". All the cases that
a wager can see, best first, are its `Scale`. A paytable is rows over a scale; a row takes the cases it names
that no row above it has taken, so "jacks or better" above "eights or better" means what a player would read.
Because cases are few and listed, a paytable can be proven: no row is unreachable, rows follow the scale,
nothing on a complete scale is left without an answer, and its exact return is one sum over counted cases.

A paytable's hash covers everything that can change an amount or what the amount is called. Two paytables
with one hash pay alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from hashlib import sha256
from types import MappingProxyType
from typing import Final, Generic, TypeAlias, TypeVar, assert_never

from daemon.rules.money import DOLLAR, Cents, dollars
from protocols.frozen import dataclass

CaseT = TypeVar("CaseT")

LOSS: Final = Fraction(-1)


@dataclass(frozen=True, slots=True)
class Odds:
    """So many stakes to the player: 3/2 is "3 to 2", 0 a push, -1/2 half the stake lost, -1 all of it."""

    to_one: Fraction

    def __str__(self) -> str:
        if self.to_one == LOSS:
            return "lose"
        if self.to_one < 0:
            return f"lose {-self.to_one}"
        return f"{self.to_one.numerator} to {self.to_one.denominator}" if self.to_one else "push"


@dataclass(frozen=True, slots=True)
class Prize:
    """A fixed amount whatever the stake, and the stake goes back as well."""

    cents: Cents
    stake_min: Cents = DOLLAR  # big-draw.md, rulings

    def __str__(self) -> str:
        return f"prize {dollars(self.cents)} from {dollars(self.stake_min)}"


Award: TypeAlias = Odds | Prize


def to_one(odds: Fraction | int) -> Odds:
    """Odds as paytables print them."""
    return Odds(Fraction(odds))


def net_exact(award: Award, stake: Cents) -> Fraction:
    """Return what the award is worth to the player beyond the stake, before any rounding."""
    match award:
        case Odds(to_one=odds):
            return stake * odds
        case Prize(cents=cents):
            return Fraction(cents)
        case _:
            assert_never(award)


@dataclass(frozen=True, slots=True)
class Scale(Generic[CaseT]):
    """Every case that a wager can see, best first. On a `complete` scale each case needs a row; else it loses.

    `groups` are the names that documents have for several cases at once: ``jacks or better``, ``10-19``.
    """

    name: str
    cases: tuple[CaseT, ...]
    spell: Callable[[CaseT], str]
    complete: bool = False
    groups: Mapping[str, tuple[CaseT, ...]] = field(default_factory=lambda: MappingProxyType({}), repr=False)

    def named(self) -> dict[str, tuple[CaseT, ...]]:
        """Return every name that a row can have here, and the cases that it means."""
        return {self.spell(case): (case,) for case in self.cases} | dict(self.groups)


@dataclass(frozen=True, slots=True)
class Row(Generic[CaseT]):
    """One line of a paytable, by the name that its document gives it."""

    name: str
    covers: tuple[CaseT, ...]
    award: Award


class PaytableInvalidError(ValueError):
    """An invalid paytable. `problems` lists every fault."""

    def __init__(self, name: str, problems: Sequence[str]) -> None:
        super().__init__(f"paytable {name!r}: " + "; ".join(problems))
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class Paytable(Generic[CaseT]):
    """A proven paytable; it cannot be made from rows that `problems_of` finds fault with."""

    name: str
    source: str
    scale: Scale[CaseT] = field(repr=False)
    rows: tuple[Row[CaseT], ...] = field(repr=False)
    sha256: str = field(init=False, repr=False)  # in hex some digits read like a card
    _row_by_case: Mapping[CaseT, Row[CaseT]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        problems = problems_of(self.scale, self.rows)
        if problems:
            raise PaytableInvalidError(self.name, problems)
        taken = {case: row for row in reversed(self.rows) for case in row.covers}
        object.__setattr__(self, "_row_by_case", MappingProxyType(taken))
        object.__setattr__(self, "sha256", sha256(self.text().encode()).hexdigest())

    def row_for(self, case: CaseT) -> Row[CaseT] | None:
        """Return the row that a hand is paid by; None loses."""
        return self._row_by_case.get(case)

    def award_for(self, case: CaseT) -> Award:
        """Return what a hand is paid; a case without a row loses."""
        row = self._row_by_case.get(case)
        return row.award if row else Odds(LOSS)

    def cases_of(self, row: Row[CaseT]) -> tuple[CaseT, ...]:
        """Return the cases that a row takes in the end, without those of the rows above it."""
        return tuple(case for case in row.covers if self._row_by_case[case] is row)

    def text(self) -> str:
        """Return the canonical text: what the hash is made of, and readable beside the document."""
        lines = [f"paytable {self.name}", f"source {self.source}", f"scale {self.scale.name}"]
        lines += [f"{row.name} | {', '.join(map(self.scale.spell, row.covers))} | {row.award}" for row in self.rows]
        return "\n".join(lines) + "\n"

    @property
    def top_odds(self) -> Fraction:
        """Return the best odds-based award; 0 when there is none."""
        return max((row.award.to_one for row in self.rows if isinstance(row.award, Odds)), default=Fraction(0))

    @property
    def prize_stake_min(self) -> Cents:
        """Return the least stake with which every fixed prize can be won; 0 when there is none."""
        return max((row.award.stake_min for row in self.rows if isinstance(row.award, Prize)), default=Cents(0))


def problems_of(scale: Scale[CaseT], rows: Sequence[Row[CaseT]]) -> tuple[str, ...]:
    """Everything that is wrong with rows over a scale, in sentences; nothing when they make a paytable."""
    place = {case: number for number, case in enumerate(scale.cases)}
    return (*_misnamed(rows), *_unaccountable(scale, rows, place), *_gaps(scale, rows))


def _misnamed(rows: Sequence[Row[CaseT]]) -> Iterator[str]:
    if not rows:
        yield "it has no row"
    names = [row.name for row in rows]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"row {name!r} is there more than once"
    for row in rows:
        if isinstance(row.award, Odds) and row.award.to_one < LOSS:
            yield f"row {row.name!r} would take more than the stake"
        if isinstance(row.award, Prize) and row.award.cents <= 0:
            yield f"row {row.name!r} has a prize of nothing"


def _unaccountable(scale: Scale[CaseT], rows: Sequence[Row[CaseT]], place: Mapping[CaseT, int]) -> Iterator[str]:
    """Cases off the scale, rows that nothing reaches, rows out of order."""
    taken: set[CaseT] = set()
    last = -1
    for row in rows:
        for case in row.covers:
            if case not in place:
                yield f"row {row.name!r} names {case!r}, which is not on the scale of {scale.name}"
        fresh = [place[case] for case in row.covers if case in place and case not in taken]
        if not fresh:
            yield f"row {row.name!r} can never be reached: the rows above it take all of its hands"
            continue
        if min(fresh) < last:
            yield f"row {row.name!r} is out of order: it has better hands than the row above it"
        last = max(fresh)
        taken.update(row.covers)


def _gaps(scale: Scale[CaseT], rows: Sequence[Row[CaseT]]) -> Iterator[str]:
    if not scale.complete:
        return
    covered = {case for row in rows for case in row.covers}
    missing = [scale.spell(case) for case in scale.cases if case not in covered]
    if missing:
        yield f"no row answers for {', '.join(missing)}"
