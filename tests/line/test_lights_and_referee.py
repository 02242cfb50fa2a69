"""Machines as they are sold, at a whole table: one that is heard by its lights, and a shoe that knows only baccarat."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from daemon.rules.wagers import GameName
from daemon.tools.bench import devices
from daemon.tools.bench.settings import BenchSettings
from sim_hardware.shoe import ShoeSettings
from sim_hardware.shoe_rig import ShoeRig
from tests.line.at_the_bench import bench
from tests.support.sentences import Says


@pytest.mark.parametrize(
    ("game", "profile"),
    [
        (GameName.BIG_50, "contacts-packets"),
        (GameName.BIG_RAISE, "contacts-batch"),
        (GameName.BIG_RAISE, "deckmate-2-contacts"),
        (GameName.BIG_50, "i-deal-contacts"),
    ],
)
async def test_a_table_is_dealt_by_lights_a_tray_and_a_foot_switch(
    game: GameName, profile: str, tmp_path: Path
) -> None:
    async with bench(tmp_path, game=game, profile=profile) as table:
        await table.rounds(2)
    assert "round-voided" not in table.kinds()
    assert table.kinds().count("round-settled") == 2
    table.sequence_is_whole()
    table.every_round_balances()


@pytest.mark.parametrize("game", [GameName.BLACKJACK, GameName.BIG_DRAW])
async def test_a_shoe_that_referees_baccarat_stops_the_round_with_overdraw_and_invents_nothing(
    game: GameName, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: Says
) -> None:
    """On a real tty: the shoe is in error, the round is void with the shoe's own reason, and nothing is settled."""
    house = devices.shoe

    def refereeing(settings: BenchSettings) -> ShoeSettings:
        return replace(house(settings), referees=True)

    monkeypatch.setattr(devices, "shoe", refereeing)
    async with bench(tmp_path, game=game, profile="angel-eye-iiex") as table:
        await table.until(lambda: "round-voided" in table.kinds() and "device-faulted" in table.kinds())
        assert isinstance(table.rig, ShoeRig)
    faulted = table.all_of("device-faulted")[0]
    says(f"{faulted['fault']}: {faulted['detail']}")
    says(next(data["message"] for data in table.all_of("alert-raised") if data.get("device") is not None))
    assert "round-settled" not in table.kinds()
    table.sequence_is_whole()
