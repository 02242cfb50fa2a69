"""What `make bench` measured, as a page for a person and as JSON for the next run to be compared with.

A figure is worth something beside its floor in the same run: what the same work costs without feltd. The machine, its
load and the Python stand in the file, because a figure without them says nothing.
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
    """One speed, and the floor or the limit that stands beside it."""

    name: str
    value: float
    unit: str
    floor: float | None
    ratio: float | None


@dataclass(slots=True)
class Figures:
    """All speeds of one run."""

    kept: list[Figure] = field(default_factory=list)

    def keep(self, name: str, value: float, unit: str, floor: float | None = None) -> None:
        """Print a figure beside its floor, and keep it."""
        ratio = None if not floor else value / floor
        self.kept.append(Figure(name, value, unit, floor, ratio))
        beside = "" if ratio is None else f"   floor {floor:12,.2f}   ratio {ratio:6.2f}"
        sys.stdout.write(f"\n{name:60} {value:12,.2f} {unit}{beside}\n")


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
    sys.stdout.write(f"\n{len(figures.kept)} figures are in {file}\n")
