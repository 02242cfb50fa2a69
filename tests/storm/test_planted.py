"""The tester is tested: storms find each bug that is planted, and a plan that fails is shrunk to what it takes.

The judge finds it, an assertion of the table's own, or the journal.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from pathlib import Path

import pytest
from apsw import ConstraintError

from daemon.journal.errors import JournalBehindError
from tests.storm import planted
from tests.storm.faults import CRASH, UNPLUG, Fault
from tests.storm.planted import HARMFUL, HARMLESS, Plant
from tests.storm.shrinking import shrunk
from tests.storm.storm_table import storm

SEEDS_MAX = 12
FAULTS_A_GAME = 4
FOUND_BY: dict[Plant, int] = {
    planted.acknowledged_before_the_commit: 5,
    planted.cursor_before_the_acknowledgement: 7,
    planted.orders_not_repeated: 8,
    planted.receipts_forgotten_at_a_start: 5,
    planted.request_done_again: 10,
    planted.stake_lost_at_a_void: 2,
}
"""The seed that finds a bug soonest, if that is not the first. The others are tried if the product has changed."""
BUGS = [*((plant, True) for plant in HARMLESS), *((plant, False) for plant in HARMFUL)]


@pytest.mark.parametrize(("plant", "harmless"), BUGS, ids=[plant.__name__ for plant, _ in BUGS])
def test_a_planted_bug_is_found(plant: Plant, harmless: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    with pytest.raises((AssertionError, ConstraintError, JournalBehindError)) as found:  # noqa: PT012 - the judge, the table or the journal
        for seed in sorted(range(1, 1 + SEEDS_MAX), key=lambda seed: seed != FOUND_BY.get(plant, 1)):
            (directory := tmp_path / str(seed)).mkdir()
            storm(seed, directory, FAULTS_A_GAME, harmless=harmless)
    print(f"{plant.__name__}: seed {seed}: {type(found.value).__name__}: {found.value}")  # noqa: T201


def test_a_plan_that_fails_is_shrunk_to_the_faults_that_it_takes() -> None:
    numbers = count()
    plan = [Fault(float(next(numbers)), UNPLUG) for _ in range(20)]
    plan[7] = plan[16] = Fault(1.0, CRASH)
    runs = []

    def fails(tried: Sequence[Fault]) -> bool:
        runs.append(tried)
        return [fault.what for fault in tried].count(CRASH) == 2

    assert shrunk(plan, fails) == [Fault(1.0, CRASH)] * 2
    assert len(runs) < 60
    assert fails(shrunk(plan, fails, runs_max=3))


def test_a_storm_that_finds_something_is_shrunk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cent is lost whatever happens, so no fault is needed."""
    HARMLESS[4](monkeypatch)
    numbers = count()

    def fails(plan: Sequence[Fault]) -> bool:
        (directory := tmp_path / str(next(numbers))).mkdir()
        try:
            storm(1, directory, 0, plan=plan, harmless=True)
        except AssertionError:
            return True
        return False

    assert shrunk([Fault(1.0, UNPLUG, 1.0), Fault(1.0, CRASH), Fault(5.0, UNPLUG, 1.0)], fails) == []
