"""What one table costs: CPU time of the whole daemon's process, as per cent of one core, in the same run.

The daemon is `feltd run` as it ships, on a real tty, with Mosquitto and its journal on the disk; machine, people and
broker are other processes and are not counted. The machine's motors take their real times (`sim_hardware.pace`) and
people none, so nothing can be dealt faster. A shuffler with a second deck deals while the first is shuffled: for it the
figure is the one while packets are dealt. The shoe says one card after another as fast as 4,800 baud carry them, which
no hand can draw.
"""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress
from pathlib import Path
from time import perf_counter

import pytest

from daemon.journal.creation import create
from daemon.mqtt.topics import Topics
from daemon.rules import games as rules
from daemon.rules.wagers import GameName
from daemon.tools.bench.broker import BrokerChoice, broker
from daemon.tools.bench.client import EventHeard, TableClient, connected
from daemon.tools.bench.dealer import Habits, People
from daemon.tools.bench.dealing import DealingPace
from daemon.tools.bench.devices import source
from daemon.tools.bench.games import GAMES
from daemon.tools.bench.process import Daemon, running
from daemon.tools.bench.settings import BenchSettings
from daemon.tools.bench.tally import Tally
from daemon.tools.bench.world import SITE, TABLE, World, configuration, world
from sim_hardware.ports import PtyPort
from sim_hardware.shoe import DECKS_MAX, ShoeSettings
from sim_hardware.shoe_kinds import SHOE_KINDS
from sim_hardware.shoe_rig import ShoeRig
from tests.bench.conftest import Figures
from tests.line.at_the_bench import settings

SEED = 7
SEATS = 6
IDLE_S = 15.0
IDLE_PERCENT = 0.2
"""What a table on which nothing happens may cost of a core."""
ROUND_MS = 24.0
"""Half of what a round cost when issue 12 was written."""
ROUND_BYTES = 10_000
JOURNAL = "journal.db"
ROUNDS = 2
FIRST_ROUNDS = 5
FAST_ROUNDS = 40
CARDS = 400
REPORT_BYTES = 8  # ENQ, SEQ, a letter, two payload bytes, ETX, two digits of check: the device page
CARD_S = 3 * REPORT_BYTES * 10 / 4_800  # three copies, ten bits a byte
_TICKS_S = os.sysconf("SC_CLK_TCK")


def cpu_s(daemon: Daemon) -> float:
    """User and system time of all its threads (proc(5): fields 14 and 15, counted behind the name)."""
    fields = Path(f"/proc/{daemon.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_S


class Meter:
    """CPU and wall time over some stretches."""

    def __init__(self, daemon: Daemon) -> None:
        self.cpu_s = self.wall_s = 0.0
        self._daemon = daemon
        self._since: tuple[float, float] | None = None

    def start(self) -> None:
        self._since = cpu_s(self._daemon), perf_counter()

    def stop(self) -> None:
        if self._since is not None:
            self.cpu_s += cpu_s(self._daemon) - self._since[0]
            self.wall_s += perf_counter() - self._since[1]
            self._since = None

    def __str__(self) -> str:
        return f"{self.cpu_s / self.wall_s:7.2%} of a core   ({self.cpu_s:5.2f} s in {self.wall_s:5.1f} s)"


def _say(*lines: str) -> None:
    sys.stdout.writelines(f"{line}\n" for line in ("", *lines))


class Players:
    """Players and a dealer who take no time, and how many rounds they played. They listen from the beginning."""

    def __init__(self, table: World) -> None:
        asked = table.settings
        self.tally = Tally()
        self.dealing = Meter(table.daemon)
        self._whole = Meter(table.daemon)
        self._news = asyncio.Event()
        table.client.listen(self._hear)
        self._people = People(table.client, table.rig, Habits(SEED, asked.seats, DealingPace(0), asked.game))

    async def play(self, rounds: int, before: int = 0) -> Meter:
        """So many rounds; what they cost as a whole, what they cost while cards were dealt is in `dealing`.

        Those before are not counted: in them the daemon meets everything for the first time.
        """
        playing = asyncio.create_task(self._people.run())
        try:
            await self._until(before)
            self._whole.start()
            await self._until(before + rounds)
        finally:
            playing.cancel()
            with suppress(asyncio.CancelledError):
                await playing
        self._whole.stop()
        return self._whole

    async def _until(self, rounds: int) -> None:
        while self.tally.rounds < rounds:
            self._news.clear()
            await self._news.wait()

    def _hear(self, heard: EventHeard) -> None:
        if not self.tally.note(heard):
            return
        if heard.kind == "betting-closed":
            self.dealing.start()
        elif heard.kind == "deck-accounted":
            self.dealing.stop()
        self._news.set()


def _asked(directory: Path, speed: float, game: GameName = GameName.BIG_50) -> BenchSettings:
    played = GAMES[game]
    seats = min(SEATS, rules.GAMES[game].positions_max)
    return settings(directory, seed=SEED, seats=seats, speed=speed, game=game, profile=played.profiles[0])


@pytest.mark.timeout(300)
async def test_a_shuffler_at_the_fastest_pace_of_its_motors(tmp_path: Path, figures: Figures) -> None:
    async with world(_asked(tmp_path, 1.0)) as table:
        players, idle = Players(table), Meter(table.daemon)
        await heard_of(table.client, "shuffler").wait()
        idle.start()
        await asyncio.sleep(IDLE_S)
        idle.stop()
        whole = await players.play(ROUNDS)
    tally = players.tally
    figures.hold("a table that shuffles and waits, of a core", idle.cpu_s / idle.wall_s * 100, "%", bar=IDLE_PERCENT)
    _say(
        f"felt-link shuffler on a tty, {SEATS} seats, {tally.rounds} rounds, {tally.last_sequence} events",
        f"  while it shuffles   {idle}",
        f"  while it deals      {players.dealing}",
        f"  whole rounds        {whole}",
    )


@pytest.mark.timeout(300)
@pytest.mark.parametrize("game", list(GameName))
async def test_a_game_without_motors(game: GameName, tmp_path: Path, figures: Figures) -> None:
    async with world(_asked(tmp_path, 0.0, game)) as table:
        whole = await Players(table).play(FAST_ROUNDS, before=FIRST_ROUNDS)
    round_ms = whole.cpu_s / FAST_ROUNDS * 1e3
    name = f"a round of {game.value}, {table.settings.seats} seats"
    if game is GameName.BIG_50:
        figures.aim(name, round_ms, "ms of CPU", bar=ROUND_MS)
    else:
        figures.keep(name, round_ms, "ms of CPU")
    create(tmp_path / "empty.db")
    size = (tmp_path / JOURNAL).stat().st_size - (tmp_path / "empty.db").stat().st_size
    figures.aim(f"{name}, on the disk", size / (FIRST_ROUNDS + FAST_ROUNDS), "bytes", bar=ROUND_BYTES)
    _say(f"no motor takes any time: {FAST_ROUNDS} rounds in {whole.wall_s:.1f} s", f"  flat out            {whole}")


@pytest.mark.timeout(300)
async def test_an_angel_eye_back_to_back(tmp_path: Path, figures: Figures) -> None:
    asked = _asked(tmp_path, 1.0)
    rig = ShoeRig(ShoeSettings(SEED, decks=DECKS_MAX), PtyPort(tmp_path / "shoe"), SHOE_KINDS["angel-eye-iiex"])
    await rig.start()
    try:
        async with (
            broker(BrokerChoice(asked.broker, asked.mqtt, None), tmp_path) as there,
            connected(there.port, Topics(SITE, TABLE)) as client,
            source(asked) as beside,
        ):
            file = configuration(asked, there.port, beside.address)
            file.write_text(
                f'{file.read_text()}\n[devices.shoe]\nprofile = "angel-eye-iiex"\naddress = "{rig.address}"\n'
            )
            up = asyncio.Event()
            client.listen(lambda heard: up.set() if heard.data.get("device") == "shoe" else None)
            async with running(file) as daemon:
                await up.wait()
                drawing = await drawn(rig, daemon)
    finally:
        await rig.stop()
    figures.keep("a card from an Angel Eye, back to back", drawing.cpu_s / CARDS * 1e3, "ms of CPU")
    _say(
        f"Angel Eye II-EX on a tty, {CARDS} cards back to back at 4,800 baud ({1 / CARD_S:.0f} a second)",
        f"  all of it           {drawing}",
        f"  a card              {drawing.cpu_s / CARDS * 1e3:7.2f} ms of CPU",
    )


def heard_of(client: TableClient, device: str) -> asyncio.Event:
    """Set when the table says that this device is up; to be asked for before the daemon can have said so."""
    is_up = asyncio.Event()
    client.listen(lambda heard: is_up.set() if heard.data.get("device") == device else None)
    return is_up


async def drawn(rig: ShoeRig, daemon: Daemon) -> Meter:
    """The daemon's cost while one card follows the other."""
    meter, loop = Meter(daemon), asyncio.get_running_loop()
    meter.start()
    began_s = loop.time()
    for number in range(CARDS):
        await asyncio.sleep(began_s + number * CARD_S - loop.time())
        assert rig.draw() is None
    meter.stop()
    return meter
