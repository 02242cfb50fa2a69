"""A whole table at which nobody types a bet: chips lie on a felt with a sensor on a real tty, and rounds settle."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from daemon.tools.bench import world
from daemon.tools.bench.client import EventHeard
from sim_hardware.pace import Pace
from sim_hardware.ports import PtyPort
from sim_hardware.stakes import SensorSettings
from sim_hardware.stakes_rig import StakesRig
from tests.line.at_the_bench import SEATS, Table, bench

ROUNDS = 3


def _configured_with(monkeypatch: pytest.MonkeyPatch, rig: StakesRig) -> None:
    """The bench's configuration has the sensor besides."""
    usual = world.configuration

    def with_felt(*given: Any, **named: Any) -> Path:  # noqa: ANN401 - whatever the bench gives
        file = usual(*given, **named)
        felt = f'\n[devices.felt]\nprofile = "felt-link-stakes"\naddress = "{rig.address}"\n'
        file.write_text(file.read_text(encoding="utf-8") + felt, encoding="utf-8")
        return file

    monkeypatch.setattr(world, "configuration", with_felt)


def _lay_chips_instead_of_typing(table: Table, rig: StakesRig) -> None:
    """Players put chips down where the bench's would type, and the dealer sweeps the felt after each round."""
    ask = table.client.ask

    def is_bet(bet: dict[str, Any], round_id: str | None) -> bool:
        said = (heard for heard in table.heard if heard.kind == "bet-placed" and heard.round_id == round_id)
        return any(bet.items() <= heard.data.items() for heard in said)

    async def laid(name: str, role: object, round_id: str | None = None, **data: Any) -> dict[str, Any]:  # noqa: ANN401
        if name != "bet":
            return await ask(name, role, round_id, **data)  # type: ignore[arg-type]
        assert rig.lay(data["seat"], data["wager"].replace("_", "-"), data["stake_cents"]) is None
        await table.until(lambda: is_bet(data, round_id))
        return {"accepted": True}

    def sweep(heard: EventHeard) -> None:
        if heard.kind == "round-settled":
            rig.clear()

    table.client.ask = laid  # type: ignore[method-assign, assignment]
    table.client.listen(sweep)


async def test_rounds_are_bet_by_chips_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rig = StakesRig(SensorSettings(seats=SEATS, pace=Pace(0)), PtyPort(tmp_path / "felt"))
    await rig.start()
    try:
        _configured_with(monkeypatch, rig)
        async with bench(tmp_path) as table:
            _lay_chips_instead_of_typing(table, rig)
            await table.rounds(ROUNDS)
    finally:
        await rig.stop()
    closed = [stake for data in table.all_of("betting-closed") for stake in data["stakes"]]
    assert closed
    assert {stake["evidence"] for stake in closed} == {"seen-by-device"}
    assert {data["who"] for data in table.all_of("bet-placed")} == {"felt"}
    assert table.kinds().count("round-settled") >= ROUNDS
    assert "bet-removed" in table.kinds()  # what rode into the next round was swept
    table.loses_and_invents_no_card()
    table.sequence_is_whole()
    table.every_round_balances()
