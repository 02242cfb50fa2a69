"""The daemon killed inside its system calls, again and again: the rounds are those that nobody disturbed.

strace ends it with SIGKILL inside its Nth write to the journal, sync of the journal, write to the tty or send to the
broker, and notes in which file or socket that was. The kinds of call take turns, and each of them must be hit. Cards
and amounts are then those of the same seed without a kill, every round of them: nothing is lost, settled twice, or
settled otherwise. A stranger's verify.py accepts what is in the journal.

A shoe whose line does not repeat what was missed cannot prove that no card left it meanwhile. There a round is
interrupted and a supervisor voids it, as the documents say. Such a round is compared too: it names the shoe and the
supervisor, and every stake goes back. `make soak` plays 500 rounds over the four games, and 60 at such a shoe.
"""

from __future__ import annotations

import asyncio
import os
import select
import signal
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from daemon.rules.wagers import GameName
from daemon.tools.bench.games import GAMES
from daemon.tools.bench.process import DaemonEndedError
from drivers.profile import Capability
from drivers.profiles import PROFILES
from drivers.transports.holders import holders
from tests.line.at_the_bench import WAIT_S_MAX, BenchTable, Table, bench, nothing_settled_twice
from tests.support.strace import injecting, killed_in
from tests.support.virtual_table import reliable
from tests.tools.journal.tampering import checked, exported

SEED: Final = int(os.environ.get("FELTD_SEED", "20261118"))
IS_LONG: Final = "FELTD_SOAK" in os.environ
ROUNDS_OF_A_GAME: Final = 125 if IS_LONG else 1
ROUNDS_AT_A_FORGETFUL_SHOE: Final = 60 if IS_LONG else 1
ROUNDS_A_KILL_MAX: Final = 2 if IS_LONG else 1
"""As long as rounds of Big 50. Those of other games have more calls."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of system call. `at_a_start` of them come before a table plays on, `a_round` in a round of Big 50."""

    title: str
    call: str
    target: str  # how the name of its file or socket begins
    at_a_start: int
    a_round: int


JOURNAL: Final = Kind("write to the journal", "pwrite64", "/", 10, 110)
SYNC: Final = Kind("sync of the journal", "fdatasync", "/", 2, 20)
TTY: Final = Kind("write to the tty", "write", "/dev/pts/", 1, 15)
BROKER: Final = Kind("send to the broker", "sendto", "TCP", 3, 40)
KINDS: Final = (JOURNAL, SYNC, TTY, BROKER)
HALVES: Final = (KINDS, KINDS) if IS_LONG else ((JOURNAL, TTY), (SYNC, BROKER))
"""The kinds of a game. In `make test` each game has half of them, by turns."""

Kills = Counter[str]
"""By title of the kind. A send that only wakes the loop up counts as itself."""
Came = list[tuple[str, str, Any]]
"""What rounds came to: the round, what was settled, and cards and amounts."""


async def killed_inside(table: BenchTable, kind: Kind, number: int) -> tuple[str, str]:
    """Start a daemon that dies in its call of this number. Return the call, and what it was for."""
    daemon = table.world.daemon
    plain, log = daemon.program, daemon.log.with_name("strace.log")
    tty = table.rig.address.removeprefix("serial:") if kind is TTY else None
    daemon.program = (*injecting(kind.call, f"signal=KILL:when={number}", tty, log), *plain)
    await daemon.start()
    daemon.program = plain
    try:
        async with asyncio.timeout(WAIT_S_MAX):
            with pytest.raises(DaemonEndedError, match=f"status -{signal.SIGKILL.value}"):
                await daemon.watch()
    except TimeoutError:
        raise AssertionError(f"call {number} of {kind.call} does not come.\n{table.standing()}") from None
    return killed_in(log)


async def kill_in_turn(table: BenchTable, kinds: Sequence[Kind], rounds: int, chance: Random) -> Kills:
    """Kill the daemon inside each kind of call in turn, until so many rounds are over. At least once in each."""
    kills = Kills()
    await table.rounds(1)
    await table.world.daemon.end(signal.SIGKILL)
    while table.tally.rounds < rounds or not kills:
        for kind in kinds:
            number = chance.randint(1, kind.at_a_start + kind.a_round * ROUNDS_A_KILL_MAX)
            call, target = await killed_inside(table, kind, number)
            assert call == kind.call
            kills[kind.title if target.startswith(kind.target) else f"{call} to {target}"] += 1
    await table.world.daemon.start()
    await table.rounds(table.tally.rounds + 1)
    missing = [kind.title for kind in kinds if not kills[kind.title]]
    assert not missing, f"FELTD_SEED={SEED}: no kill came inside a {missing}: {dict(kills)}"
    return kills


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


def dealing(game: GameName, profile: str) -> dict[str, Any]:
    """The bench's settings for a game from this device."""
    return {"game": game, "profile": profile, "decks": GAMES[game].decks}


async def undisturbed(directory: Path, rounds: int, setting: dict[str, Any]) -> Table:
    """What the same seed plays when nobody kills anything."""
    async with bench(directory, **setting) as table:
        await table.rounds(rounds)
    return table


async def disturbed(
    directory: Path, rounds: int, setting: dict[str, Any], kinds: Sequence[Kind]
) -> tuple[BenchTable, Kills]:
    """The table that is killed again and again. Its journal is accepted by who knows nothing of feltd."""
    async with bench(directory, **setting) as table:
        kills = await kill_in_turn(table, kinds, rounds, Random(SEED))
    game, profile = setting["game"].value, setting["profile"]
    print(f"FELTD_SEED={SEED}: {game} from {profile}, {table.tally.rounds} rounds: {dict(kills)}")  # noqa: T201
    nothing_settled_twice(table)
    table.sequence_is_whole()
    table.every_round_balances()
    verified = checked(exported(directory / "journal.db", directory / "bundle"))
    assert verified.returncode == 0, verified.stdout + verified.stderr
    return table, kills


def _made(directory: Path) -> Path:
    directory.mkdir()
    return directory


async def expect_undisturbed(directory: Path, setting: dict[str, Any], kinds: Sequence[Kind]) -> None:
    table, _ = await disturbed(_made(directory / "disturbed"), ROUNDS_OF_A_GAME, setting, kinds)
    sound = await undisturbed(_made(directory / "sound"), table.tally.rounds, setting)
    every = range(1, table.tally.rounds + 1)
    assert amounts(table, every) == amounts(sound, every)


async def expect_undisturbed_or_void(directory: Path, setting: dict[str, Any]) -> None:
    """Up to the first void the rounds are the same. After one the shoe is at another place, and the stakes are."""
    kinds = (JOURNAL, SYNC, BROKER)  # nothing is ever written to such a shoe
    table, kills = await disturbed(_made(directory / "disturbed"), ROUNDS_AT_A_FORGETFUL_SHOE, setting, kinds)
    sound = await undisturbed(_made(directory / "sound"), table.tally.rounds, setting)
    voids = [number for number in range(1, table.tally.rounds + 1) if _is_void(table, number)]
    print(f"void: {voids}")  # noqa: T201
    assert len(voids) <= kills.total()
    for number in range(1, table.tally.rounds + 1):
        if number in voids:
            expect_void_by_the_documents(table, number, PROFILES[setting["profile"]].role.value)
        elif number < min(voids, default=number + 1):
            assert amounts(table, [number]) == amounts(sound, [number])
        assert _first_stakes(table, number) == _first_stakes(sound, number), f"round {number}"


def _is_void(table: Table, number: int) -> bool:
    return any(heard.kind == "round-voided" for heard in table.heard if heard.round_id == f"table1-{number}")


def expect_void_by_the_documents(table: Table, number: int, shoe: str) -> None:
    """The shoe could not prove that nothing was lost, the round stood, and a person voided it. All stakes go back."""
    of_round = [heard for heard in table.heard if heard.round_id == f"table1-{number}"]
    kinds = [heard.kind for heard in of_round]
    stops = [heard.data["device"] for heard in of_round if heard.kind == "round-interrupted"]
    void = next(heard.data for heard in of_round if heard.kind == "round-voided")
    assert set(stops) == {shoe}, f"round {number}: {kinds}"
    assert kinds.index("round-interrupted") < kinds.index("round-voided")
    assert "round-settled" not in kinds
    assert (void["role"], void["irregularity"]) == ("supervisor", None), f"round {number}: {void}"
    closed = next(heard.data for heard in of_round if heard.kind == "betting-closed")
    put_down = [each["stake_cents"] for each in closed["stakes"]]
    put_down += [heard.data["stake_cents"] or 0 for heard in of_round if heard.kind == "player-decided"]
    assert void["returned_cents"] == sum(put_down), f"round {number}"


def _first_stakes(table: Table, number: int) -> list[Any]:
    """Return what was bet, before any card: the players' habit knows the round's number alone."""
    wanted = f"table1-{number}"
    return [heard.data["stakes"] for heard in table.heard if (heard.round_id, heard.kind) == (wanted, "betting-closed")]


def forgetful(game: GameName) -> str:
    """Return the first device that deals a game and does not keep its events."""
    return next(name for name in GAMES[game].profiles if not PROFILES[name].can(Capability.KEEPS_EVENTS))


@pytest.mark.soak
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("game", GameName)
async def test_killed_inside_calls_again_and_again_no_amount_changes(game: GameName, tmp_path: Path) -> None:
    kinds = HALVES[list(GameName).index(game) % 2]
    await expect_undisturbed(tmp_path, dealing(game, reliable(game)[0]), kinds)


@pytest.mark.soak
@pytest.mark.timeout(3_600)
async def test_killed_at_a_shoe_that_cannot_repeat_every_round_is_the_same_or_void_by_its_cause(tmp_path: Path) -> None:
    setting = dealing(GameName.BLACKJACK, forgetful(GameName.BLACKJACK))
    await expect_undisturbed_or_void(tmp_path, setting)


async def test_a_daemon_that_is_not_killed_inside_a_call_ends_with_its_strace(tmp_path: Path) -> None:
    """One that ran on took the place of every later table whose broker came up at its port."""
    async with bench(tmp_path) as table:
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
