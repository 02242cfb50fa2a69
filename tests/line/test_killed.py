"""The daemon killed at any point of a round, and started again: the round goes on, and nothing settles twice.

The daemon is a process of its own, ended with SIGKILL as the subscriber hears a certain event, and a while after. The
emulated shuffler keeps its events, the broker keeps the commands, the journal keeps the rest: the rounds are those of
the same seed without a kill.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random

import pytest

from daemon.bench.broker import BenchBroker, BrokerKind, broker
from daemon.bench.client import connected
from daemon.bench.world import SITE, TABLE, World, configuration, machine
from daemon.mqtt.topics import Topics
from sim_hardware.ports import PtyPort
from sim_hardware.shuffler_rig import ShufflerRig
from tests.line.at_the_bench import Table, results, settings

ROUNDS = 3
STARTED_WITHIN_S_MAX = 20.0
KILLS_AT_RANDOM = 40 if "FELTD_SOAK" in os.environ else 4


class Daemon:
    """`feltd run` as a process."""

    def __init__(self, config: Path) -> None:
        self._config = config
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        program = (sys.executable, "-m", "daemon", "run", "--config", str(self._config))
        with (self._config.parent / "feltd.out").open("ab") as out:
            self._process = await asyncio.create_subprocess_exec(*program, stdout=out, stderr=out)

    async def end(self, number: signal.Signals) -> int:
        assert self._process is not None
        with suppress(ProcessLookupError):
            self._process.send_signal(number)
        return await self._process.wait()

    async def killed_and_started(self) -> None:
        assert await self.end(signal.SIGKILL) == -signal.SIGKILL
        await self.start()


@asynccontextmanager
async def table_with_a_process(directory: Path) -> AsyncIterator[tuple[Table, Daemon]]:
    """The usual bench, but the daemon is a process that can be killed."""
    asked, topics = settings(directory), Topics(SITE, TABLE)
    async with (
        broker(BrokerKind.MOSQUITTO, directory) as running,
        connected(running.port, Topics(SITE, TABLE)) as client,
    ):
        rig = ShufflerRig(machine(asked), PtyPort(directory / "shuffler"))
        await rig.start()
        daemon = Daemon(configuration(asked, running.port, rig.address))
        await daemon.start()
        nothing: asyncio.Task[None] = asyncio.create_task(asyncio.sleep(0))
        table = Table(World(asked, BenchBroker("Mosquitto", running.port), rig, client, topics, nothing))
        playing = asyncio.create_task(table.people.run())
        try:
            yield table, daemon
        finally:
            playing.cancel()
            with suppress(asyncio.CancelledError):
                await playing
            assert await daemon.end(signal.SIGTERM) == 0, (directory / "feltd.out").read_text()
            await rig.stop()


def nothing_settled_twice(table: Table) -> None:
    hands = Counter((heard.round_id, heard.data["seat"]) for heard in table.heard if heard.kind == "hand.settled")
    rounds = Counter(heard.round_id for heard in table.heard if heard.kind in ("round.settled", "round.voided"))
    assert max(hands.values()) == 1, hands
    assert max(rounds.values()) == 1, rounds


def is_whole(table: Table) -> None:
    nothing_settled_twice(table)
    table.sequence_is_whole()
    table.every_round_balances()
    table.loses_and_invents_no_card()


@pytest.fixture(scope="module")
def sound_results(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, list[str]]]:
    """What the seed comes to when nobody kills anything."""

    async def play() -> list[tuple[str, list[str]]]:
        async with table_with_a_process(tmp_path_factory.mktemp("sound")) as (table, _):
            await table.rounds(ROUNDS)
        return results(table, range(1, ROUNDS + 1))

    return asyncio.run(play())


POINTS = [
    "round.opened",
    "bet.placed",
    "betting.closed",
    "hand.dealt",
    "hand.delivered",
    "remainder.collected",
    "deck.accounted",
    "hand.settled",
    "round.settled",
    "deck.shuffled",
]


@pytest.mark.parametrize("point", POINTS)
async def test_killed_at_a_point_of_a_round_it_goes_on(
    point: str, tmp_path: Path, sound_results: list[tuple[str, list[str]]]
) -> None:
    async with table_with_a_process(tmp_path) as (table, daemon):
        await table.rounds(1)
        heard_before = table.kinds().count(point)
        await table.until(lambda: table.kinds().count(point) > heard_before)
        await daemon.killed_and_started()
        await table.rounds(ROUNDS)
    is_whole(table)
    assert results(table, range(1, ROUNDS + 1)) == sound_results


@pytest.mark.soak
async def test_killed_at_random_again_and_again_it_goes_on(tmp_path: Path) -> None:
    seed = int(os.environ.get("FELTD_SEED", "20261118"))
    chance = Random(seed)
    async with table_with_a_process(tmp_path) as (table, daemon):
        await table.rounds(1)
        for _ in range(KILLS_AT_RANDOM):
            goal = (table.book.last_sequence or 0) + chance.randint(1, 60)
            await table.until(lambda goal=goal: (table.book.last_sequence or 0) >= goal)  # type: ignore[misc]
            await daemon.killed_and_started()
        await table.rounds(table.book.rounds + 2)
    print(f"FELTD_SEED={seed}")  # noqa: T201
    is_whole(table)
    assert "round.voided" not in table.kinds()
