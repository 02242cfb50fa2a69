"""From the last byte on the tty to the result at a subscriber, beside the floor in the same run.

feltd, the floor and the subscriber are processes of their own. feltd and the floor have the same kind of tty, the same
broker, the same disk and the same rhythm: what comes after a pause meets cold caches, in the floor as at a table. A
floor without pauses stands beside it, as the least that this machine can do.
"""

from __future__ import annotations

import asyncio
import os
import pty
import sys
import tty
from bisect import bisect_right
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from itertools import pairwise
from pathlib import Path
from statistics import median
from time import perf_counter, time

import pytest

from daemon.tools.bench.broker import BrokerChoice, BrokerKind, broker
from daemon.tools.bench.world import world
from protocols.cards import DECK
from protocols.felt_link import messages as m
from protocols.felt_link.frame import encode
from protocols.felt_link.wording import to_frame
from sim_hardware.ports import PtyPort
from tests.bench.bare_line import UP
from tests.bench.bench_table import Players
from tests.bench.conftest import Figures
from tests.bench.hearing import READY
from tests.line.at_the_bench import settings

ROUNDS = 20
SEATS = 6
SPEED = 10.0
"""How much faster than real the motors are: no frame waits behind the one before, as none does at a table."""
FLOOR_TIMES = 100
HEARD_S_MAX = 10.0
CAUSES = {"hand-dealt": b"PACKET|", "deck-accounted": b"REMAINDER|", "dealer-prompted": b"BUTTON|"}
"""Each event, and the words of the frame that it follows from: a hand, the last packet, a key of the dealer."""
BARS = {50: 1.3, 99: 2.0}
"""What each percentile may be of the floor's: issue 12. No version has reached them."""


class Watch:
    """When the shuffler writes, and how much later the subscriber heard of it."""

    def __init__(self) -> None:
        self.taken_s: dict[str, list[float]] = {kind: [] for kind in CAUSES}
        self.written_s: list[float] = []
        self._causes: dict[str, list[tuple[float, float]]] = {kind: [] for kind in CAUSES}  # by both clocks
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

    def hear(self, kind: str, heard_s: float, moment_s: float) -> None:
        """Note how long ago the latest frame of this kind was written before the event's own moment, which is when
        feltd had read it. A prompt that follows from something else may come while a key is on its way.
        """
        causes = self._causes.get(kind, [])
        before = bisect_right(causes, moment_s, key=lambda cause: cause[0])
        if before:
            self.taken_s[kind].append(heard_s - causes[before - 1][1])
            del causes[:before]
            self._heard.set()

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


@pytest.mark.timeout(400)
async def test_from_the_last_byte_to_the_subscriber(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, figures: Figures
) -> None:
    for name in ("first", "floor", "hot", "second"):
        (tmp_path / name).mkdir()
    halves = [Watch(), Watch()]
    await played(tmp_path / "first", halves[0], monkeypatch)
    written_s = halves[0].written_s
    pause_s = median([after - before for before, after in pairwise(written_s)])
    floor = await bare(tmp_path / "floor", pause_s)  # in between: what else the machine does weighs on both
    hot = await bare(tmp_path / "hot", 0.0)
    await played(tmp_path / "second", halves[1], monkeypatch)
    for kind in CAUSES:
        seconds = [each for half in halves for each in half.taken_s[kind]]
        for per_cent, bar in BARS.items():
            name = f"last byte on the tty to {kind} at a subscriber, p{per_cent}"
            figures.aim(name, at(per_cent, seconds), "ms", at(per_cent, floor), bar=bar)
            figures.keep(f"{name}, beside a floor without pauses", at(per_cent, seconds), "ms", at(per_cent, hot))
        assert len(seconds) >= ROUNDS


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


async def bare(directory: Path, pause_s: float) -> list[float]:
    """The same frame, time after time, through nothing but a tty, a commit and a publish."""
    frame = encode(to_frame(m.Numbered(3, False, m.PacketDispensed(1, 5, DECK[:5]))))
    master, slave = pty.openpty()
    tty.setraw(slave)
    heard: asyncio.Queue[tuple[str, float]] = asyncio.Queue()
    taken_s: list[float] = []
    async with (
        broker(BrokerChoice(BrokerKind.MOSQUITTO, "5", None), directory) as there,
        hearing(there.port, lambda kind, heard_s, _moment_s: heard.put_nowait((kind, heard_s))),
    ):
        words = ("-m", "tests.bench.bare_line", os.ttyname(slave), str(there.port), str(directory / "floor.db"))
        process = await asyncio.create_subprocess_exec(sys.executable, *words)
        try:
            assert (await asyncio.wait_for(heard.get(), HEARD_S_MAX))[0] == UP
            for _ in range(FLOOR_TIMES):
                await asyncio.sleep(pause_s)
                began_s = perf_counter()
                os.write(master, frame)
                _, heard_s = await asyncio.wait_for(heard.get(), HEARD_S_MAX)
                taken_s.append(heard_s - began_s)
        finally:
            process.kill()
            await process.wait()
            os.close(master)
            os.close(slave)
    return taken_s


@asynccontextmanager
async def hearing(port: int, hear: Callable[[str, float, float], None]) -> AsyncIterator[None]:
    """Call `hear` with the kind of each event, when the subscriber heard it, and its own moment."""
    words = ("-m", "tests.bench.hearing", str(port))
    process = await asyncio.create_subprocess_exec(sys.executable, *words, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    said = process.stdout
    assert (await said.readline()).decode().startswith(READY)

    async def read() -> None:
        while line := await said.readline():
            kind, heard_s, moment_s = line.decode().split()
            hear(kind, float(heard_s), float(moment_s))

    reading = asyncio.create_task(read())
    try:
        yield
    finally:
        reading.cancel()
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
