"""What `make bench` measured, as a page for a person and as JSON for the next run to be compared with.

A figure is worth something beside its floor in the same run: what the same work costs without feltd. The machine, its
load and the Python stand in the file, because a figure without them says nothing.

A bar is what a figure may be at most: its ratio where it has a floor, else its value. A run fails at a bar that held
before (`hold`). One that no version has reached yet is an aim (`aim`): the end of the run says which are missed.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import pytest

from daemon.clock import rfc3339, stamp

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "build" / "bench"


@dataclass(frozen=True, slots=True)
class Figure:
    """One speed, with the floor that stands beside it and the bar that it may not exceed."""

    name: str
    value: float
    unit: str
    floor: float | None
    ratio: float | None
    bar: float | None
    is_met: bool | None

    def __str__(self) -> str:
        floor = "" if self.ratio is None else f"   floor {self.floor:12,.2f}   ratio {self.ratio:6.2f}"
        bar = "" if self.bar is None else f"   bar {self.bar:,.2f} {'met' if self.is_met else 'MISSED'}"
        return f"{self.name:60} {self.value:12,.2f} {self.unit}{floor}{bar}"


@dataclass(slots=True)
class Figures:
    """All speeds of one run."""

    kept: list[Figure] = field(default_factory=list)

    def keep(self, name: str, value: float, unit: str, floor: float | None = None) -> None:
        """Print a figure beside its floor, and keep it."""
        self._add(name, value, unit, floor, bar=None)

    def aim(self, name: str, value: float, unit: str, floor: float | None = None, *, bar: float) -> None:
        """Keep a figure with a bar that may be missed."""
        self._add(name, value, unit, floor, bar)

    def hold(self, name: str, value: float, unit: str, floor: float | None = None, *, bar: float) -> None:
        """Keep a figure, and fail if it misses its bar."""
        figure = self._add(name, value, unit, floor, bar)
        assert figure.is_met, str(figure)

    def missed(self) -> list[Figure]:
        """Return the figures that miss their bars."""
        return [figure for figure in self.kept if figure.is_met is False]

    def _add(self, name: str, value: float, unit: str, floor: float | None, bar: float | None) -> Figure:
        ratio = value / floor if floor else None
        is_met = None if bar is None else (value if ratio is None else ratio) <= bar
        figure = Figure(name, value, unit, floor, ratio, bar, is_met)
        self.kept.append(figure)
        sys.stdout.write(f"\n{figure}\n")
        return figure


@pytest.fixture(scope="session")
def figures() -> Iterator[Figures]:
    """The figures of this run. They are in `build/bench` afterwards, one file a run."""
    began, load = stamp().utc_ns, os.getloadavg()
    figures = Figures()
    yield figures
    describe = ("git", "describe", "--always", "--dirty")
    commit = subprocess.run(describe, cwd=ROOT, capture_output=True, text=True, check=False)
    run = {
        "at": rfc3339(began),
        "commit": commit.stdout.strip(),
        "python": platform.python_version(),
        "machine": platform.machine(),
        "processors": len(os.sched_getaffinity(0)),
        "load_before": load,
        "load_after": os.getloadavg(),
        "figures": figures.kept,
    }
    KEPT.mkdir(parents=True, exist_ok=True)
    file = KEPT / f"{rfc3339(began)[:19].replace(':', '-')}.json"
    file.write_bytes(msgspec.json.format(msgspec.json.encode(run), indent=1))
    missed = "".join(f"\n  {figure}" for figure in figures.missed())
    sys.stdout.write(f"\n{len(figures.kept)} figures are in {file}\nMissed bars:{missed or ' none'}\n")
