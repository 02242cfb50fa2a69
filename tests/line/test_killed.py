"""The daemon killed at any point of a round, and started again: the round goes on, and nothing settles twice.

The daemon is ended with SIGKILL as the subscriber hears a certain event, and a while after. The emulated shuffler
keeps its events, the broker keeps the commands, the journal keeps the rest: the rounds are those of the same seed
without a kill.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from daemon.journal.journal import Journal
from daemon.tools.bench.process import DaemonEndedError
from tests.line.at_the_bench import WAIT_S_MAX, BenchTable, bench, is_whole, results

ROUNDS = 3
KILLS_AT_RANDOM = 40 if "FELTD_SOAK" in os.environ else 4


async def killed_and_started(table: BenchTable) -> None:
    """SIGKILL, and the next start on the same journal."""
    daemon = table.world.daemon
    assert await daemon.end(signal.SIGKILL) == -signal.SIGKILL
    await daemon.start()


@pytest.fixture(scope="module")
def sound_results(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, list[str]]]:
    """What the seed comes to when nobody kills anything."""

    async def play() -> list[tuple[str, list[str]]]:
        async with bench(tmp_path_factory.mktemp("sound")) as table:
            await table.rounds(ROUNDS)
        return results(table, range(1, ROUNDS + 1))

    return asyncio.run(play())


POINTS = [
    "round-opened",
    "bet-placed",
    "betting-closed",
    "hand-dealt",
    "hand-delivered",
    "remainder-collected",
    "deck-accounted",
    "hand-settled",
    "round-settled",
    "deck-shuffled",
]


@pytest.mark.parametrize("point", POINTS)
async def test_killed_at_a_point_of_a_round_it_goes_on(
    point: str, tmp_path: Path, sound_results: list[tuple[str, list[str]]]
) -> None:
    async with bench(tmp_path) as table:
        await table.rounds(1)
        heard_before = table.kinds().count(point)
        await table.until(lambda: table.kinds().count(point) > heard_before)
        await killed_and_started(table)
        await table.rounds(ROUNDS)
    is_whole(table)
    assert results(table, range(1, ROUNDS + 1)) == sound_results


@pytest.mark.parametrize("order", ["Dispense", "EjectRemainder"])
async def test_killed_between_acknowledgement_and_order_the_order_is_given_by_the_next_start(
    order: str, tmp_path: Path, sound_results: list[tuple[str, list[str]]]
) -> None:
    """The device will not say the event again, so nothing but the journal knows that an order is due."""
    async with bench(tmp_path) as table:
        daemon = table.world.daemon
        feltd = daemon.program
        await table.rounds(1)
        await daemon.end(signal.SIGKILL)
        daemon.program = (sys.executable, "-m", "tests.line.dies_before_ordering", order)
        await daemon.start()
        with pytest.raises(DaemonEndedError, match=f"status -{signal.SIGKILL.value}"):
            await asyncio.wait_for(daemon.watch(), WAIT_S_MAX)
        daemon.program = feltd
        await daemon.start()
        await table.rounds(ROUNDS)
    is_whole(table)
    assert results(table, range(1, ROUNDS + 1)) == sound_results


@pytest.mark.soak
async def test_killed_at_random_again_and_again_it_goes_on(tmp_path: Path) -> None:
    seed = int(os.environ.get("FELTD_SEED", "20261118"))
    chance = Random(seed)
    async with bench(tmp_path) as table:
        await table.rounds(1)
        for _ in range(KILLS_AT_RANDOM):
            goal = (table.tally.last_sequence or 0) + chance.randint(1, 60)
            await table.until(lambda goal=goal: (table.tally.last_sequence or 0) >= goal)  # type: ignore[misc]
            await killed_and_started(table)
        await table.rounds(table.tally.rounds + 2)
    print(f"FELTD_SEED={seed}")  # noqa: T201
    is_whole(table)
    assert "round-voided" not in table.kinds()


async def test_asked_to_end_between_rounds_it_plays_the_round_to_its_end(
    tmp_path: Path, sound_results: list[tuple[str, list[str]]]
) -> None:
    async with bench(tmp_path) as table:
        await table.until(lambda: "hand-dealt" in table.kinds())
        assert await table.world.daemon.end(signal.SIGUSR1) == 0
        with closing(Journal.open(tmp_path / "journal.db", create=False)) as journal:
            said = [fact.kind for fact in journal.facts_after(0, 10_000)]
        await table.world.daemon.start()
        await table.rounds(ROUNDS)
    assert "stop-waits-for-the-round" in table.world.daemon.log.read_text(encoding="utf-8")
    assert said.count("round-settled") == said.count("betting-closed") >= 1
    assert results(table, range(1, ROUNDS + 1)) == sound_results
    is_whole(table)
