"""Clauses of "At the table as the documents say", live: emulated machine on a real tty, daemon, journal, Mosquitto."""

from __future__ import annotations

from pathlib import Path

import pytest

from daemon.rules.wagers import GameName
from sim_hardware.faults import FaultName, OnPacket
from tests.line.at_the_bench import bench, nothing_settled_twice


@pytest.mark.parametrize("fault", [FaultName.SILENCE, FaultName.MID_PACKET_UNPLUG], ids=lambda fault: fault.value)
@pytest.mark.parametrize("game", [GameName.BIG_RAISE, GameName.BIG_DRAW], ids=lambda game: game.value)
async def test_clause_2_a_moments_silence_does_not_void_a_sound_round(
    game: GameName, fault: FaultName, tmp_path: Path
) -> None:
    """Both games change the packet size within a round: a packet in the old size would void it."""
    async with bench(tmp_path, game=game) as table:
        await table.rounds(1)
        table.rig.arm(fault, OnPacket(4))  # a hand of another size than the packet before it
        await table.rounds(3)
    assert "round-voided" not in table.kinds()
    assert table.kinds().count("device-lost") + table.kinds().count("device-stale") == 1
    nothing_settled_twice(table)
    table.sequence_is_whole()
    table.every_round_balances()
