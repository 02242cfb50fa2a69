"""Storms by seed: links, devices, cable, door, process and supervisor go wrong, and the invariants hold throughout.

Each storm plays every game, from devices that it draws. Meanwhile: no event twice or missing, no hand settled with a
card that lies nowhere, no round settled twice, every round's money balanced. Afterwards: the table plays on by itself,
and replaying its journal makes the same table.
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from daemon.tools.bench.games import GAMES
from sim_hardware.loop import run
from tests.storm.faults import schedule
from tests.storm.storm_table import StormTable, house
from tests.support.virtual_table import reliable

LONG = "FELTD_STORM" in os.environ
FIRST = int(os.environ.get("FELTD_SEED", "1"))
SEEDS = range(FIRST, FIRST + (200 if LONG else 6))
FAULTS_A_GAME = 10 if LONG else 7


def storm(seed: int, directory: Path, faults_a_game: int = FAULTS_A_GAME) -> StormTable:
    """Play the storm of this seed."""
    chance = Random(seed)
    furnished = house(chance)
    drawn = schedule(chance, furnished.deals, faults_a_game)

    async def played() -> StormTable:
        table = StormTable(directory, seed, furnished)
        await table.run(drawn)
        return table

    return run(played(), seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_storm(seed: int, tmp_path: Path) -> None:
    table = storm(seed, tmp_path)
    ends, tally = table.log.ends(), table.log.tally
    print(f"seed {seed}: {table.log.lives} lives, {dict(table.house.deals)}, {dict(tally.kinds)}")  # noqa: T201
    assert max(ends.values()) == 1, f"seed {seed}: a round ended twice: {ends.most_common(1)}"
    assert tally.holes == tally.unbalanced == 0, f"seed {seed}"
    opened = tally.kinds["round-opened"]
    assert 0 <= opened - sum(ends.values()) <= 1, f"seed {seed}: {opened} opened, {sum(ends.values())} ended"


def test_the_same_seed_is_the_same_storm(tmp_path: Path) -> None:
    def heard(directory: Path) -> list[tuple[int, str]]:
        directory.mkdir()
        return [(each.sequence, each.kind) for each in storm(FIRST, directory, faults_a_game=2).log.heard]

    assert heard(tmp_path / "one") == heard(tmp_path / "two")


def test_storms_play_every_game_from_each_kind_of_device_that_can_deal_it() -> None:
    furnished = [house(Random(seed)).deals for seed in range(200)]
    for game in GAMES:
        assert {deals[game] for deals in furnished} == set(reliable(game))
