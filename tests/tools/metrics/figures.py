"""Figures of a table that was really played, in virtual time: with a void round, and a shuffler that was unplugged."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from daemon.app import Graph
from daemon.meter import cards_are_out
from daemon.mqtt.metrics import Metrics
from daemon.rules.wagers import GameName
from sim_hardware.faults import Always, FaultName, NextTime
from sim_hardware.loop import run
from sim_hardware.shuffler_rig import ShufflerRig
from tests.support.virtual_table import House, Log, VirtualTable

PLAYED_S = 300.0


@dataclass(frozen=True, slots=True)
class Played:
    """What the table measured, and what was heard of it."""

    figures: Metrics
    kinds: Counter[str]
    delivered: int
    unpublished: int
    while_away: Metrics  # measured while the broker was away
    sizes: tuple[tuple[bool, int], ...]  # of the journal, once a second: whether cards were out, and the figure


class _MeasuredTable(VirtualTable):
    graph: Graph

    async def _live(self, graph: Graph) -> None:
        self.graph = graph
        await super()._live(graph)


def played(directory: Path) -> Played:
    """Play, and return the figures with what was heard."""

    async def play() -> Played:
        house = House({GameName.BIG_50: "felt-link-shuffler-faces"})
        table = _MeasuredTable(directory, 7, house, Log())
        async with table.open():
            sizes = []
            for _ in range(int(PLAYED_S)):
                await table.let_pass(1.0)
                now = table.graph.meter.measure(table.graph.devices)
                sizes.append((cards_are_out(table.graph.intake.state), now.journal_bytes))
            rig = table.rig
            assert isinstance(rig, ShufflerRig)
            rig.arm(FaultName.CORRUPTED_FRAMES, Always())
            await table.let_pass(PLAYED_S)
            rig.disarm(FaultName.CORRUPTED_FRAMES)
            rig.arm(FaultName.SHORT_HAND, NextTime())
            await table.let_pass(PLAYED_S)
            graph = table.graph
            table.broker.is_away = True
            table.broker.cut()
            rig.unplug()  # and with that the table stands still
            await table.let_pass(PLAYED_S)
            while_away = graph.meter.measure(graph.devices)
            table.broker.is_away = False
            await table.let_pass(PLAYED_S)
            figures = graph.meter.measure(graph.devices)
            kinds = Counter(heard.kind for heard in table.log.heard)
            unpublished = graph.journal.last_sequence() - graph.journal.cursor("mqtt")
            return Played(figures, kinds, graph.session.outbox.counts.delivered, unpublished, while_away, tuple(sizes))

    return run(play(), 7)
