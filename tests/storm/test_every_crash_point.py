"""The process ends at each point of the straight line in two rounds, one after the other, and nothing differs.

Storms draw where a process ends. Here every place is tried: around each commit, answer, acknowledgement, command and
move of the cursor. Each time the rounds go on within a minute, and come to the same cards and amounts. `make storm`
tries every place; `make test` some.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

import pytest

from daemon.rules.wagers import GameName
from sim_hardware.loop import loop_ns, run
from tests.support.crash_points import CrashError, Point
from tests.support.virtual_table import House, Log, VirtualTable, reliable

ROUNDS: Final = 2
SEED: Final = 1
EVERY: Final = 1 if "FELTD_STORM" in os.environ else 131  # prime, so that each kind of point is met
STANDS_STILL_S: Final = 60.0
"""Longer than the machine takes to shuffle, and a start after it."""
RESULTS: Final = ("hand-settled", "fold-settled", "first-five-settled", "wager-taken", "round-settled", "round-voided")


class CrashingTable(VirtualTable):
    """A table whose process ends at the given point, counted from its first start."""

    def __init__(self, directory: Path, game: GameName, dies_at: int | None) -> None:
        super().__init__(directory, SEED, House({game: reliable(game)[0]}, seats=3), Log())
        self.reached = 0
        self._dies_at_number = dies_at

    def _reach(self, point: Point) -> None:
        self.reached += 1
        if self.reached == self._dies_at_number:
            raise CrashError(point)

    async def play(self) -> list[Any]:
        """Play the rounds, and return what they came to."""
        async with self.open():
            while self.log.tally.rounds < ROUNDS:
                heard, since_ns = len(self.log.heard), loop_ns()
                while len(self.log.heard) == heard:
                    await self.let_pass(1.0)
                    assert loop_ns() - since_ns < STANDS_STILL_S * 1e9, f"it stands still: {self.client.state['table']}"
        came = [(each.round_id, each.kind, {**each.data, "journal_hash": None}) for each in self.log.of(*RESULTS)]
        return [each for each in came if each[0] in {f"table1-{number}" for number in range(1, ROUNDS + 1)}]


def played(directory: Path, game: GameName, dies_at: int | None = None) -> tuple[list[Any], int]:
    """Return what the rounds come to, and how many points they came to."""
    directory.mkdir()

    async def play() -> tuple[list[Any], int]:
        table = CrashingTable(directory, game, dies_at)
        return await table.play(), table.reached

    return run(play(), SEED)


@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("game", GameName)
def test_wherever_the_process_ends_the_rounds_are_the_same(game: GameName, tmp_path: Path) -> None:
    sound, reached = played(tmp_path / "sound", game)
    assert {kind for _, kind, _ in sound} > {"round-settled"}
    for place in range(1, reached + 1, EVERY):
        came, _ = played(tmp_path / str(place), game, place)
        assert came == sound, f"killed at place {place} of {reached}"
