"""A table without the package, by the commands of the guides: installed, set up, upgraded and back. `make test-deb`."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.package.packages import ROOT, wheels
from tests.package.typed import guide, scenario
from tests.systemd import container

SCENARIO_S_MAX = 900

pytestmark = pytest.mark.timeout(SCENARIO_S_MAX + 100)


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> container.Ran:
    scratch = tmp_path_factory.mktemp("files")
    files = {
        "project.tar": _project(scratch),
        "wheels.tar": _wheels(scratch),
        "person.py": Path(__file__).with_name("person.py"),
        **guide(scratch),
    }
    ran = container.run(tmp_path_factory.mktemp("by-hand"), scenario("by_hand.sh"), None, files, SCENARIO_S_MAX)
    assert ran.status == 0, ran.output
    return ran


def _project(scratch: Path) -> Path:
    """Return what a clone of this tree has, with the changes that nobody has committed."""
    made = scratch / "project.tar"
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True).stdout
    packed = ["tar", "--create", f"--file={made}", "--null", "--files-from=-"]
    subprocess.run(packed, cwd=ROOT, input=names, check=True)
    return made


def _wheels(scratch: Path) -> Path:
    made = scratch / "wheels.tar"
    subprocess.run(["tar", "--create", f"--file={made}", "wheels"], cwd=wheels().parent, check=True)
    return made


def test_a_table_set_up_by_hand_takes_bets(ran: container.Ran) -> None:
    assert ran.note("version").startswith("feltd 0.1.0")
    assert "PROBLEM" not in ran.note("typed-a-new-table-table7")


def test_an_upgrade_and_the_way_back_leave_a_stake_alone(ran: container.Ran) -> None:
    for folder in ("feltd-next", "feltd"):
        assert "betting, round table7-1; shuffler up; broker up" in ran.note(f"status-{folder}")
    assert ran.note("verified").endswith("Everything fits.")
