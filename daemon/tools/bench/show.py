"""How a bench run is shown: a picture that redraws itself, lines where there is no terminal, or only its progress."""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import dataclass
from typing import Final, Never, Protocol

import click
from rich.console import Console, RenderableType
from rich.live import Live

from daemon.tools.bench.client import EventHeard
from daemon.tools.bench.dealer import People
from daemon.tools.bench.games import GAMES
from daemon.tools.bench.keyboard import keyboard
from daemon.tools.bench.picture import Sight, picture
from daemon.tools.bench.sources import faults_of
from daemon.tools.bench.tally import Tally
from daemon.tools.bench.wording import Ticker, line_of
from daemon.tools.bench.world import World
from sim_hardware.faults import Always, Arming, FaultName, NextTime

REFRESH_S: Final = 0.1
PROGRESS_S: Final = 1.0
QUIT: Final = "q"
PAUSE: Final = "p"
FAULT_KEYS: Final = "0123456789abcdef"
LASTING: Final = frozenset(
    {FaultName.CORRUPTED_FRAMES, FaultName.DROPPED_FRAMES, FaultName.REPEATED_FRAMES, FaultName.SLOW}
)
"""What nobody would notice if it happened once."""


def arming(name: FaultName) -> Arming:
    """How the bench switches a fault on: for the next occasion, or until it is switched off."""
    return Always() if name in LASTING else NextTime()


def fault_keys(profile: str) -> dict[str, FaultName]:
    """The key for each fault of what is dealt from."""
    return dict(zip(FAULT_KEYS, faults_of(profile), strict=False))


@dataclass(frozen=True, slots=True)
class Watched:
    """What a show looks at."""

    world: World
    people: People
    tally: Tally
    rounds: int | None
    over: asyncio.Event


class Show(Protocol):
    """One way to show a run."""

    def hear(self, heard: EventHeard) -> None:
        """An event came."""

    async def run(self) -> Never:
        """Show until cancelled."""


def show_for(watched: Watched) -> Show:
    """A picture on a terminal and lines anywhere else; of a fast run only how far it is."""
    if watched.world.settings.speed == 0:
        return Progress(watched)
    screen = Console()
    return Screen(watched, screen) if screen.is_terminal and not screen.is_dumb_terminal else Lines(watched)


def how_to_listen(world: World) -> str:
    """What to type in another terminal."""
    port, topics = world.broker.port, f"'{world.topics.base}/#'"
    if shutil.which("mosquitto_sub") is None:
        return f"feltd listen --port {port} {topics}"
    return f"mosquitto_sub -p {port} -t {topics} -v"


def _introduction(world: World) -> str:
    return f"{world.broker.title} on port {world.broker.port}; listen with: {how_to_listen(world)}"


class Progress:
    """For a run that is measured: how far it is, on standard error, if somebody can see it there."""

    def __init__(self, watched: Watched) -> None:
        self._watched = watched
        self._screen = Console(stderr=True)
        click.echo(_introduction(watched.world))

    def hear(self, heard: EventHeard) -> None:
        """Only the book counts."""

    async def run(self) -> Never:
        """Say it again every second."""
        with self._screen.status(self._words()) as status:
            while True:
                await asyncio.sleep(PROGRESS_S)
                status.update(self._words())

    def _words(self) -> str:
        tally, goal = self._watched.tally, self._watched.rounds
        return f"round {tally.rounds}{f' of {goal}' if goal else ''}, {tally.kinds['round.voided']} void"


class Lines:
    """For a log, a pipe or a terminal that cannot be drawn on."""

    def __init__(self, watched: Watched) -> None:
        self._over = watched.over
        self._of_game = GAMES[watched.world.settings.game].words
        self._say(_introduction(watched.world))

    def hear(self, heard: EventHeard) -> None:
        """One line for each event that somebody at the table would notice."""
        line = line_of(heard, self._of_game)
        if line is not None:
            self._say(line)

    def _say(self, line: str) -> None:
        try:
            click.echo(line)
        except BrokenPipeError:  # whoever read along has gone
            self._over.set()

    async def run(self) -> Never:
        """Lines come as events do."""
        await asyncio.Event().wait()
        raise AssertionError("nobody sets it")


class Screen:
    """The table as a picture, with keys that switch faults on."""

    def __init__(self, watched: Watched, screen: Console) -> None:
        self._watched = watched
        self._screen = screen
        self._fault_keys = fault_keys(watched.world.settings.profile)
        self._game = GAMES[watched.world.settings.game]
        self._ticker = Ticker(self._game.words)

    def hear(self, heard: EventHeard) -> None:
        """Keep the last lines for the picture."""
        self._ticker.hear(heard)

    async def run(self) -> Never:
        """Redraw a few times a second."""
        with (
            keyboard(self._pressed),
            Live(self._drawn(), console=self._screen, screen=True, auto_refresh=False) as live,
        ):
            while True:
                live.update(self._drawn(), refresh=True)
                await asyncio.sleep(REFRESH_S)

    def _drawn(self) -> RenderableType:
        world, tally = self._watched.world, self._watched.tally
        sight = Sight(
            layout=self._game.layout,
            state=world.client.state,
            status=world.client.status,
            house_cents=tally.take_cents,
            lines=self._ticker.lines,
            broker=f"{world.broker.title} on port {world.broker.port}",
            listen=how_to_listen(world),
            faults={key: (name, name in world.rig.faults.armed) for key, name in self._fault_keys.items()},
            is_paused=self._watched.people.is_paused,
        )
        return picture(sight, self._screen.width, self._screen.height)

    def _pressed(self, key: str) -> None:
        if key == QUIT:
            self._watched.over.set()
        elif key == PAUSE:
            self._watched.people.pause_or_go_on()
        elif key in self._fault_keys:
            self._switch(self._fault_keys[key])

    def _switch(self, name: FaultName) -> None:
        rig = self._watched.world.rig
        if name in rig.faults.armed:
            rig.disarm(name)
        else:
            rig.arm(name, arming(name))
        self._ticker.say(f"fault {name.value}: {'armed' if name in rig.faults.armed else 'off'}")
