"""The units mean what they say to systemd, which only warns of a key that it does not know."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from daemon.errors import ExitStatus

UNIT = Path(__file__).resolve().parents[2] / "systemd" / "feltd@.service"
INSTALLED = "/opt/feltd/bin/feltd"
FELTD = Path(sys.executable).with_name("feltd")


def verified(directory: Path, text: str) -> str:
    """What systemd says of the unit: it ends with 0 for most mistakes, so anything that it says is one."""
    for beside in ("feltd.target", "feltd-user@.service"):
        (directory / beside).write_bytes(UNIT.with_name(beside).read_bytes())
    unit = directory / UNIT.name
    # The kiosk's programs are Debian's, and are not installed where tests run.
    unit.write_text(text.replace(INSTALLED, str(FELTD)).replace("/usr/bin/cage", "/usr/bin/env"))
    command = ["systemd-analyze", "verify", "--man=no", str(unit)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
    return done.stdout + done.stderr


@pytest.mark.parametrize("unit", sorted(UNIT.parent.glob("*.service")), ids=lambda unit: unit.stem)
def test_systemd_has_nothing_to_say_of_the_units(unit: Path, tmp_path: Path) -> None:
    assert verified(tmp_path, unit.read_text(encoding="utf-8")) == ""


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("WatchdogSec=", "WatchDogSec=", "Unknown key"),
        ("WatchdogSec=30", "WatchdogSec=soon", "Failed to parse"),
        (f"ExecStart={INSTALLED}", "ExecStart=/nowhere/feltd", "is not executable"),
    ],
)
def test_a_mistake_in_the_unit_would_be_noticed(tmp_path: Path, right: str, wrong: str, said: str) -> None:
    text = UNIT.read_text(encoding="utf-8")
    assert right in text
    assert said in verified(tmp_path, text.replace(right, wrong))


def test_only_root_makes_directories_that_root_hands_over() -> None:
    lines = [line.split() for line in UNIT.with_name("feltd.tmpfiles.conf").read_text(encoding="utf-8").splitlines()]
    made = [line for line in lines if line and not line[0].startswith("#")]
    assert {path for _, path, *_ in made} == {"/etc/feltd", "/var/lib/feltd"}
    for _, path, mode, user, *_ in made:
        assert (user, int(mode, 8) & 0o022) == ("root", 0), path


def test_systemd_does_not_restart_what_only_a_changed_file_helps() -> None:
    assert f"RestartPreventExitStatus={ExitStatus.CONFIGURATION.value}\n" in UNIT.read_text(encoding="utf-8")
