"""Storms by seed: link, shuffler, cable, door and the daemon go wrong, and the invariants hold throughout.

While it blows: no event twice or missing, no hand settled that never lay in the tray, no round settled twice, every
round's money balanced. Afterwards: the table plays on by itself, and replaying its journal makes the same table.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from daemon.journal.journal import Journal
from daemon.recovery import recover, replayed
from sim_hardware.loop import run
from tests.storm.sea import Sea

LONG = "FELTD_STORM" in os.environ
FIRST = int(os.environ.get("FELTD_SEED", "1"))
SEEDS = range(FIRST, FIRST + (200 if LONG else 6))
GUSTS = 40


@pytest.mark.parametrize("seed", SEEDS)
def test_a_storm(seed: int, tmp_path: Path) -> None:
    sea = run(_blown(tmp_path, seed), seed)
    ends = Counter(heard.round_id for heard in sea.log.heard if heard.kind in ("round-settled", "round-voided"))
    assert max(ends.values()) == 1, f"seed {seed}: a round ended twice: {ends.most_common(1)}"
    assert sea.log.tally.holes == sea.log.tally.unbalanced == 0, f"seed {seed}"
    opened = sea.log.tally.kinds["round-opened"]
    assert 0 <= opened - sum(ends.values()) <= 1, f"seed {seed}: {opened} opened, {sum(ends.values())} ended"
    print(f"seed {seed}: {sea.log.lives} lives, {dict(sea.log.tally.kinds)}")  # noqa: T201


async def _blown(directory: Path, seed: int) -> Sea:
    sea = Sea(directory, seed)
    await sea.blow(GUSTS)
    return sea


def test_the_same_seed_is_the_same_storm(tmp_path: Path) -> None:
    def heard(directory: Path) -> list[tuple[int, str]]:
        directory.mkdir()
        return [(each.sequence, each.kind) for each in run(_blown(directory, FIRST), FIRST).log.heard]

    assert heard(tmp_path / "one") == heard(tmp_path / "two")


def test_the_journal_of_a_storm_replays_to_the_same_table(tmp_path: Path) -> None:
    run(_blown(tmp_path, FIRST), FIRST)
    journal = Journal.open(tmp_path / "journal.db", create=False)
    started, from_the_first = recover(journal), replayed(journal, None, 0)
    journal.close()
    assert started is not None
    assert started == from_the_first
