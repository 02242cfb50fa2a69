"""`feltd bench`: a whole table on this machine, with emulated hardware, to watch or to measure."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from typing import Final, Never

import click

from daemon import logs
from daemon.bench.book import Book
from daemon.bench.broker import BrokerKind, NoMosquittoError
from daemon.bench.dealer import DealingPace, Habits, People
from daemon.bench.heard import Heard
from daemon.bench.show import Watched, show_for
from daemon.bench.summary import summary
from daemon.bench.world import BenchSettings, World, world
from daemon.errors import ExitStatus, SetupError
from daemon.table.settings import Reconciling
from sim_hardware.faults import FaultName, NextTime

STALLED_S: Final = 120.0


@click.command()
@click.option("--rounds", type=click.IntRange(min=1), help="End after so many rounds; without it, play until q.")
@click.option("--fast", is_flag=True, help="No motor and nobody takes any time; only a summary is printed.")
@click.option("--seed", type=int, default=7, show_default=True, help="Decks and bets follow from it.")
@click.option("--seats", type=click.IntRange(1, 10), default=6, show_default=True)
@click.option("--speed", type=click.FloatRange(min=0.01), default=2.0, show_default=True, help="1 is life.")
@click.option("--broker", "kind", type=click.Choice([kind.value for kind in BrokerKind]), default="auto")
@click.option("--mqtt", type=click.Choice(["5", "3.1.1"]), default="5", show_default=True)
@click.option("--fault", "faults", multiple=True, type=click.Choice([name.value for name in FaultName]))
@click.option("--keep", type=click.Path(path_type=Path), help="Leave journal, configuration and logs here.")
def bench(
    rounds: int | None,
    fast: bool,
    seed: int,
    seats: int,
    speed: float,
    kind: str,
    mqtt: str,
    faults: tuple[str, ...],
    keep: Path | None,
) -> None:
    """Play Big 50 with an emulated shuffler, a broker and the daemon together.

    Nothing outside the run's own directory and the loopback is touched.
    """
    with tempfile.TemporaryDirectory(prefix="feltd-bench-") as scratch:
        directory = keep or Path(scratch)
        directory.mkdir(parents=True, exist_ok=True)
        settings = BenchSettings(
            directory=directory,
            seed=seed,
            seats=seats,
            speed=0.0 if fast else speed,
            reconciling=Reconciling.THROUGH if fast else Reconciling.STEP,
            broker=BrokerKind(kind),
            mqtt=mqtt,
        )
        armed = tuple(FaultName(name) for name in faults)
        try:
            book, seconds = asyncio.run(_play(settings, rounds, armed))
        except NoMosquittoError as error:
            raise SetupError("bench.no-mosquitto", str(error), "Or leave --broker out.") from error
    click.echo(summary(book, seed, seconds))
    if book.holes or book.unbalanced:
        sys.exit(ExitStatus.REFUSED)


async def _play(settings: BenchSettings, rounds: int | None, faults: tuple[FaultName, ...]) -> tuple[Book, float]:
    with (settings.directory / "feltd.log").open("w", encoding="utf-8") as log:
        logs.configure(logs.LogLevel.INFO, log, logs.LogForm.JSON)
        async with world(settings) as running:
            return await _watch(running, rounds, faults)


async def _watch(running: World, rounds: int | None, faults: tuple[FaultName, ...]) -> tuple[Book, float]:
    book, over = Book(), asyncio.Event()
    started_s = time.monotonic()
    asked = running.settings
    habits = Habits(asked.seed, asked.seats, DealingPace(asked.speed), asked.reconciling)
    people = People(running.client, running.rig, habits)
    show = show_for(Watched(running, people, book, over))

    def hear(heard: Heard) -> None:
        if over.is_set() or not book.note(heard):
            return
        show.hear(heard)
        if rounds is not None and book.rounds >= rounds:
            over.set()

    running.client.listen(hear)
    for fault in faults:
        running.rig.arm(fault, NextTime())
    async with asyncio.TaskGroup() as side_by_side:
        parts = [
            side_by_side.create_task(people.run()),
            side_by_side.create_task(show.run()),
            side_by_side.create_task(_end_with(running.daemon)),
        ]
        if running.settings.speed == 0:
            parts.append(side_by_side.create_task(_unless_it_stalls(book)))
        await over.wait()
        for part in parts:
            part.cancel()
    return book, time.monotonic() - started_s


async def _unless_it_stalls(book: Book) -> Never:
    """A bench that hears nothing for so long is stuck, and says so instead of waiting for ever."""
    while True:
        before = book.last_sequence
        await asyncio.sleep(STALLED_S)
        if book.last_sequence == before:
            raise SetupError(
                "bench.stalled",
                f"Nothing was heard from the table for {STALLED_S:.0f} s; the last event was number {before}.",
                "Run it again with --keep DIRECTORY and read feltd.log there.",
            )


async def _end_with(daemon: asyncio.Task[None]) -> None:
    """A daemon that ends ends the bench, with its error."""
    await asyncio.shield(daemon)
