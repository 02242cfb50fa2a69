"""Each named fault, end to end: emulated shuffler on a real tty, daemon, journal, Mosquitto, subscriber.

What the link can repair changes no result: the rounds are those of the same seed without the fault. What it cannot
voids the round or holds it, with every stake back, and the table plays on.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from sim_hardware.faults import SHUFFLER_FAULTS, Always, FaultName, NextTime, OnPacket
from tests.line.at_the_bench import Table, bench, results

ROUNDS = 3


async def played(directory: Path, fault: FaultName | None, arming: Always | NextTime | OnPacket | None = None) -> Table:
    """Some rounds of the usual seed, with the fault armed once the first is over."""
    async with bench(directory) as table:
        await table.rounds(1)
        if fault is not None:
            table.rig.arm(fault, arming or NextTime())
        await table.rounds(1 + ROUNDS)
    table.sequence_is_whole()
    table.every_round_balances()
    table.loses_and_invents_no_card()
    return table


@pytest.fixture(scope="module")
def sound_results(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, list[str]]]:
    """What the seed comes to when nothing goes wrong."""
    import asyncio

    table = asyncio.run(played(tmp_path_factory.mktemp("sound"), None))
    assert "round-voided" not in table.kinds()
    return results(table, range(1, 2 + ROUNDS))


REPAIRED = [
    (FaultName.CORRUPTED_FRAMES, Always()),
    (FaultName.DROPPED_FRAMES, Always()),
    (FaultName.REPEATED_FRAMES, Always()),
    (FaultName.SLOW, Always()),
]


@pytest.mark.parametrize(("fault", "arming"), REPAIRED, ids=lambda value: getattr(value, "value", ""))
async def test_a_bad_line_changes_no_result(
    fault: FaultName, arming: Always, tmp_path: Path, sound_results: list[tuple[str, list[str]]]
) -> None:
    table = await played(tmp_path, fault, arming)
    assert "round-voided" not in table.kinds()
    assert results(table, range(1, 2 + ROUNDS)) == sound_results


@pytest.mark.parametrize("fault", [FaultName.MID_PACKET_UNPLUG, FaultName.SILENCE])
async def test_a_line_that_goes_and_comes_back_latches_and_changes_no_result(
    fault: FaultName, tmp_path: Path, sound_results: list[tuple[str, list[str]]]
) -> None:
    table = await played(tmp_path, fault)
    assert "round-voided" not in table.kinds()
    assert [data["alert"] for data in table.all_of("alert-raised")] == ["missing-shuffler"]
    assert [data["alert"] for data in table.all_of("alert-cleared")] == ["missing-shuffler"]
    assert results(table, range(1, 2 + ROUNDS)) == sound_results


VOIDED = [
    (FaultName.SHORT_HAND, "wrong-count"),
    (FaultName.LONG_HAND, "wrong-count"),
    (FaultName.UNREADABLE_CARD, "unreadable-card"),
    (FaultName.BOXED_CARD, "boxed-card"),
    (FaultName.FOREIGN_CARD, "foreign-card"),
    (FaultName.DUPLICATE_CARD, "duplicate-card"),
    (FaultName.WRONG_MODE, "wrong-count"),
]


@pytest.mark.parametrize(("fault", "irregularity"), VOIDED)
async def test_a_wrong_deal_voids_with_every_stake_back_and_play_goes_on(
    fault: FaultName, irregularity: str, tmp_path: Path
) -> None:
    table = await played(tmp_path, fault)
    voids = table.all_of("round-voided")
    assert [void["irregularity"] for void in voids] == [irregularity]
    assert voids[0]["returned_cents"] == sum(stake["stake_cents"] for stake in voids[0]["returned"]) > 0
    assert table.kinds().count("round-settled") == ROUNDS


async def test_a_missing_card_is_a_short_deck_that_is_never_dealt(tmp_path: Path) -> None:
    table = await played(tmp_path, FaultName.MISSING_CARD)
    # The count comes before the machine's own word for it, and the alert tells of the latest.
    assert {data["alert"] for data in table.all_of("alert-raised")} == {"short-deck-shuffler"}
    assert 51 in [data["count"] for data in table.all_of("deck-shuffled")]
    assert "round-voided" not in table.kinds()


async def test_a_jam_holds_the_round_until_a_supervisor_voids_it(tmp_path: Path) -> None:
    table = await played(tmp_path, FaultName.JAM)
    assert "jam-shuffler" in [data["alert"] for data in table.all_of("alert-raised")]
    assert table.all_of("round-held")
    assert [void["irregularity"] for void in table.all_of("round-voided")] == [None]


async def test_a_reboot_in_mid_deal_interrupts_the_round(tmp_path: Path) -> None:
    table = await played(tmp_path, FaultName.REBOOT)
    assert "restarted" in table.all_of("round-interrupted")[0]["reason"]
    assert len(table.all_of("round-voided")) == 1


def test_every_named_fault_is_tested_here() -> None:
    alone = {FaultName.MISSING_CARD, FaultName.JAM, FaultName.REBOOT, FaultName.MID_PACKET_UNPLUG, FaultName.SILENCE}
    assert alone | {fault for fault, _ in REPAIRED} | {fault for fault, _ in VOIDED} == set(SHUFFLER_FAULTS)
