"""A report as a technician reads it, and as a program does."""

from __future__ import annotations

from typing import Final

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from daemon.tools.selftest.checks import Check, Measure, Report, Verdict

_WORDS: Final = {
    Verdict.PASSED: Text("passed", style="green"),
    Verdict.FAILED: Text("FAILED", style="bold red"),
    Verdict.NOT_APPLICABLE: Text("n/a", style="dim"),
    Verdict.LEFT_OUT: Text("left out", style="yellow"),
}


def show(report: Report, screen: Console) -> None:
    """A row a check: what was found, under it what was measured, and under that what to do where it failed."""
    screen.print(Text(_who(report)))
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("check", "verdict", "found"):
        table.add_column(title)
    for check in report.checks:
        table.add_row(check.name, _WORDS[check.verdict], _found(check))
    screen.print(table)
    screen.print(Text(_sum(report)))


def as_json(report: Report) -> str:
    """One object; the figures of a check under their names."""
    document = msgspec.to_builtins(report)
    for check in document["checks"]:
        check["measured"] = {measure["name"]: measure["value"] for measure in check["measured"]}
    document["counts"] = {verdict.value: report.count(verdict) for verdict in Verdict}
    return msgspec.json.encode(document).decode()


def _who(report: Report) -> str:
    where = f"{report.device} at {report.address}, {report.profile}"
    who = report.identity
    return where if who is None else f"{where}: {who.model}, serial number {who.serial}, firmware {who.firmware}"


def _found(check: Check) -> Text:
    found = Text(check.said)
    if check.measured:
        found.append(f"\n{', '.join(map(_figure, check.measured))}", style="cyan")
    if check.remedy:
        found.append(f"\n{check.remedy}", style="bold")
    return found


def _figure(measure: Measure) -> str:
    *words, unit = measure.name.split("_")
    return f"{' '.join(words)} {measure.value:g} {unit}"


def _sum(report: Report) -> str:
    words = {Verdict.PASSED: "passed", Verdict.FAILED: "failed", Verdict.LEFT_OUT: "left out"}
    said = ", ".join(f"{report.count(verdict)} {word}" for verdict, word in words.items())
    return f"{said}, {report.count(Verdict.NOT_APPLICABLE)} not applicable"
