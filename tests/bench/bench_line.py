"""From the last byte on the tty to the result at a subscriber, beside the floor in the same run.

feltd, the floor and the subscriber are processes of their own. feltd and the floor have the same kind of tty, the same
broker, the same disk and the same rhythm: what comes after a pause meets cold caches, in the floor as at a table. A
floor without pauses stands beside it, as the least that this machine can do.

That floor publishes one message. The last packet of a round settles every hand, and comes to some twenty. So a floor of
as many messages, of as many bytes, and of a commit of the same size stands beside each too, with the same bar.
"""

from __future__ import annotations

import asyncio
import os
import pty
import sys
import tty
from bisect import bisect_right
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing, suppress
from itertools import pairwise
from pathlib import Path
from statistics import median
from time import perf_counter, time
from typing import NamedTuple, cast

import apsw
import pytest

from daemon.tools.bench.broker import BrokerChoice, BrokerKind, broker
from daemon.tools.bench.world import world
from protocols.cards import DECK
from protocols.felt_link import messages as m
from protocols.felt_link.frame import encode
from protocols.felt_link.wording import to_frame
from sim_hardware.ports import PtyPort
from tests.bench.bare_line import ROW_BYTES, UP
from tests.bench.bench_table import Players
from tests.bench.conftest import Figures
from tests.bench.hearing import READY, Heard, heard_of
from tests.line.at_the_bench import settings

ROUNDS = 20
SEATS = 6
SPEED = 10.0
"""How much faster than real the motors are: no frame waits behind the one before, as none does at a table."""
FLOOR_TIMES = 100
HEARD_S_MAX = 10.0
CAUSES = {"hand-dealt": b"PACKET|", "deck-accounted": b"REMAINDER|", "dealer-prompted": b"BUTTON|"}
"""Each event, and the words of the frame that it follows from: a hand, the last packet, a key of the dealer."""
ONE_HAND = (300,)
BARS = {50: 1.3, 99: 2.0}
"""What each percentile may be of the floor's: issue 12. No version has reached them."""


class Load(NamedTuple):
    """What a frame came to: the bytes of each message, which of them counts, commits, and the bytes of the record."""

    sizes: tuple[int, ...]
    place: int
    commits: int
    row_bytes: int


class Watch:
    """When the shuffler writes, and how much later the subscriber heard of it."""

    def __init__(self) -> None:
        self.taken_s: dict[str, list[float]] = {kind: [] for kind in CAUSES}
        self.all_s: dict[str, list[float]] = {kind: [] for kind in CAUSES}  # until the last message of the same record
        self.loads: dict[str, list[Load]] = {kind: [] for kind in CAUSES}
        self.written_s: list[float] = []
        self._causes: dict[str, list[tuple[float, float]]] = {kind: [] for kind in CAUSES}  # by both clocks
        self._said: list[Heard] = []
        self._timed: list[tuple[Heard, float]] = []
        self._frames: set[bytes] = set()
        self._heard = asyncio.Event()

    def write(self, data: bytes) -> None:
        """Note the time: a frame is about to be written. One that is sent again counts from the first.

        Not once it is written: feltd may have answered before this process runs again.
        """
        kind = next((kind for kind, words in CAUSES.items() if words in data), None)
        if kind is not None and data not in self._frames:
            self._frames.add(data)
            self.written_s.append(perf_counter())
            self._causes[kind].append((time(), self.written_s[-1]))

    def hear(self, heard: Heard) -> None:
        """Note how long ago the latest frame of this kind was written before the event's own moment, which is when
        feltd had read it. A prompt that follows from something else may come while a key is on its way.
        """
        self._said.append(heard)
        causes = self._causes.get(heard.kind, [])
        before = bisect_right(causes, heard.moment_s, key=lambda cause: cause[0])
        if before:
            self._timed.append((heard, causes[before - 1][1]))
            self.taken_s[heard.kind].append(heard.heard_s - causes[before - 1][1])
            del causes[:before]
            self._heard.set()

    def weigh(self, journal: Path) -> None:
        """Note what else each timed event came with, once all is heard."""
        with closing(apsw.Connection(str(journal), flags=apsw.SQLITE_OPEN_READONLY)) as db:
            found = cast("list[tuple[int, int]]", db.execute("SELECT offset, length(body) FROM records").fetchall())
        row_bytes = dict(found)
        for timed, cause_s in self._timed:
            beside = [each for each in self._said if each.record == timed.record]
            offset = int(timed.record.rpartition(":")[2])
            commits = len({each.record for each in self._said if each.moment_s == timed.moment_s})
            sizes = tuple(each.size for each in beside)
            self.loads[timed.kind].append(Load(sizes, beside.index(timed), commits, row_bytes[offset]))
            self.all_s[timed.kind].append(beside[-1].heard_s - cause_s)

    async def until_heard(self, kind: str) -> None:
        """Return when the subscriber has heard what the last frame of this kind came to.

        The bench knows that a round is over when its own people hear so, which may be before the subscriber does.
        """
        async with asyncio.timeout(HEARD_S_MAX):
            while self._causes[kind]:
                self._heard.clear()
                await self._heard.wait()


def at(per_cent: int, seconds: list[float]) -> float:
    return sorted(seconds)[len(seconds) * per_cent // 100] * 1e3


@pytest.mark.timeout(600)
async def test_from_the_last_byte_to_the_subscriber(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, figures: Figures
) -> None:
    for name in ("first", "floor", "hot", "second", *CAUSES):
        (tmp_path / name).mkdir()
    halves = [Watch(), Watch()]
    await played(tmp_path / "first", halves[0], monkeypatch)
    written_s = halves[0].written_s
    pause_s = median([after - before for before, after in pairwise(written_s)])
    floor = await bare(tmp_path / "floor", pause_s)  # in between: what else the machine does weighs on both
    hot = await bare(tmp_path / "hot", 0.0)
    alike = {kind: await alike_floor(tmp_path / kind, pause_s, halves[0].loads[kind]) for kind in CAUSES}
    await played(tmp_path / "second", halves[1], monkeypatch)
    for kind, (load, beside) in alike.items():
        seconds = [each for half in halves for each in half.taken_s[kind]]
        whole = [each for half in halves for each in half.all_s[kind]]
        what = f"{len(load.sizes)} messages of {sum(load.sizes):,} bytes, {load.commits} commit"
        sys.stdout.write(f"\n{kind}: usually {what} of {load.row_bytes:,} bytes; message {load.place + 1} is the one\n")
        for per_cent, bar in BARS.items():
            name = f"last byte on the tty to {kind} at a subscriber, p{per_cent}"
            one = [each[0] for each in floor]
            figures.aim(name, at(per_cent, seconds), "ms", at(per_cent, one), bar=bar)
            same, last = [each[load.place] for each in beside], [each[-1] for each in beside]
            figures.aim(f"{name}, beside {what}", at(per_cent, seconds), "ms", at(per_cent, same), bar=bar)
            figures.keep(f"{name}, and all that comes with it", at(per_cent, whole), "ms", at(per_cent, last))
            cold = [each[0] for each in hot]
            figures.keep(f"{name}, beside a floor without pauses", at(per_cent, seconds), "ms", at(per_cent, cold))
        assert len(seconds) >= ROUNDS


async def alike_floor(directory: Path, pause_s: float, loads: list[Load]) -> tuple[Load, list[list[float]]]:
    """The load in the middle of all, and a floor that does as much."""
    load = sorted(loads, key=lambda each: sum(each.sizes))[len(loads) // 2]
    return load, await bare(directory, pause_s, load.row_bytes, load.sizes)


async def played(directory: Path, watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the rounds at a whole bench."""
    write = PtyPort.write

    def stamped(port: PtyPort, data: bytes) -> None:
        watch.write(data)
        write(port, data)

    with monkeypatch.context() as patched:
        patched.setattr(PtyPort, "write", stamped)
        async with (
            world(settings(directory, seats=SEATS, speed=SPEED)) as table,
            hearing(table.broker.port, watch.hear),
        ):
            await Players(table).play(ROUNDS // 2)
            await watch.until_heard("deck-accounted")
    watch.weigh(directory / "journal.db")


async def bare(
    directory: Path, pause_s: float, row_bytes: int = ROW_BYTES, sizes: tuple[int, ...] = ONE_HAND
) -> list[list[float]]:
    """The same frame, time after time, through nothing but a tty, a commit and one write of messages.

    Return for each how long every message took.
    """
    frame = encode(to_frame(m.Numbered(3, False, m.PacketDispensed(1, 5, DECK[:5]))))
    master, slave = pty.openpty()
    tty.setraw(slave)
    came: asyncio.Queue[Heard] = asyncio.Queue()
    taken_s: list[list[float]] = []
    async with (
        broker(BrokerChoice(BrokerKind.MOSQUITTO, "5", None), directory) as there,
        hearing(there.port, came.put_nowait),
    ):
        asked = (str(there.port), str(directory / "floor.db"), str(row_bytes), *map(str, sizes))
        words = ("-m", "tests.bench.bare_line", os.ttyname(slave), *asked)
        process = await asyncio.create_subprocess_exec(sys.executable, *words)
        try:
            assert (await asyncio.wait_for(came.get(), HEARD_S_MAX)).kind == UP
            for _ in range(FLOOR_TIMES):
                await asyncio.sleep(pause_s)
                began_s = perf_counter()
                os.write(master, frame)
                all_heard = [await asyncio.wait_for(came.get(), HEARD_S_MAX) for _ in sizes]
                taken_s.append([heard.heard_s - began_s for heard in all_heard])
        finally:
            process.kill()
            await process.wait()
            os.close(master)
            os.close(slave)
    return taken_s


@asynccontextmanager
async def hearing(port: int, hear: Callable[[Heard], None]) -> AsyncIterator[None]:
    """Call `hear` with each event that the subscriber heard."""
    words = ("-m", "tests.bench.hearing", str(port))
    process = await asyncio.create_subprocess_exec(sys.executable, *words, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    said = process.stdout
    assert (await said.readline()).decode().startswith(READY)

    async def read() -> None:
        while line := await said.readline():
            hear(heard_of(line.decode()))

    reading = asyncio.create_task(read())
    try:
        yield
    finally:
        reading.cancel()
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
