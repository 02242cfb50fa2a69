"""`feltd access --out`: the list that a broker reads is replaced whole, or stays as it was."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from daemon.config.document import InvalidConfigurationError
from daemon.errors import SetupError
from daemon.tools.access import access, mosquitto
from tests.brokers.site import people, people_text

OLD = "user ana\ntopic read old\n"


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    (tmp_path / "people.toml").write_text(people_text())
    listed = tmp_path / "feltd.acl"
    listed.write_text(OLD)
    listed.chmod(0o604)
    return listed


def written(out: Path) -> Result:
    words = ["--broker", "mosquitto", "--out", str(out), str(out.parent / "people.toml")]
    return CliRunner().invoke(access, words)


def test_the_list_is_replaced_and_keeps_its_rights(listed: Path) -> None:
    done = written(listed)
    assert (done.exit_code, done.output) == (0, "")
    assert listed.read_text() == mosquitto(people())
    assert stat.S_IMODE(listed.stat().st_mode) == 0o604
    assert {each.name for each in listed.parent.iterdir()} == {"people.toml", "feltd.acl"}


def test_a_new_list_is_for_owner_and_group(listed: Path) -> None:
    listed.unlink()
    assert written(listed).exit_code == 0
    assert stat.S_IMODE(listed.stat().st_mode) == 0o640


def test_a_mistake_in_the_file_of_people_leaves_the_list_as_it_was(listed: Path) -> None:
    (listed.parent / "people.toml").write_text("site = 3")
    assert isinstance(written(listed).exception, InvalidConfigurationError)
    assert listed.read_text() == OLD


def test_what_is_no_file_is_not_replaced(listed: Path) -> None:
    """As root it would have been /dev/null."""
    listed.unlink()
    os.mkfifo(listed)
    assert isinstance(written(listed).exception, SetupError)
    assert listed.is_fifo()


def test_a_list_that_cannot_be_written_stays_as_it_was(listed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    done = written(listed)
    assert isinstance(done.exception, SetupError)
    assert "No space left on device" in done.exception.message
    assert listed.read_text() == OLD
    assert {each.name for each in listed.parent.iterdir()} == {"people.toml", "feltd.acl"}
