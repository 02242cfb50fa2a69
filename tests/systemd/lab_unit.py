"""The installed daemon under real systemd: `make test-lab`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.systemd import container

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
UNITS = ROOT / "systemd"
INSTALLED = ROOT / "build" / "lab" / "feltd"
"""`.ci/prepare lab` installs feltd here as on a table's machine: a wheel, without the tools of development."""


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> container.Ran:
    files = {file.name: file for file in UNITS.iterdir() if file.is_file()}
    directory = tmp_path_factory.mktemp("container")
    ran = container.run(directory, (HERE / "scenario.sh").read_text(), INSTALLED, files)
    assert ran.status == 0, ran.output
    return ran


def test_the_user_and_its_directories_are_made(ran: container.Ran) -> None:
    assert set(ran.note("groups").split()) == {"feltd", "dialout"}
    assert ran.note("directories").splitlines() == [
        "root:feltd 750 /etc/feltd",
        "feltd:feltd 750 /var/lib/feltd",
    ]


def test_udev_understands_every_rule(ran: container.Ran) -> None:
    said = ran.note("udev").splitlines()
    about_ours = [line for line in said if "feltd" in line]
    assert about_ours == [
        "Reading rules file: /etc/udev/rules.d/60-feltd.rules",
        "Reading rules file: /etc/udev/rules.d/61-feltd-usb.rules",
    ]


def test_a_wrong_configuration_is_not_tried_again(ran: container.Ran) -> None:
    shown = ran.shown("bad")
    assert (shown["ActiveState"], shown["ExecMainStatus"], shown["NRestarts"]) == ("failed", "78", "0")
    assert "table.seats: found 99" in ran.note("bad-log")
