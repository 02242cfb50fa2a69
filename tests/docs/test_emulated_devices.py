"""The bench technician's page lists every word and every fault of every emulated device."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sim_hardware.faults import BUTTONS_FAULTS, SHOE_FAULTS, SHUFFLER_FAULTS, STAKES_FAULTS
from tests.docs.documents import blocks, cells, section, text_of
from tests.support.processes import gone_afterwards

PAGE = text_of("sim_hardware/README.md")
_FELTD = str(Path(sys.executable).with_name("feltd"))
FAULTS = {"shuffler": SHUFFLER_FAULTS, "shoe": SHOE_FAULTS, "pad": BUTTONS_FAULTS, "felt": STAKES_FAULTS}


@pytest.mark.parametrize("device", FAULTS)
def test_every_fault_of_the_device_is_listed_and_no_other(device: str) -> None:
    rows = section(PAGE, "## Faults")
    listed = {
        name.strip("`")
        for name, devices in zip(cells(rows, 0), cells(rows, 1), strict=True)
        if device in devices.split(", ")
    }
    assert listed == {fault.value for fault in FAULTS[device]}


@pytest.mark.parametrize("device", FAULTS)
def test_a_device_introduces_itself_as_shown_and_has_the_words_listed(device: str, tmp_path: Path) -> None:
    words = {"shuffler": ["shuffler"], "shoe": ["shoe"], "pad": ["buttons"], "felt": ["stakes"]}[device]
    control = str(tmp_path / "hands")
    command = [_FELTD, "emulate", *words, "--pty", str(tmp_path / "shuffler"), "--control", control]
    with gone_afterwards(subprocess.Popen(command, stdout=subprocess.PIPE, text=True)) as running:
        assert running.stdout is not None
        introduction = [next(running.stdout)]
        while not introduction[-1].startswith("Interrupt to end"):
            introduction.append(next(running.stdout))
        tell = [_FELTD, "emulate", "tell", control, "help"]
        told = subprocess.run(tell, capture_output=True, text=True, check=True, timeout=120).stdout
        running.terminate()
    rows = section(PAGE, "## Words")
    listed = dict(zip(cells(rows, 0), cells(rows, 1), strict=True))[device]
    assert told.strip() == listed.replace("`", "")
    if device == "shuffler":
        (shown,) = blocks(PAGE, "text")
        assert "".join(introduction).replace(str(tmp_path), "/tmp") == shown  # noqa: S108  the page's own folder
