"""An audit for readers: tables for people, JSON for programs. Fractions stay exact in JSON, as text."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from daemon.rules.audit.report import Decision, GameAudit, RowAudit, WagerAudit

HASH_CHARACTERS: Final = 12
WAGERS_SHOWN_MAX: Final = 24
"""With more wagers than this an audit is a table of them, and their rows are left to JSON."""


def show(console: Console, audits: Iterable[GameAudit]) -> None:
    """Print audits as tables."""
    for audit in audits:
        console.print(Text(f"\n{audit.title}", style="bold"))
        for assumption in audit.assumptions:
            console.print(Padding(Text(f"· {assumption}"), (0, 0, 0, 2)))
        if len(audit.wagers) > WAGERS_SHOWN_MAX:
            console.print(_summaries(audit.wagers))
        else:
            for wager in audit.wagers:
                console.print(_wager(wager))
        if audit.decisions:
            console.print(f"\n{len(audit.decisions)} situations decided; --json has each, feltd advise any one.")


def _wager(wager: WagerAudit) -> RenderableType:
    if not wager.rows:
        return Group("", _title(wager), Text(_summary(wager), style="bold"))
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("row")
    table.add_column("pays")
    table.add_column("combinations", justify="right")
    table.add_column("probability", justify="right")
    table.add_column("returns", justify="right")
    for row in wager.rows:
        table.add_row(row.name, row.award, f"{row.ways:,}", f"{float(row.probability):.8f}", _net(row.returns))
    table.add_section()
    table.add_row("", "", f"{wager.total:,}", "", _net(wager.expectation))
    return Group("", _title(wager), table, Text(_summary(wager), style="bold"))


def _summaries(wagers: Iterable[WagerAudit]) -> RenderableType:
    """Return one line a wager, where there are so many that their rows would be a book."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("wager", "paytable", "for"):
        table.add_column(name)
    for name in ("house edge", "deviation", "hits"):
        table.add_column(name, justify="right")
    for wager in wagers:
        deviation = "" if wager.standard_deviation is None else f"{wager.standard_deviation:.4f}"
        hits = "" if wager.hits is None else _percent(wager.hits)
        table.add_row(wager.name, wager.paytable, wager.note, _percent(wager.house_edge), deviation, hits)
    return Group("", table, "\n--json has the rows of each, with combinations and probabilities.")


def _title(wager: WagerAudit) -> Text:
    title = Text(wager.name, style="bold").append(f"  {wager.paytable}", style="not bold")
    if wager.sha256:
        title.append(f"  {wager.sha256[:HASH_CHARACTERS]}", style="dim not bold")
    return title.append(f"  ({wager.note})", style="not bold") if wager.note else title


def _summary(wager: WagerAudit) -> str:
    parts = [f"house edge {_percent(wager.house_edge)}"]
    if wager.staked != 1:
        parts.append(f"element of risk {_percent(wager.element_of_risk)} of {float(wager.staked):.4f} staked")
    if wager.standard_deviation is not None:
        parts.append(f"standard deviation {wager.standard_deviation:.4f}")
    if wager.hits is not None:
        parts.append(f"hit frequency {_percent(wager.hits)}")
    return "   ".join(parts)


def _percent(share: Fraction) -> str:
    return f"{float(share * 100):.4f} %"


def _net(amount: Fraction) -> str:
    return f"{float(amount):+.8f}"


def as_json(audits: Iterable[GameAudit]) -> dict[str, object]:
    """Audits as plain values for JSON."""
    return {"games": [_game(audit) for audit in audits]}


def _game(audit: GameAudit) -> dict[str, object]:
    return {
        "game": audit.game.value,
        "title": audit.title,
        "assumptions": list(audit.assumptions),
        "wagers": [_wager_json(wager) for wager in audit.wagers],
        **({"decisions": [_decision(each) for each in audit.decisions]} if audit.decisions else {}),
    }


def _wager_json(wager: WagerAudit) -> dict[str, object]:
    return {
        "wager": wager.name,
        "paytable": wager.paytable,
        "paytable_sha256": wager.sha256,
        "note": wager.note,
        "combinations": wager.total,
        "expectation": exact(wager.expectation),
        "house_edge": exact(wager.house_edge),
        "staked": exact(wager.staked),
        "element_of_risk": exact(wager.element_of_risk),
        "variance": None if wager.variance is None else exact(wager.variance),
        "standard_deviation": wager.standard_deviation,
        "hit_frequency": None if wager.hits is None else exact(wager.hits),
        "rows": [_row(row) for row in wager.rows],
    }


def _row(row: RowAudit) -> dict[str, object]:
    return {
        "row": row.name,
        "award": row.award,
        "combinations": row.ways,
        "probability": exact(row.probability),
        "net": exact(row.net),
        "returns": exact(row.returns),
    }


def _decision(decision: Decision) -> dict[str, object]:
    worth = {choice: exact(value) for choice, value in decision.worth.items()}
    return {"situation": decision.situation, "alike": decision.alike, "best": decision.best, "worth": worth}


def exact(value: Fraction) -> dict[str, object]:
    """Return a fraction as it is, and as near as a float comes."""
    return {"exact": str(value), "decimal": float(value)}
