"""The daemon killed inside its system calls, each time another one: the rounds are those that nobody disturbed.

strace ends it with SIGKILL inside its Nth write to the journal, sync of the journal, write to the tty or send to the
broker. Cards and amounts are then those of the same seed without a kill: nothing is lost, settled twice, or settled
otherwise. `make soak` plays 500 rounds over all games.
"""

from __future__ import annotations

import asyncio
import os
import select
import signal
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from daemon.rules.wagers import GameName
from daemon.tools.bench.games import GAMES
from daemon.tools.bench.process import DaemonEndedError
from drivers.transports.holders import holders
from tests.line.at_the_bench import WAIT_S_MAX, BenchTable, Table, bench, nothing_settled_twice
from tests.support.strace import injecting

IS_LONG = "FELTD_SOAK" in os.environ
ROUNDS = 125 if IS_LONG else 3
ROUNDS_BETWEEN_KILLS = 5
CALLS = {"a write to the journal": "pwrite64", "a sync": "fdatasync", "a write to the tty": "write", "a send": "sendto"}
CALLS_OF_A_START = {"pwrite64": 10, "fdatasync": 2, "write": 1, "sendto": 3}
"""About so many come before the table plays on. A kill among them is worth less than one in a round."""


Came = list[tuple[str, str, Any]]
"""What rounds came to: the round, what was settled, and cards and amounts."""


async def killed_inside(table: BenchTable, call: str, number: int) -> bool:
    """Start the daemon again under strace, wait for its end, and start it as it is. False if it was not killed soon."""
    daemon = table.world.daemon
    plain = daemon.program
    await daemon.end(signal.SIGKILL)
    tty = table.rig.address.removeprefix("serial:")
    strace = injecting(call, f"signal=KILL:when={number}", tty if call == "write" else None)
    daemon.program = (*strace, *plain)
    await daemon.start()
    daemon.program = plain
    goal = table.tally.rounds + ROUNDS_BETWEEN_KILLS
    over = asyncio.create_task(table.rounds(goal))
    ended = asyncio.create_task(daemon.watch())
    try:
        await asyncio.wait((over, ended), return_when=asyncio.FIRST_COMPLETED, timeout=WAIT_S_MAX)
        is_killed = ended.done()
        if is_killed:
            with pytest.raises(DaemonEndedError, match=f"status -{signal.SIGKILL.value}"):
                ended.result()
        else:
            await daemon.end(signal.SIGKILL)
    finally:
        for task in (over, ended):
            task.cancel()
            with suppress(asyncio.CancelledError, DaemonEndedError, AssertionError):
                await task
    await daemon.start()
    return is_killed


def amounts(table: Table, rounds: Iterable[int]) -> Came:
    """Round by round: every hand's cards with what each wager came to, and what the round came to."""
    wanted = {f"table1-{number}" for number in rounds}
    found: Came = []
    for heard in table.heard:
        if heard.round_id not in wanted:
            continue
        if heard.kind in ("hand-settled", "fold-settled", "first-five-settled", "wager-taken"):
            found.append((heard.round_id, f"{heard.kind} {heard.data.get('seat')}", _came_to(heard.data)))
        elif heard.kind in ("round-settled", "round-voided"):
            found.append((heard.round_id, heard.kind, {k: v for k, v in heard.data.items() if k.endswith("_cents")}))
    return sorted(found, key=repr)


def _came_to(data: dict[str, Any]) -> tuple[Any, ...]:
    wagers = data["wagers"] if "wagers" in data else [data["wager"]]
    return data.get("cards"), [(each["wager"], each["stake_cents"], each["pays_cents"], each["row"]) for each in wagers]


def playing(game: GameName) -> dict[str, Any]:
    """The bench's settings for a game and the first device that deals it."""
    return {"game": game, "profile": GAMES[game].profiles[0], "decks": GAMES[game].decks}


async def undisturbed(directory: Path, game: GameName) -> Came:
    """What the game's rounds come to when nobody kills anything."""
    async with bench(directory, **playing(game)) as table:
        await table.rounds(ROUNDS)
    return amounts(table, range(1, ROUNDS + 1))


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Came:
    return asyncio.run(undisturbed(tmp_path_factory.mktemp("sound"), GameName.BIG_50))


def expect_the_same(table: BenchTable, sound: Came) -> None:
    nothing_settled_twice(table)
    table.sequence_is_whole()
    table.every_round_balances()
    assert amounts(table, range(1, ROUNDS + 1)) == sound


KILLS = [("pwrite64", 61), ("fdatasync", 17), ("write", 9), ("sendto", 40)]


@pytest.mark.parametrize(("call", "number"), KILLS, ids=list(CALLS))
async def test_killed_inside_a_call_it_goes_on_as_if_nothing_had_been(
    call: str, number: int, tmp_path: Path, sound: Came
) -> None:
    async with bench(tmp_path, **playing(GameName.BIG_50)) as table:
        await table.rounds(1)
        assert await killed_inside(table, call, number)
        await table.rounds(max(ROUNDS, table.tally.rounds + 1))  # the last start is up before it is ended
    expect_the_same(table, sound)


async def test_a_daemon_that_is_not_killed_inside_a_call_ends_with_its_strace(tmp_path: Path) -> None:
    """One that ran on took the place of every later table whose broker came up at its port."""
    async with bench(tmp_path, **playing(GameName.BIG_50)) as table:
        daemon = table.world.daemon
        await table.rounds(1)
        await daemon.end(signal.SIGKILL)
        plain, daemon.program = daemon.program, (*injecting("pwrite64", "signal=KILL:when=60000"), *daemon.program)
        await daemon.start()
        await table.rounds(table.tally.rounds + 1)
        [traced] = holders((tmp_path / "journal.db.lock").resolve())
        watched = os.pidfd_open(traced.pid)
        try:
            await daemon.end(signal.SIGKILL)
            assert select.select([watched], [], [], WAIT_S_MAX)[0]
        finally:
            os.close(watched)
        daemon.program = plain
        await daemon.start()
        await table.rounds(table.tally.rounds + 1)


@pytest.mark.soak
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("game", GameName)
async def test_killed_inside_calls_again_and_again_no_amount_changes(
    game: GameName, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    seed = int(os.environ.get("FELTD_SEED", "20261118"))
    chance, kills = Random(seed), 0
    sound = await undisturbed(tmp_path_factory.mktemp("sound"), game)
    async with bench(tmp_path, **playing(game)) as table:
        await table.rounds(1)
        while table.tally.rounds < ROUNDS:
            call = chance.choice(list(CALLS.values()))
            kills += await killed_inside(table, call, CALLS_OF_A_START[call] + chance.randint(1, 150))
        await table.rounds(table.tally.rounds + 1)
    print(f"FELTD_SEED={seed}: {kills} kills in {table.tally.rounds} rounds of {game.value}")  # noqa: T201
    expect_the_same(table, sound)
