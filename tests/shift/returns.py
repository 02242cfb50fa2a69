"""What wagers came to, beside what the audit says that they come to.

Theory of operation. Three things are compared for each wager, all from the audit's exact counts.

What a row pays: every result must pay, to a stake of one, exactly what the audit's row of that name nets. A wrong
paytable is found by the first hand that meets the wrong row, however little it is wrong by.

How often a row comes: the count X of a row of probability p in n independent deals is binomial, and by Bernstein's
inequality P(|X - np| >= t) <= 2 exp(-t^2 / (2 (np(1 - p) + t/3))). The bound t is where that is as likely as a normal
variable beyond `Z` standard deviations, about one in 150,000. Unlike a normal bound it is also right for a royal flush.

The mean: within `Z` standard deviations of the exact one, sigma / sqrt(n), with sigma from the audit.

The deals must be independent, so of each deal one hand counts: those of one deck and one dealer are not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import erfc, log, sqrt
from typing import Final

from daemon.rules.audit.report import NO_ROW, RowAudit, WagerAudit

Z: Final = 4.5
_LOG: Final = log(2 / erfc(Z / sqrt(2)))


@dataclass(slots=True)
class Came:
    """What one wager came to so far."""

    wagers: int = 0
    net: Fraction = Fraction(0)
    rows: Counter[str] = field(default_factory=Counter)
    paid: dict[str, set[Fraction]] = field(default_factory=dict)


@dataclass(slots=True)
class Tally:
    """Every wager by its name in the audit."""

    came: dict[str, Came] = field(default_factory=dict)

    def note(self, name: str, stake_cents: int, pays_cents: int, row: str | None) -> None:
        """One result."""
        came, net, named = self.came.setdefault(name, Came()), Fraction(pays_cents, stake_cents), row or NO_ROW
        came.wagers += 1
        came.net += net
        came.rows[named] += 1
        came.paid.setdefault(named, set()).add(net)

    def differs(self, audits: Iterable[WagerAudit]) -> list[str]:
        """Every way in which what came is not what the audit says; nothing is said of wagers that nobody made."""
        return [what for audit in audits if audit.name in self.came for what in _differs(self.came[audit.name], audit)]


def _differs(came: Came, audit: WagerAudit) -> Iterator[str]:
    yield from _unknown_rows(came, audit)
    for row in audit.rows:
        yield from _wrong_pay(came, audit.name, row)
        yield from _wrong_frequency(came, audit.name, row)
    yield from _wrong_mean(came, audit)


def _unknown_rows(came: Came, audit: WagerAudit) -> Iterator[str]:
    for name in came.rows.keys() - {row.name for row in audit.rows}:
        yield f"{audit.name}: row {name} came {came.rows[name]} times and is not in the audit"


def _wrong_pay(came: Came, wager: str, row: RowAudit) -> Iterator[str]:
    wrong = came.paid.get(row.name, set()) - {row.net}
    if wrong:
        yield f"{wager}: row {row.name} paid {', '.join(map(str, sorted(wrong)))}, the audit says {row.net}"


def _wrong_frequency(came: Came, wager: str, row: RowAudit) -> Iterator[str]:
    expected, seen = came.wagers * float(row.probability), came.rows[row.name]
    bound = frequency_bound(came.wagers, float(row.probability))
    if abs(seen - expected) > bound:
        yield f"{wager}: row {row.name} came {seen} times of {came.wagers}, expected {expected:.1f} within {bound:.1f}"


def frequency_bound(wagers: int, probability: float) -> float:
    """How far a count may lie from what is expected, by Bernstein's inequality solved for t."""
    spread = wagers * probability * (1 - probability)
    return _LOG / 3 + sqrt((_LOG / 3) ** 2 + 2 * _LOG * spread)


def _wrong_mean(came: Came, audit: WagerAudit) -> Iterator[str]:
    if audit.standard_deviation is None:
        return
    mean, bound = float(came.net) / came.wagers, mean_bound(audit, came.wagers)
    if abs(mean - float(audit.expectation)) > bound:
        exact = float(audit.expectation)
        yield f"{audit.name}: {mean:+.5f} in the mean of {came.wagers}, the audit says {exact:+.5f} within {bound:.5f}"


def mean_bound(audit: WagerAudit, wagers: int) -> float:
    """How far a mean may lie from the exact one."""
    assert audit.standard_deviation is not None
    return Z * audit.standard_deviation / sqrt(wagers)


def summary(tally: Tally, audits: Mapping[str, WagerAudit]) -> str:
    """For the reader of a long run: what came, beside what was to come."""
    lines = []
    for name, came in sorted(tally.came.items()):
        audit = audits.get(name)
        exact = "not compared" if audit is None else f"exact {float(audit.expectation):+.5f}"
        within = "" if audit is None or audit.square is None else f" within {mean_bound(audit, came.wagers):.5f}"
        lines.append(f"{name:40} {came.wagers:9,} wagers  mean {float(came.net) / came.wagers:+.5f}  {exact}{within}")
    return "\n".join(lines)
