"""What a round of each game takes of the disk, of five players in virtual time: `-s` prints the figures.

The long shift holds the goal over all games together: 10 kB a round. A round of Big Draw has twice the records of a
round of Big 50, because each packet, its removal and each answer of the machine is one. So each game has its bound.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from daemon.journal.creation import create
from daemon.rules.wagers import GameName
from daemon.tools.bench.games import GAMES
from sim_hardware.loop import run
from tests.support.virtual_table import House, Log, VirtualTable

SEATS: Final = 5
PLAYED_S: Final = 900.0
BYTES_A_ROUND_MAX: Final = {
    GameName.BIG_50: 6_500,
    GameName.BIG_RAISE: 9_500,
    GameName.BIG_DRAW: 10_000,
    GameName.BLACKJACK: 6_500,
}
ALL_GAMES_MAX: Final = 10_000


async def rounds_of(game: GameName, directory: Path) -> int:
    table = VirtualTable(directory, 1, House({game: GAMES[game].profiles[0]}, SEATS, 1.0), Log())
    async with table.open():
        await table.let_pass(PLAYED_S)
        await table.close()
    return table.log.tally.rounds


def bytes_a_round(game: GameName, directory: Path) -> int:
    directory.mkdir()
    new = directory / "new.db"
    create(new)
    rounds = run(rounds_of(game, directory), 1)
    assert rounds > 10
    grown = (directory / "journal.db").stat().st_size - new.stat().st_size
    print(f"{game.value}: {rounds} rounds of {SEATS} players, {grown // rounds} bytes a round")  # noqa: T201
    return grown // rounds


@pytest.mark.timeout(300)
@pytest.mark.long
def test_a_round_takes_no_more_of_the_disk_than_it_may(tmp_path: Path) -> None:
    found = {game: bytes_a_round(game, tmp_path / game.value) for game in GAMES}
    assert {game: taken for game, taken in found.items() if taken > BYTES_A_ROUND_MAX[game]} == {}
    assert sum(found.values()) / len(found) < ALL_GAMES_MAX
