"""A report for a technician, and for a program."""

from __future__ import annotations

from typing import Final

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from daemon.tools.selftest.checks import Check, Measure, Report, Verdict
from protocols.felt_link.requirements import REQUIREMENTS

_WORDS: Final = {
    Verdict.PASSED: Text("passed", style="green"),
    Verdict.FAILED: Text("FAILED", style="bold red"),
    Verdict.NOT_APPLICABLE: Text("n/a", style="dim"),
    Verdict.LEFT_OUT: Text("left out", style="yellow"),
}


def show(report: Report, screen: Console) -> None:
    """Print a row for each check: what was found, what was measured, and what to do if it failed."""
    heading = f"{report.device} at {report.address}, {report.profile}"
    if (who := report.identity) is not None:
        heading += f": {who.model}, serial number {who.serial}, firmware {who.firmware}"
    screen.print(Text(heading))
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("check", "verdict", "found"):
        table.add_column(title)
    for check in report.checks:
        table.add_row(check.name, _WORDS[check.verdict], _found(check))
    screen.print(table)
    if report.requirements:
        screen.print(_of_the_specification(report))
    words = {
        Verdict.PASSED: "passed",
        Verdict.FAILED: "failed",
        Verdict.LEFT_OUT: "left out",
        Verdict.NOT_APPLICABLE: "not applicable",
    }
    screen.print(Text(", ".join(f"{report.count(verdict)} {word}" for verdict, word in words.items())))


def as_json(report: Report) -> str:
    """Return one object, with the figures of a check under their names."""
    document = msgspec.to_builtins(report)
    for check in document["checks"] + document["requirements"]:
        check["measured"] = {measure["name"]: measure["value"] for measure in check["measured"]}
    document["counts"] = {verdict.value: report.count(verdict) for verdict in Verdict}
    return msgspec.json.encode(document).decode()


def _of_the_specification(report: Report) -> Table:
    """Return a row for each numbered requirement: what a device must do, and what was found if it does not."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("number", "verdict", "a device must"):
        table.add_column(title)
    texts = {one.number: one.text for one in REQUIREMENTS}
    for check in report.requirements:
        must = Text(texts[check.name])
        if check.said:
            must.append(f"\n{check.said}", style="cyan")
        if check.remedy:
            must.append(f"\n{check.remedy}", style="bold")
        table.add_row(check.name, _WORDS[check.verdict], must)
    return table


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
