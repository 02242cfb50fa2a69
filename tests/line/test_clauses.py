"""Clauses of "At the table as the documents say", live: emulated machine on a real tty, daemon, journal, Mosquitto."""

from __future__ import annotations

from pathlib import Path

import pytest

from daemon.rules.wagers import GameName
from sim_hardware.faults import FaultName, NextTime, OnPacket
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


async def test_clause_8_a_void_is_put_back_before_the_next_round_takes_bets(tmp_path: Path) -> None:
    """The void, its steps and its alert, then the dealer's word, then the next round: in this order for everybody."""
    async with bench(tmp_path) as table:
        await table.rounds(1)
        table.rig.arm(FaultName.SHORT_HAND, NextTime())
        await table.rounds(3)
    (voided,) = [heard for heard in table.heard if heard.kind == "round-voided"]
    assert voided.data["irregularity"] == "wrong-count"
    of_round = [heard for heard in table.heard if heard.sequence >= voided.sequence]
    kinds = [heard.kind for heard in of_round]
    (prompt,) = [heard for heard in of_round if heard.kind == "dealer-prompted" and heard.round_id == voided.round_id]
    returned = [(stake["seat"], stake["stake_cents"]) for stake in voided.data["returned"]]
    assert [(step["seat"], step["amount_cents"]) for step in prompt.data["steps"]] == returned
    alert = f"void-{voided.round_id}"
    raised, cleared = (
        next(heard.sequence for heard in of_round if heard.kind == kind and heard.data["alert"] == alert)
        for kind in ("alert-raised", "alert-cleared")
    )
    opened = next(heard.sequence for heard in of_round if heard.kind == "round-opened")
    assert voided.sequence < raised < prompt.sequence < cleared < opened
    assert kinds.index("bet-placed") > kinds.index("round-opened")
    table.sequence_is_whole()
    table.every_round_balances()
