"""A running table holds no code that it does not use: no audit, no web server, no tool, no emulator, no drawing."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from daemon.journal.creation import create
from tests.daemon.config.files import GOOD
from tests.daemon.config.test_edges import GENEROUS
from tests.sim_hardware.free_port import free_port
from tests.support.processes import gone_afterwards

RUN: Final = """
import atexit, json, sys
atexit.register(lambda: print(json.dumps({"event": "imported", "modules": sorted(sys.modules)})))
from daemon.cli import feltd
feltd(["run", "--config", sys.argv[1]])
"""
BLACKJACKS_AUDIT: Final = ("audit", "assumptions", "basic", "dealer_odds", "main_return", "returns", "shoe", "strategy")
AUDITS: Final = ("daemon.rules.audit", *(f"daemon.rules.blackjack.{name}" for name in BLACKJACKS_AUDIT))
OF_ONE_TABLE: Final = {
    "tools": ("daemon.tools", "sim_hardware"),
    "audits": AUDITS,
    "web": ("aiohttp", "daemon.page"),
    "drawing": ("rich", "pygments"),
}


def imported(directory: Path, more: str) -> set[str]:
    """Run a table until it has started, end it, and return the names of all modules that it had imported."""
    file = directory / "table.toml"
    file.write_text(f"{GOOD.replace('/dev/serial/by-id', str(directory))}[mqtt]\nport = {free_port()}\n{more}")
    create(directory / "table7.journal")
    command = [sys.executable, "-c", RUN, str(file)]
    with gone_afterwards(subprocess.Popen(command, stdout=subprocess.PIPE, text=True)) as process:
        assert process.stdout is not None
        lines = map(json.loads, process.stdout)
        while next(lines)["event"] != "table-started":
            pass
        process.send_signal(signal.SIGTERM)
        *_, last = lines
    assert process.returncode == 0
    return set(last["modules"])


def groups(modules: set[str]) -> set[str]:
    return {
        group
        for group, names in OF_ONE_TABLE.items()
        if any(module == name or module.startswith(f"{name}.") for module in modules for name in names)
    }


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("", set()),
        ("[money]\nedge_percent_max = 20\n", {"audits"}),
        (GENEROUS, {"audits"}),
    ],
    ids=["a table as published", "with a bound", "with a paytable of its own"],
)
def test_a_table_imports_only_what_it_uses(tmp_path: Path, more: str, expected: set[str]) -> None:
    assert groups(imported(tmp_path, more)) == expected
