"""A machine is exchanged for one of another name in the file: from the first start on nothing waits for the old one."""

from __future__ import annotations

from pathlib import Path

from daemon.journal.creation import create
from daemon.table import view
from daemon.table.inputs import ClearAlert
from daemon.table.vocabulary import Actor, AlertName
from drivers.events import DeviceName, LinkLost
from sim_hardware.loop import run
from tests.daemon.config.files import GOOD
from tests.daemon.test_days import PACIFIC, asked, at, said, table, there

NOON = "2026-03-02 12:00"
MISSING = ClearAlert(AlertName("missing-shuffler"))
NEW = DeviceName("machine-2")


def test_the_alert_of_the_old_machine_is_cleared_after_the_first_start_and_after_every_other(tmp_path: Path) -> None:
    create(tmp_path / "table7.journal")
    old, new = tmp_path / "old.toml", tmp_path / "new.toml"
    old.write_text(GOOD)
    new.write_text(GOOD.replace("[devices.shuffler]", f"[devices.{NEW}]").replace('"shuffler"', f'"{NEW}"'))

    async def shift() -> None:
        with table(old, at(NOON, PACIFIC)) as graph:
            there(graph)
            said(graph, LinkLost("it broke"))
            assert asked(graph, MISSING, Actor.DEALER).code == "cause-stands"
        for _ in range(2):
            with table(new, at(NOON, PACIFIC)) as graph:
                assert NEW in (graph.intake.state.named or ())
                assert [device.device for device in view.public(graph.intake.state).devices] == []
        with table(new, at(NOON, PACIFIC)) as graph:
            assert asked(graph, MISSING, Actor.DEALER).accepted

    run(shift())
