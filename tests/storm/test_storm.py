"""Storms by seed: links, devices, cable, door, process, disk, clock and supervisor go wrong, and the invariants hold.

Each storm plays every game, from devices that it draws. Meanwhile: no event twice or missing, no hand settled with a
card that lies nowhere, no round settled twice, every round's money balanced. Afterwards: the table plays on by itself,
and replaying its journal makes the same table.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from random import Random

import pytest

from daemon.tools.bench.games import GAMES
from tests.storm import faults
from tests.storm.faults import Fault
from tests.storm.shrinking import shrunk
from tests.storm.storm_table import StormTable, house, plan_of, storm
from tests.support.virtual_table import reliable

LONG = "FELTD_STORM" in os.environ
FIRST = int(os.environ.get("FELTD_SEED", "1"))
SEEDS = range(FIRST, FIRST + (200 if LONG else 1))
FAULTS_A_GAME = 10 if LONG else 7


def played(seed: int, directory: Path, *, harmless: bool = False) -> StormTable:
    """Play a storm. In `make storm` the plan of one that finds something is shrunk, and stands with what it found."""
    plan = plan_of(seed, FAULTS_A_GAME, harmless=harmless)
    tries = count()

    def fails(tried: Sequence[Fault]) -> bool:
        (own := directory / f"try-{next(tries)}").mkdir()
        try:
            storm(seed, own, FAULTS_A_GAME, harmless=harmless, plan=tried)
        except AssertionError:
            return True
        return False

    try:
        return storm(seed, directory, FAULTS_A_GAME, harmless=harmless)
    except AssertionError as found:
        found.add_note(f"seed {seed}, harmless={harmless}")
        if LONG:
            found.add_note("\n".join(map(repr, ["it takes:", *shrunk(plan, fails)])))
        raise


@pytest.mark.timeout(1200 if LONG else 600)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_storm(seed: int, tmp_path: Path) -> None:
    table = played(seed, tmp_path)
    ends, tally = table.log.ends(), table.log.tally
    print(f"seed {seed}: {table.log.lives} lives, {dict(table.house.deals)}, {dict(tally.kinds)}")  # noqa: T201
    assert max(ends.values()) == 1, f"seed {seed}: a round ended twice: {ends.most_common(1)}"
    assert tally.holes == tally.unbalanced == 0, f"seed {seed}"
    opened = tally.kinds["round-opened"]
    assert 0 <= opened - sum(ends.values()) <= 1, f"seed {seed}: {opened} opened, {sum(ends.values())} ended"


@pytest.mark.timeout(1200 if LONG else 600)
@pytest.mark.parametrize("seed", SEEDS)
def test_links_broker_process_disk_and_clock_disturb_no_round(seed: int, tmp_path: Path) -> None:
    """Devices keep their events, the journal keeps what was taken: no round is irregular, void, or stands still."""
    table = played(seed, tmp_path, harmless=True)
    assert table.log.tally.kinds["round-settled"] > 10, f"seed {seed}"


def test_the_same_seed_is_the_same_storm(tmp_path: Path) -> None:
    def heard(directory: Path) -> list[tuple[int, str]]:
        directory.mkdir()
        return [(each.sequence, each.kind) for each in storm(FIRST, directory, 2).log.heard]

    assert heard(tmp_path / "one") == heard(tmp_path / "two")


def test_a_clock_that_is_set_raises_no_alert(tmp_path: Path) -> None:
    """Forward and back, over days, in every game."""
    plan: list[Fault] = []
    for game in house(Random(FIRST)).deals:
        plan += [Fault(1.0, faults.CHANGE, game=game)] if plan else []
        plan += [Fault(after_s, faults.CLOCK, 0.1) for after_s in (5.0, 8.0, 13.0)]
    log = storm(FIRST, tmp_path, 0, plan=plan, harmless=True).log
    assert log.of("alert-raised") == []
    assert log.tally.kinds["round-settled"] > len(GAMES)


def test_storms_play_every_game_from_each_kind_of_device_that_can_deal_it() -> None:
    furnished = [house(Random(seed)).deals for seed in range(200)]
    for game in GAMES:
        assert {deals[game] for deals in furnished} == set(reliable(game))
