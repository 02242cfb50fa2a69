"""`feltd bench`: a whole table on this machine, with emulated hardware, to watch or to measure."""

from __future__ import annotations

import asyncio
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final, Never

import click

from daemon.errors import ExitStatus, SetupError
from daemon.rules import games as rules
from daemon.rules.wagers import GameName
from daemon.table.settings import Reconciling
from daemon.tools.bench.broker import BrokerKind
from daemon.tools.bench.client import KEEP_AND_READ, EventHeard
from daemon.tools.bench.dealer import Habits, People
from daemon.tools.bench.dealing import DealingPace
from daemon.tools.bench.devices import faults_of
from daemon.tools.bench.game import BenchGame
from daemon.tools.bench.games import GAMES
from daemon.tools.bench.screens import page, show_in_browser
from daemon.tools.bench.settings import BenchSettings
from daemon.tools.bench.show import Show, Watched, arming, show_for
from daemon.tools.bench.stage import Stage
from daemon.tools.bench.tally import Tally, summary
from daemon.tools.bench.world import World, world
from drivers.profile import DeviceRole
from drivers.profiles import PROFILES
from sim_hardware.faults import FaultName
from sim_hardware.pace import Knob
from sim_hardware.shoe import DECKS_MAX

SEATS: Final = 6
KINDS: Final = tuple(dict.fromkeys(profile for game in GAMES.values() for profile in game.profiles))
SHOES: Final = tuple(dict.fromkeys(profile for game in GAMES.values() for profile in game.draws_from))
FAULTS: Final = tuple(dict.fromkeys(fault.value for kind in KINDS for fault in faults_of(kind)))
STALLED_S: Final = 120.0
ENDS_A_RUN: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@click.command()
@click.option("--game", type=click.Choice([game.value for game in GAMES]), default="big-50", show_default=True)
@click.option("--device", "profile", type=click.Choice(KINDS), help="What deals; by default the game's usual device.")
@click.option("--draws-from", type=click.Choice(SHOES), help="Put the rest of a shuffler's deck into this shoe.")
@click.option("--decks", type=click.IntRange(1, DECKS_MAX), help="Decks in a shoe; by default the usual number.")
@click.option("--buttons", is_flag=True, help="Give the dealer a pad with a key for each decision.")
@click.option("--rounds", type=click.IntRange(min=1), help="End after this number of rounds; by default play until q.")
@click.option("--fast", is_flag=True, help="Play without waiting for motors or people; print only a summary.")
@click.option("--seed", type=int, default=7, show_default=True, help="Decides all decks and bets.")
@click.option("--seats", type=click.IntRange(1), help=f"By default {SEATS}, or as many as the game has.")
@click.option("--speed", type=click.FloatRange(min=0.01), default=2.0, show_default=True, help="1 is real time.")
@click.option("--broker", "kind", type=click.Choice([kind.value for kind in BrokerKind]), default="auto")
@click.option("--port", type=click.IntRange(1, 65535), help="Use the broker that listens on this port of this machine.")
@click.option("--mqtt", type=click.Choice(["5", "3.1.1"]), default="5", show_default=True)
@click.option("--page/--no-page", "has_page", default=None, help="Serve the screens; by default at a terminal.")
@click.option("--fault", "faults", multiple=True, type=click.Choice(FAULTS), help="Switch this fault on at the start.")
@click.option("--keep", type=click.Path(path_type=Path), help="Keep journal, configuration and logs in this directory.")
def bench(
    game: str,
    profile: str | None,
    draws_from: str | None,
    decks: int | None,
    buttons: bool,
    rounds: int | None,
    fast: bool,
    seed: int,
    seats: int | None,
    speed: float,
    kind: str,
    port: int | None,
    mqtt: str,
    has_page: bool | None,
    faults: tuple[str, ...],
    keep: Path | None,
) -> None:
    """Play a game with the emulated device that deals it, a broker and the daemon together.

    It touches nothing outside its own directory and the loopback interface.
    """
    played = GAMES[GameName(game)]
    dealt_from = profile or played.profiles[0]
    _refuse_what_does_not_fit(played, dealt_from, draws_from, seats)
    fault_names = _fault_names(dealt_from, faults)
    with _directory(keep) as directory:
        settings = BenchSettings(
            directory=directory,
            seed=seed,
            seats=seats or min(SEATS, rules.GAMES[played.name].positions_max),
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
        )
        run = Run(rounds, fault_names, has_page=sys.stdout.isatty() and not fast if has_page is None else has_page)
        asyncio.run(run.play(settings))
    with suppress(OSError):  # the terminal is gone
        click.echo(summary(run.tally, seed, run.seconds, rounds))
    if run.tally.holes or run.tally.unbalanced:
        sys.exit(ExitStatus.REFUSED)


def _refuse_what_does_not_fit(game: BenchGame, dealt_from: str, draws_from: str | None, seats: int | None) -> None:
    """Raise a UsageError for options that do not go together."""
    positions_max = rules.GAMES[game.name].positions_max
    if seats is not None and seats > positions_max:
        raise click.UsageError(f"{game.name.value} has at most {positions_max} seats")
    if draws_from is not None and draws_from not in game.draws_from:
        raise click.UsageError(f"{game.name.value} has no draws from a shoe beside the device that deals it")
    if draws_from is not None and PROFILES[dealt_from].role is DeviceRole.SHOE:
        raise click.UsageError(f"--draws-from is for a shuffler; {dealt_from} is a shoe and gives the draws itself")
    deal = game.profiles if draws_from is None else game.profiles_before_shoe
    if dealt_from not in deal:
        raise click.UsageError(f"{dealt_from} does not deal {game.name.value}; these devices do: {', '.join(deal)}")


def _fault_names(profile: str, asked: Sequence[str]) -> tuple[FaultName, ...]:
    able = faults_of(profile)
    wrong = next((name for name in asked if FaultName(name) not in able), None)
    if wrong is not None:
        raise click.UsageError(f"{profile} has no fault {wrong}; its faults: {', '.join(able)}")
    return tuple(FaultName(name) for name in asked)


@contextmanager
def _directory(keep: Path | None) -> Iterator[Path]:
    """Yield an empty directory: on the journal of an earlier run the rounds would not begin at 1.

    It is absolute, because the daemon reads its paths from a file in it, and a relative one would start there.
    """
    with tempfile.TemporaryDirectory(prefix="feltd-bench-") as scratch:
        directory = (keep or Path(scratch)).absolute()
        try:
            directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            remedy = "Name one that this user can create."
            message = f"{directory} cannot be created: {error.strerror}."
            raise SetupError("bench.no-directory", message, remedy) from error
        if any(directory.iterdir()):
            remedy = "Name a directory that is empty or does not exist."
            raise SetupError("bench.directory-in-use", f"{directory} is not empty.", remedy)
        yield directory


class Run:
    """One run of the bench. The last round, a key, a signal or an error ends it."""

    def __init__(self, rounds: int | None, faults: tuple[FaultName, ...], *, has_page: bool = False) -> None:
        self.tally = Tally()
        self.seconds = 0.0  # from the table's first event to the last
        self._rounds = rounds
        self._faults = faults
        self._has_page = has_page
        self._over = asyncio.Event()
        self._first_event_s: float | None = None

    async def play(self, settings: BenchSettings) -> None:
        """Play until it is over. `tally` and `seconds` then hold the result."""
        for number in ENDS_A_RUN:
            asyncio.get_running_loop().add_signal_handler(number, self._over.set)
        knob = Knob(settings.speed)
        settings = replace(settings, knob=knob)
        async with world(settings) as running, self._page(running) as address:
            pace = DealingPace(settings.speed, knob=knob)
            habits = Habits(settings.seed, settings.seats, pace, settings.game)
            people = People(running.client, running.rig, habits, running.pad, running.draws_rig)
            show = show_for(Watched(running, people, self.tally, self._rounds, self._over, address))
            running.client.listen(lambda heard: self._note_event(heard, show))
            for fault in self._faults:
                running.rig.arm(fault, arming(fault))
            async with asyncio.TaskGroup() as parts:
                tasks = [
                    parts.create_task(people.run()),
                    parts.create_task(show.run()),
                    parts.create_task(running.daemon.watch()),
                    parts.create_task(running.client.watch()),
                ]
                if settings.speed > 0:
                    tasks.append(parts.create_task(Stage(running, people, knob).run()))
                else:
                    tasks.append(parts.create_task(self._raise_if_stalled()))
                await self._over.wait()
                for task in tasks:
                    task.cancel()

    @asynccontextmanager
    async def _page(self, running: World) -> AsyncIterator[str | None]:
        """Serve the screens beside the bench, and show them to a person at a desktop."""
        if not self._has_page:
            yield None
            return
        async with page(running.broker.port, running.settings.directory) as address:
            show_in_browser(address)
            yield address

    def _note_event(self, heard: EventHeard, show: Show) -> None:
        if self._over.is_set() or not self.tally.note(heard):
            return
        show.show_event(heard)
        now_s = time.monotonic()
        self._first_event_s = self._first_event_s or now_s
        self.seconds = now_s - self._first_event_s
        if self._rounds is not None and self.tally.rounds >= self._rounds:
            self._over.set()

    async def _raise_if_stalled(self) -> Never:
        """End a fast run that hears no event for `STALLED_S`, because it would wait permanently."""
        while True:
            before = self.tally.last_sequence
            await asyncio.sleep(STALLED_S)
            if self.tally.last_sequence == before:
                last = f"the last event was number {before}" if before else "there was no event yet"
                message = f"The table published no event for {STALLED_S:.0f} s; {last}."
                raise SetupError("bench.stalled", message, KEEP_AND_READ)
