"""How a bench run is shown: a picture that redraws itself, lines where there is no terminal, or only its progress.

The single keys of a terminal are read here, too, and the terminal is left as it was before.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import termios
import tty
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Never, Protocol

import click
from rich.console import Console, RenderableType
from rich.live import Live

from daemon.tools.bench.client import EventHeard
from daemon.tools.bench.dealer import People
from daemon.tools.bench.devices import faults_of
from daemon.tools.bench.games import GAMES
from daemon.tools.bench.picture import Sight, picture
from daemon.tools.bench.tally import Tally
from daemon.tools.bench.wording import line_of
from daemon.tools.bench.world import World
from protocols.frozen import dataclass
from sim_hardware.faults import Always, Arming, FaultName, NextTime

REFRESH_S: Final = 0.1
PROGRESS_S: Final = 1.0
LINES_KEPT: Final = 100  # more than any terminal shows
KEYS_AT_ONCE: Final = 32
QUIT: Final = "q"
PAUSE: Final = "p"
FAULT_KEYS: Final = "0123456789abcdef"
LASTING: Final = frozenset(
    {FaultName.CORRUPTED_FRAMES, FaultName.DROPPED_FRAMES, FaultName.REPEATED_FRAMES, FaultName.SLOW}
)
"""Faults that nobody would notice if they happened once."""


def arming(name: FaultName) -> Arming:
    """Return how the bench switches a fault on: for the next occasion, or until it is switched off."""
    return Always() if name in LASTING else NextTime()


def fault_keys(profile: str) -> dict[str, FaultName]:
    """Return the key for each fault of the dealing device."""
    return dict(zip(FAULT_KEYS, faults_of(profile), strict=False))


@dataclass(frozen=True, slots=True)
class Watched:
    """What a show looks at. Setting `over` ends the run."""

    world: World
    people: People
    tally: Tally
    rounds: int | None
    over: asyncio.Event
    page: str | None = None  # the address of the screens

    @property
    def introduction(self) -> str:
        """Say which broker there is, what to type in another terminal, and where the screens are."""
        screens = "" if self.page is None else f"\nin a browser: {self.page}"
        return f"{self.broker}; listen with: {self.how_to_listen}{screens}"

    @property
    def broker(self) -> str:
        """Name the broker and its port."""
        return f"{self.world.broker.title} on port {self.world.broker.port}"

    @property
    def how_to_listen(self) -> str:
        """Return the command that prints the table's messages."""
        port, topics = self.world.broker.port, f"'{self.world.topics.base}/#'"
        if shutil.which("mosquitto_sub") is None:
            return f"feltd listen --port {port} {topics}"
        return f"mosquitto_sub -p {port} -t {topics} -v"


class Show(Protocol):
    """One way to show a run."""

    def show_event(self, heard: EventHeard) -> None:
        """Show an event, or take it into account."""

    async def run(self) -> Never:
        """Show the run until cancelled."""


def show_for(watched: Watched) -> Show:
    """Return a picture on a terminal and lines anywhere else; of a fast run only how far it is."""
    if watched.world.settings.speed == 0:
        return Progress(watched)
    screen = Console()
    can_draw = screen.is_terminal and not screen.is_dumb_terminal and _can_show(screen.encoding)
    return Screen(watched, screen) if can_draw else Lines(watched)


def _can_show(encoding: str) -> bool:
    """Return whether a terminal with this encoding has the signs of the picture."""
    try:
        "♣♦♥♠▮▶·✓".encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


class Progress:
    """For a run that is measured: how far it is, on standard error if that is a terminal."""

    def __init__(self, watched: Watched) -> None:
        self._watched = watched
        self._screen = Console(stderr=True)
        click.echo(watched.introduction)

    def show_event(self, heard: EventHeard) -> None:
        """Do nothing: the tally counts it."""

    async def run(self) -> Never:
        """Say it again every second."""
        with self._screen.status(self._words()) as status:
            while True:
                await asyncio.sleep(PROGRESS_S)
                status.update(self._words())

    def _words(self) -> str:
        tally, goal = self._watched.tally, self._watched.rounds
        return f"round {tally.rounds}{f' of {goal}' if goal else ''}, {tally.kinds['round-voided']} void"


class Lines:
    """For a log, a pipe or a terminal that cannot be drawn on. At a terminal the keys work here, too."""

    def __init__(self, watched: Watched) -> None:
        self._watched = watched
        self._of_game = GAMES[watched.world.settings.game].words
        self._say(watched.introduction)

    def show_event(self, heard: EventHeard) -> None:
        """Print one line for each event that somebody at the table would notice."""
        line = line_of(heard, self._of_game)
        if line is not None:
            self._say(line)

    def _say(self, line: str) -> None:
        try:
            click.echo(line)
        except OSError:  # the reader has gone, or the terminal
            self._watched.over.set()

    async def run(self) -> Never:
        """Wait: lines come as events do."""
        with ending_with_its_terminal(self._watched.over), keyboard(self._press, self._watched.over.set):
            await asyncio.Event().wait()
        raise AssertionError("nobody sets it")

    def _press(self, key: str) -> None:
        if key == QUIT:
            self._watched.over.set()
        elif key == PAUSE:
            self._watched.people.pause_or_go_on()


class Screen:
    """The table as a picture, with keys that switch faults on."""

    def __init__(self, watched: Watched, screen: Console) -> None:
        self._watched = watched
        self._screen = screen
        self._fault_keys = fault_keys(watched.world.settings.profile)
        self._game = GAMES[watched.world.settings.game]
        self._lines: deque[str] = deque(maxlen=LINES_KEPT)

    def show_event(self, heard: EventHeard) -> None:
        """Keep the event's line for the picture."""
        line = line_of(heard, self._game.words)
        if line is not None:
            self._lines.append(line)

    async def run(self) -> Never:
        """Redraw a few times a second."""
        with (
            ending_with_its_terminal(self._watched.over),
            keyboard(self._press, self._watched.over.set),
            Live(self._drawn(), console=self._screen, screen=True, auto_refresh=False) as live,
        ):
            while True:
                live.update(self._drawn(), refresh=True)
                await asyncio.sleep(REFRESH_S)

    def _drawn(self) -> RenderableType:
        world = self._watched.world
        sight = Sight(
            layout=self._game.layout,
            state=world.client.state,
            status=world.client.status,
            house_cents=self._watched.tally.take_cents,
            lines=self._lines,
            broker=self._watched.broker,
            listen=self._watched.how_to_listen,
            page=self._watched.page,
            faults={key: (name, name in world.rig.faults.armed) for key, name in self._fault_keys.items()},
            is_paused=self._watched.people.is_paused,
            lying=self._lying(),
            rest=self._watched.people.rest() if self._watched.people.is_paused else None,
        )
        return picture(sight, self._screen.width, self._screen.height)

    def _lying(self) -> dict[int, list[str]]:
        """Return what lies where while somebody else deals. While the bench deals, the picture keeps its backs."""
        people = self._watched.people
        lying = people.lying() if people.is_paused else {}
        return {place: [str(face) for face in hand.cards] for place, hand in lying.items()}

    def _press(self, key: str) -> None:
        if key == QUIT:
            self._watched.over.set()
        elif key == PAUSE:
            self._watched.people.pause_or_go_on()
        elif key in self._fault_keys:
            self._switch_fault(self._fault_keys[key])

    def _switch_fault(self, name: FaultName) -> None:
        rig = self._watched.world.rig
        if name in rig.faults.armed:
            rig.disarm(name)
        else:
            rig.arm(name, arming(name))
        self._lines.append(f"        fault {name.value}: {'armed' if name in rig.faults.armed else 'off'}")


@contextmanager
def ending_with_its_terminal(over: asyncio.Event) -> Iterator[None]:
    """End the run when its terminal is gone.

    The kernel tells only the session's leader of that: in tmux that is `make`, which waits for the bench. Where a
    terminal is gone, writing to it fails, and so does putting it back as it was.
    """
    try:
        yield
    except (OSError, termios.error):
        over.set()
        raise asyncio.CancelledError from None


@contextmanager
def keyboard(on_key: Callable[[str], None], on_end: Callable[[], None]) -> Iterator[None]:
    """Call `on_key` with each key while this lasts, and `on_end` when the terminal is gone. Elsewhere do nothing."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        yield
        return
    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    loop = asyncio.get_running_loop()

    def read_keys() -> None:
        try:
            keys = os.read(fd, KEYS_AT_ONCE)
        except OSError:
            keys = b""
        if not keys:
            loop.remove_reader(fd)
            on_end()
        for key in keys.decode("ascii", "ignore"):
            on_key(key)

    tty.setcbreak(fd, termios.TCSADRAIN)  # keeps what was typed before: by default it is thrown away
    loop.add_reader(fd, read_keys)
    try:
        yield
    finally:
        loop.remove_reader(fd)
        termios.tcsetattr(fd, termios.TCSADRAIN, before)
