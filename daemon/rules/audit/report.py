"""What an audit says of one wager, and of one game.

Everything is per stake of one and exact. `ways` are whole numbers out of `total`, which is whatever the wager's
own enumeration counts in; probabilities are their quotients.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import sqrt
from typing import TypeVar

from daemon.rules.money import Cents
from daemon.rules.paytable import LOSS, Odds, Paytable, net_exact
from daemon.rules.wagers import GameName
from protocols.frozen import dataclass

CaseT = TypeVar("CaseT")

NO_ROW = "(no row)"


@dataclass(frozen=True, slots=True)
class RowAudit:
    """One row: what it awards, how often it comes, and its net to a stake of one when it does."""

    name: str
    award: str
    ways: int
    total: int
    net: Fraction

    @property
    def probability(self) -> Fraction:
        return Fraction(self.ways, self.total)

    @property
    def returns(self) -> Fraction:
        """Return what the row contributes to the expectation."""
        return self.net * self.probability


@dataclass(frozen=True, slots=True)
class WagerAudit:
    """One wager's exact return.

    `square` is the mean of the squared net, `hits` how often the player gets more back than was staked, and
    `staked` the mean of all stakes for a first stake of one: above one in a game with a raise.
    Where only the mean is known there are no rows, and `square` and `hits` are None.
    """

    name: str
    paytable: str
    sha256: str | None
    total: int
    rows: tuple[RowAudit, ...]
    expectation: Fraction
    square: Fraction | None
    hits: Fraction | None
    staked: Fraction = Fraction(1)
    note: str = ""

    @property
    def house_edge(self) -> Fraction:
        """Return what the house keeps of the first stake, in the mean."""
        return -self.expectation

    @property
    def element_of_risk(self) -> Fraction:
        """Return what the house keeps of all that is staked, in the mean."""
        return -self.expectation / self.staked

    @property
    def variance(self) -> Fraction | None:
        return None if self.square is None else self.square - self.expectation**2

    @property
    def standard_deviation(self) -> float | None:
        return None if self.variance is None else sqrt(self.variance)


@dataclass(frozen=True, slots=True)
class Decision:
    """What a player's choices are worth in one situation, per first stake, and how many situations are like it."""

    situation: str
    alike: int
    worth: Mapping[str, Fraction]
    best: str


@dataclass(frozen=True, slots=True)
class GameAudit:
    """One game's wagers, what was assumed to compute them, and the decisions that they rest on where they are few."""

    game: GameName
    title: str
    assumptions: tuple[str, ...]
    wagers: tuple[WagerAudit, ...]
    decisions: tuple[Decision, ...] = ()


def audit_paytable(
    name: str, paytable: Paytable[CaseT], counts: Mapping[CaseT, int], stake: Cents, note: str = ""
) -> WagerAudit:
    """Return the audit of a paytable over counted cases, at a stake that needs no rounding."""
    total = sum(counts.values())
    return audit_rows(name, tuple(_rows(paytable, counts, stake, total)), paytable.name, paytable.sha256, note)


def _rows(paytable: Paytable[CaseT], counts: Mapping[CaseT, int], stake: Cents, total: int) -> list[RowAudit]:
    rows = [
        RowAudit(
            name=row.name,
            award=str(row.award),
            ways=sum(counts[case] for case in paytable.cases_of(row)),
            total=total,
            net=net_exact(row.award, stake) / stake,
        )
        for row in paytable.rows
    ]
    unpaid = sum(count for case, count in counts.items() if paytable.row_for(case) is None)
    return [*rows, RowAudit(NO_ROW, str(Odds(LOSS)), unpaid, total, LOSS)] if unpaid else rows


def audit_rows(
    name: str,
    rows: tuple[RowAudit, ...],
    paytable: str,
    sha256: str | None,
    note: str = "",
    *,
    nets: Mapping[Fraction, int] | None = None,
    staked: Fraction = Fraction(1),
) -> WagerAudit:
    """Return the audit that rows amount to. `nets` are the ways to every net where one row has several."""
    spread = nets if nets is not None else nets_of(rows)
    total = sum(spread.values())
    return WagerAudit(
        name=name,
        paytable=paytable,
        sha256=sha256,
        total=rows[0].total,
        rows=rows,
        expectation=sum((net * ways for net, ways in spread.items()), Fraction(0)) / total,
        square=sum((net * net * ways for net, ways in spread.items()), Fraction(0)) / total,
        hits=Fraction(sum(ways for net, ways in spread.items() if net > 0), total),
        staked=staked,
        note=note,
    )


def nets_of(rows: Iterable[RowAudit]) -> Counter[Fraction]:
    """Return the ways to every net of rows that have one each."""
    spread: Counter[Fraction] = Counter()
    for row in rows:
        spread[row.net] += row.ways
    return spread
