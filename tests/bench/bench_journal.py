"""The journal beside its floor: the same bytes committed to the same disk by SQLite alone, in the same run."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from time import perf_counter

import apsw

from daemon.journal.journal import Journal
from tests.journal.values import dispensed, step

EVENTS = 3_000
FACTS = 3


def _say(*lines: str) -> None:
    sys.stdout.writelines(f"{line}\n" for line in ("", *lines))


def _percentiles(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    p50, p99 = ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100]
    return f"p50 {p50 * 1e6:7.0f} us   p99 {p99 * 1e6:7.0f} us"


def _appends(path: Path) -> list[float]:
    taken = []
    with closing(Journal.open(path, create=True)) as journal:
        for number in range(1, EVENTS + 1):
            event, came_to = dispensed(number), step(FACTS)
            began = perf_counter()
            journal.append(event, came_to)
            taken.append(perf_counter() - began)
    return taken


def _commits(path: Path, body: str) -> list[float]:
    taken = []
    with closing(apsw.Connection(str(path))) as db:
        db.pragma("journal_mode", "WAL")
        db.pragma("synchronous", "FULL")
        db.transaction_mode = "IMMEDIATE"
        db.execute("CREATE TABLE t (n INTEGER PRIMARY KEY, body TEXT)")
        for _ in range(EVENTS):
            began = perf_counter()
            with db:
                db.execute("INSERT INTO t (body) VALUES (?)", (body,))
            taken.append(perf_counter() - began)
    return taken


def test_append_beside_a_bare_commit(tmp_path: Path) -> None:
    path = tmp_path / "table.journal"
    ours = _appends(path)
    bytes_an_event = path.stat().st_size // EVENTS
    floor = _commits(tmp_path / "floor", "x" * bytes_an_event)
    _say(
        f"append an event with {FACTS} facts, {bytes_an_event} bytes on the disk",
        f"  journal      {_percentiles(ours)}",
        f"  bare commit  {_percentiles(floor)}",
        f"  ratio of the means {sum(ours) / sum(floor):.2f}",
    )
    assert sum(ours) < 4 * sum(floor)


def test_start_and_replay(tmp_path: Path) -> None:
    path = tmp_path / "table.journal"
    _appends(path)
    began = perf_counter()
    journal = Journal.open(path, create=False)
    opened = perf_counter() - began
    with closing(journal):
        began = perf_counter()
        events = sum(1 for _ in journal.replay(0))
        replayed = perf_counter() - began
        began = perf_counter()
        facts = len(journal.facts_after(0, EVENTS * FACTS))
        read = perf_counter() - began
    _say(
        f"start on {events} events: {opened * 1e3:.1f} ms with SQLite's quick check",
        f"replay {events / replayed:,.0f} events/s, read {facts / read:,.0f} facts/s",
    )
    assert events == EVENTS
