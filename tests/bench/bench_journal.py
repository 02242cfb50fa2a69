"""The journal beside its floor: the same bytes committed to the same disk by SQLite alone, in the same run."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from time import perf_counter

import apsw

from daemon.journal.journal import Journal
from tests.bench.conftest import Figures
from tests.journal.values import dispensed, step

EVENTS = 3_000
FACTS = 3
BODY_BYTES = 250  # about what a record takes in the file
APPEND_RATIO_MAX = 2.5


def _percentile_us(seconds: list[float], per_cent: int) -> float:
    return sorted(seconds)[len(seconds) * per_cent // 100] * 1e6


def _in_turn(path: Path, bare: Path, body: str) -> tuple[list[float], list[float]]:
    """Time an append and a bare commit in turn, so that both meet the same disk."""
    appends, commits = [], []
    with closing(Journal.open(path, create=True)) as journal, closing(apsw.Connection(str(bare))) as db:
        db.pragma("journal_mode", "WAL")
        db.pragma("synchronous", "FULL")
        db.transaction_mode = "IMMEDIATE"
        db.execute("CREATE TABLE t (n INTEGER PRIMARY KEY, body TEXT)")
        for number in range(1, EVENTS + 1):
            event, came_to = dispensed(number), step(FACTS)
            began = perf_counter()
            journal.append(event, came_to)
            appended = perf_counter()
            with db:
                db.execute("INSERT INTO t (body) VALUES (?)", (body,))
            commits.append(perf_counter() - appended)
            appends.append(appended - began)
    return appends, commits


def test_append_beside_a_bare_commit(tmp_path: Path, figures: Figures) -> None:
    path = tmp_path / "table.journal"
    ours, floor = _in_turn(path, tmp_path / "floor", "x" * BODY_BYTES)
    bytes_an_event = path.stat().st_size // EVENTS
    for per_cent in (50, 99):
        name = f"append with {FACTS} facts, {bytes_an_event} bytes, p{per_cent}, beside a bare commit"
        figures.keep(name, _percentile_us(ours, per_cent), "us", _percentile_us(floor, per_cent))
    assert BODY_BYTES / 2 < bytes_an_event < BODY_BYTES * 2
    figures.hold("appends, beside bare commits", sum(ours), "s", sum(floor), bar=APPEND_RATIO_MAX)


def test_start_and_replay(tmp_path: Path, figures: Figures) -> None:
    path = tmp_path / "table.journal"
    with closing(Journal.open(path, create=True)) as filled:
        for number in range(1, EVENTS + 1):
            filled.append(dispensed(number), step(FACTS))
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
    figures.keep(f"open a journal and read {events} events behind its last round", opened * 1e3, "ms")
    figures.keep("replay", events / replayed, "events/s")
    figures.keep("read facts", facts / read, "facts/s")
    assert events == EVENTS
