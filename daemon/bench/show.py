"""How a bench run is shown: a picture that redraws itself, plain lines where there is no terminal, or nothing."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from typing import Final, Never, Protocol

import click
from rich.console import RenderableType
from rich.live import Live

from daemon.bench.book import Book
from daemon.bench.dealer import People
from daemon.bench.heard import Heard
from daemon.bench.keyboard import keyboard
from daemon.bench.picture import picture
from daemon.bench.wording import Ticker, line_of
from daemon.bench.world import World
from sim_hardware.faults import FaultName, NextTime

REFRESH_S: Final = 0.1
QUIT: Final = "q"
PAUSE: Final = "p"
FAULT_KEYS: Final = dict(zip("0123456789abcdef", FaultName, strict=True))


@dataclass(frozen=True, slots=True)
class Watched:
    """What a show looks at."""

    world: World
    people: People
    book: Book
    over: asyncio.Event


class Show(Protocol):
    """One way to show a run."""

    def hear(self, heard: Heard) -> None:
        """An event came."""

    async def run(self) -> Never:
        """Show until cancelled."""


def show_for(watched: Watched) -> Show:
    """Nothing in a fast run, a picture on a terminal, lines anywhere else."""
    if watched.world.settings.speed == 0:
        return Silent()
    return Screen(watched) if sys.stdout.isatty() else Lines(watched)


def how_to_listen(world: World) -> str:
    """What to type in another terminal."""
    return f"mosquitto_sub -p {world.broker.port} -t '{world.topics.base}/#' -v"


class Silent:
    """For a run that is measured."""

    def hear(self, heard: Heard) -> None:
        """Only the book counts."""

    async def run(self) -> Never:
        """Wait for the end."""
        await asyncio.Event().wait()
        raise AssertionError("nobody sets it")


class Lines:
    """For a log, a pipe or a terminal that cannot be drawn on."""

    def __init__(self, watched: Watched) -> None:
        click.echo(f"{watched.world.broker.title}; listen with: {how_to_listen(watched.world)}")

    def hear(self, heard: Heard) -> None:
        """One line for each event that somebody at the table would notice."""
        line = line_of(heard)
        if line is not None:
            click.echo(line)

    async def run(self) -> Never:
        """Lines come as events do."""
        await asyncio.Event().wait()
        raise AssertionError("nobody sets it")


class Screen:
    """The table as a picture, with keys that switch faults on."""

    def __init__(self, watched: Watched) -> None:
        self._watched = watched
        self._ticker = Ticker()

    def hear(self, heard: Heard) -> None:
        """Keep the last lines for the picture."""
        self._ticker.hear(heard)

    async def run(self) -> Never:
        """Redraw a few times a second."""
        with keyboard(self._pressed), Live(self._drawn(), screen=True, auto_refresh=False) as live:
            while True:
                live.update(self._drawn(), refresh=True)
                await asyncio.sleep(REFRESH_S)

    def _drawn(self) -> RenderableType:
        world, people, book = self._watched.world, self._watched.people, self._watched.book
        faults = {key: (name, name in world.rig.faults.armed) for key, name in FAULT_KEYS.items()}
        title = f"{world.broker.title} on port {world.broker.port}, shuffler on {world.rig.address}"
        return picture(world.client, book, self._ticker, title, how_to_listen(world), faults, people.is_paused)

    def _pressed(self, key: str) -> None:
        if key == QUIT:
            self._watched.over.set()
        elif key == PAUSE:
            self._watched.people.pause_or_go_on()
        elif key in FAULT_KEYS:
            self._switch(FAULT_KEYS[key])

    def _switch(self, name: FaultName) -> None:
        rig = self._watched.world.rig
        if name in rig.faults.armed:
            rig.disarm(name)
        else:
            rig.arm(name, NextTime())
        self._ticker.say(f"fault {name.value}: {'armed' if name in rig.faults.armed else 'off'}")
