"""From the last byte on the tty to the result at a subscriber, beside the floor in the same run.

feltd and the floor are processes of their own, on the same kind of tty, the same broker and the same disk. The emulated
shuffler and the subscriber are this process, so both ends of a measurement are on one clock.
"""

from __future__ import annotations

import asyncio
import os
import pty
import sys
import tty
from pathlib import Path
from time import perf_counter

import pytest

from daemon.mqtt.topics import Topics
from daemon.tools.bench.broker import BrokerChoice, BrokerKind, broker
from daemon.tools.bench.client import EventHeard, connected
from daemon.tools.bench.world import SITE, TABLE
from protocols.cards import DECK
from protocols.felt_link import messages as m
from protocols.felt_link.frame import encode
from protocols.felt_link.wording import to_frame
from sim_hardware.ports import PtyPort
from tests.bench.bare_line import UP
from tests.bench.conftest import Figures
from tests.line.at_the_bench import bench

ROUNDS = 20
SEATS = 6
SPEED = 10.0
"""How much faster than real the motors are: no frame waits behind the one before, as none does at a table."""
FLOOR_TIMES = 150
PLAYED_S_MAX = 240.0
HEARD_S_MAX = 10.0
CAUSES = {"hand-dealt": b"PACKET|", "deck-accounted": b"REMAINDER|", "dealer-prompted": b"BUTTON|"}
"""Each event, and the words of the frame that it follows from: a hand, the last packet, a key of the dealer."""
PER_CENT = (50, 99)


class Watch:
    """When the shuffler wrote, and how much later the subscriber heard of it."""

    def __init__(self) -> None:
        self.taken_s: dict[str, list[float]] = {kind: [] for kind in CAUSES}
        self._written_s: dict[bytes, float] = {}

    def wrote(self, data: bytes) -> None:
        """Note the time: the last byte of a frame was just written."""
        for words in CAUSES.values():
            if words in data:
                self._written_s[words] = perf_counter()

    def hear(self, heard: EventHeard) -> None:
        """Note how long ago the frame was written. A frame that was sent again counts from the first time."""
        if heard.kind in CAUSES and CAUSES[heard.kind] in self._written_s:
            self.taken_s[heard.kind].append(perf_counter() - self._written_s.pop(CAUSES[heard.kind]))


def at(per_cent: int, seconds: list[float]) -> float:
    return sorted(seconds)[len(seconds) * per_cent // 100] * 1e3


@pytest.mark.timeout(300)
async def test_from_the_last_byte_to_the_subscriber(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, figures: Figures
) -> None:
    watch, write = Watch(), PtyPort.write

    def stamped(port: PtyPort, data: bytes) -> None:
        write(port, data)
        watch.wrote(data)

    monkeypatch.setattr(PtyPort, "write", stamped)
    for name in ("before", "table", "after"):
        (tmp_path / name).mkdir()
    floor = await bare(tmp_path / "before")
    async with bench(tmp_path / "table", seats=SEATS, speed=SPEED) as table:
        table.patience_s = PLAYED_S_MAX
        table.client.listen(watch.hear)
        await table.rounds(ROUNDS)
    floor += await bare(tmp_path / "after")  # on both sides of it, so that what else the machine does weighs on both
    for kind, seconds in watch.taken_s.items():
        for per_cent in PER_CENT:
            name = f"last byte on the tty to {kind} at a subscriber, p{per_cent}"
            figures.keep(name, at(per_cent, seconds), "ms", at(per_cent, floor))
        assert len(seconds) >= ROUNDS


async def bare(directory: Path) -> list[float]:
    """The same frame, time after time, through nothing but a tty, a commit and a publish."""
    topics, frame = Topics(SITE, TABLE), encode(to_frame(m.Numbered(3, False, m.PacketDispensed(1, 5, DECK[:5]))))
    master, slave = pty.openpty()
    tty.setraw(slave)
    heard: asyncio.Queue[str] = asyncio.Queue()
    taken_s: list[float] = []
    async with (
        broker(BrokerChoice(BrokerKind.MOSQUITTO, "5", None), directory) as there,
        connected(there.port, topics) as client,
    ):
        client.listen(lambda event: heard.put_nowait(event.kind))
        words = ("-m", "tests.bench.bare_line", os.ttyname(slave), str(there.port), str(directory / "floor.db"))
        process = await asyncio.create_subprocess_exec(sys.executable, *words)
        try:
            assert await asyncio.wait_for(heard.get(), HEARD_S_MAX) == UP
            for _ in range(FLOOR_TIMES):
                os.write(master, frame)
                began = perf_counter()
                await asyncio.wait_for(heard.get(), HEARD_S_MAX)
                taken_s.append(perf_counter() - began)
        finally:
            process.kill()
            await process.wait()
            os.close(master)
            os.close(slave)
    return taken_s
