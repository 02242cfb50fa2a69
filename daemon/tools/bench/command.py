"""`feltd bench`: a whole table on this machine, with emulated hardware, to watch or to measure."""

from __future__ import annotations

import asyncio
import signal
import sys
import tempfile
import time
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Never

import click

from daemon.errors import ExitStatus, SetupError
from daemon.rules import games as rules
from daemon.rules.wagers import GameName
from daemon.table.settings import Reconciling
from daemon.tools.bench.broker import BrokerKind
from daemon.tools.bench.client import KEEP_AND_READ, EventHeard
from daemon.tools.bench.dealer import Habits, People
from daemon.tools.bench.dealing import DealingPace
from daemon.tools.bench.game import BenchGame
from daemon.tools.bench.games import GAMES
from daemon.tools.bench.settings import BenchSettings
from daemon.tools.bench.show import Show, Watched, arming, show_for
from daemon.tools.bench.sources import faults_of, role_of
from daemon.tools.bench.summary import summary
from daemon.tools.bench.tally import Tally
from daemon.tools.bench.world import World, world
from drivers.profile import DeviceRole
from sim_hardware.faults import FaultName
from sim_hardware.shoe import DECKS_MAX

SEATS: Final = 6
KINDS: Final = tuple(dict.fromkeys(profile for game in GAMES.values() for profile in game.profiles))
SHOES: Final = tuple(dict.fromkeys(profile for game in GAMES.values() for profile in game.draws_from))
FAULTS: Final = tuple(dict.fromkeys(fault.value for kind in KINDS for fault in faults_of(kind)))
STALLED_S: Final = 120.0
ENDS_A_RUN: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@click.command()
@click.option("--game", type=click.Choice([game.value for game in GAMES]), default="big-50", show_default=True)
@click.option("--device", "profile", type=click.Choice(KINDS), help="What deals; without it the game's usual device.")
@click.option("--draws-from", type=click.Choice(SHOES), help="A shoe that gets the rest of a shuffler's deck.")
@click.option("--decks", type=click.IntRange(1, DECKS_MAX), help="In a shoe; without it as many as are usual.")
@click.option("--buttons", is_flag=True, help="The dealer has a pad of keys, and presses it for every decision.")
@click.option("--panel", type=click.IntRange(1, 65535), help="Serve the page for a browser on this port here.")
@click.option("--rounds", type=click.IntRange(min=1), help="End after so many rounds; without it, play until q.")
@click.option("--fast", is_flag=True, help="No motor and nobody takes any time; only a summary is printed.")
@click.option("--seed", type=int, default=7, show_default=True, help="Decks and bets follow from it.")
@click.option("--seats", type=click.IntRange(1), help=f"Without it {SEATS}, or as many as the game has.")
@click.option("--speed", type=click.FloatRange(min=0.01), default=2.0, show_default=True, help="1 is life.")
@click.option("--broker", "kind", type=click.Choice([kind.value for kind in BrokerKind]), default="auto")
@click.option("--port", type=click.IntRange(1, 65535), help="Use the broker that already listens on this port here.")
@click.option("--mqtt", type=click.Choice(["5", "3.1.1"]), default="5", show_default=True)
@click.option("--fault", "faults", multiple=True, type=click.Choice(FAULTS), help="Switched on from the start.")
@click.option("--keep", type=click.Path(path_type=Path), help="Leave journal, configuration and logs here.")
def bench(
    game: str,
    profile: str | None,
    draws_from: str | None,
    decks: int | None,
    buttons: bool,
    panel: int | None,
    rounds: int | None,
    fast: bool,
    seed: int,
    seats: int | None,
    speed: float,
    kind: str,
    port: int | None,
    mqtt: str,
    faults: tuple[str, ...],
    keep: Path | None,
) -> None:
    """Play a game with the emulated device that deals it, a broker and the daemon together.

    Nothing outside the run's own directory and the loopback is touched.
    """
    played = GAMES[GameName(game)]
    dealt_from = _dealt_from(played, profile)
    _check_draws_from(played, dealt_from, draws_from)
    struck = _faults(dealt_from, faults)
    with _directory(keep) as directory:
        settings = BenchSettings(
            directory=directory,
            seed=seed,
            seats=_seats(played, seats),
            speed=0.0 if fast else speed,
            reconciling=Reconciling.THROUGH if fast else Reconciling.STEP,
            broker=BrokerKind(kind),
            mqtt=mqtt,
            port=port,
            game=played.name,
            profile=dealt_from,
            draws_from=draws_from,
            decks=decks or played.decks,
            has_pad=buttons,
            panel_port=panel,
        )
        run = Run(rounds, struck)
        asyncio.run(run.play(settings))
    click.echo(summary(run.tally, seed, run.seconds, rounds))
    if run.tally.holes or run.tally.unbalanced:
        sys.exit(ExitStatus.REFUSED)


def _seats(game: BenchGame, asked: int | None) -> int:
    most = rules.GAMES[game.name].positions_max
    if asked is not None and asked > most:
        raise click.UsageError(f"{game.name.value} has at most {most} seats")
    return asked or min(SEATS, most)


def _dealt_from(game: BenchGame, asked: str | None) -> str:
    if asked is not None and asked not in game.profiles:
        raise click.UsageError(f"{asked} does not deal {game.name.value}; what does: {', '.join(game.profiles)}")
    return asked or game.profiles[0]


def _check_draws_from(game: BenchGame, dealt_from: str, asked: str | None) -> None:
    if asked is None:
        return
    if asked not in game.draws_from:
        raise click.UsageError(f"{game.name.value} has no draws from a shoe beside what deals it")
    if role_of(dealt_from) is DeviceRole.SHOE:
        raise click.UsageError(f"--draws-from is for a shuffler; {dealt_from} is a shoe and gives the draws itself")


def _faults(profile: str, asked: Sequence[str]) -> tuple[FaultName, ...]:
    able = faults_of(profile)
    wrong = next((name for name in asked if FaultName(name) not in able), None)
    if wrong is not None:
        raise click.UsageError(f"{profile} has no {wrong}; its faults: {', '.join(able)}")
    return tuple(FaultName(name) for name in asked)


@contextmanager
def _directory(keep: Path | None) -> Iterator[Path]:
    """A new one: on an earlier run's journal the rounds would not begin at the first."""
    with tempfile.TemporaryDirectory(prefix="feltd-bench-") as scratch:
        directory = keep or Path(scratch)
        try:
            directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            remedy = "Name one that this user may make."
            raise SetupError("bench.no-directory", f"{directory} cannot be made: {error.strerror}.", remedy) from error
        if any(directory.iterdir()):
            remedy = "Name one that is empty or not there yet."
            raise SetupError("bench.directory-in-use", f"There is something in {directory} already.", remedy)
        yield directory


class Run:
    """One run of the bench, from its start to whatever ends it: the last round, a key, a signal or an error."""

    def __init__(self, rounds: int | None, faults: tuple[FaultName, ...]) -> None:
        self.tally = Tally()
        self.seconds = 0.0  # from the first word of the table to the last
        self._rounds = rounds
        self._faults = faults
        self._over = asyncio.Event()
        self._first_heard_s: float | None = None

    async def play(self, settings: BenchSettings) -> None:
        """Play until it is over; `book` and `seconds` then say how it went."""
        for number in ENDS_A_RUN:
            asyncio.get_running_loop().add_signal_handler(number, self._over.set)
        async with world(settings) as running:
            await self._watch(running)

    async def _watch(self, running: World) -> None:
        asked = running.settings
        habits = Habits(asked.seed, asked.seats, DealingPace(asked.speed), asked.reconciling, asked.game)
        people = People(running.client, running.rig, habits, running.pad, running.draws_rig)
        show = show_for(Watched(running, people, self.tally, self._rounds, self._over))
        running.client.listen(lambda heard: self._hear(heard, show))
        for fault in self._faults:
            running.rig.arm(fault, arming(fault))
        parts: list[Coroutine[Any, Any, None]] = [
            people.run(),
            show.run(),
            running.daemon.watch(),
            running.client.watch(),
        ]
        if asked.speed == 0:
            parts.append(self._stalled())
        await self._until_over(parts)

    async def _until_over(self, parts: Sequence[Coroutine[Any, Any, None]]) -> None:
        """Side by side; an error in one of them is the run's."""
        async with asyncio.TaskGroup() as side_by_side:
            tasks = [side_by_side.create_task(part) for part in parts]
            await self._over.wait()
            for task in tasks:
                task.cancel()

    def _hear(self, heard: EventHeard, show: Show) -> None:
        if self._over.is_set() or not self.tally.note(heard):
            return
        show.hear(heard)
        now_s = time.monotonic()
        self._first_heard_s = self._first_heard_s or now_s
        self.seconds = now_s - self._first_heard_s
        if self._rounds is not None and self.tally.rounds >= self._rounds:
            self._over.set()

    async def _stalled(self) -> Never:
        """A fast run that hears nothing for so long is stuck, and says so instead of waiting for ever."""
        while True:
            before = self.tally.last_sequence
            await asyncio.sleep(STALLED_S)
            if self.tally.last_sequence == before:
                heard = f"the last event was number {before}" if before else "there was no event yet"
                message = f"Nothing was heard from the table for {STALLED_S:.0f} s; {heard}."
                raise SetupError("bench.stalled", message, KEEP_AND_READ)
