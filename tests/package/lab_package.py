"""The Debian package under real systemd: it comes, is upgraded while a round is played, and goes. `make test-deb`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.systemd import container

HERE = Path(__file__).parent
BUILT = HERE.parents[1] / "build" / "deb"
"""`make deb` leaves the package here."""


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> container.Ran:
    (package,) = BUILT.glob("*.deb")
    files = {"feltd.deb": package, "ask.py": HERE / "ask.py"}
    ran = container.run(tmp_path_factory.mktemp("package"), (HERE / "scenario.sh").read_text(), None, files)
    assert ran.status == 0, ran.output
    return ran


def test_it_says_which_commit_it_is_and_has_its_manual(ran: container.Ran) -> None:
    assert " (commit " in ran.note("version")
    assert ran.note("manual").startswith(".TH")


def test_its_modules_are_compiled_in_the_package(ran: container.Ran) -> None:
    assert ran.note("compiled-here") == ""


def test_an_upgrade_leaves_a_round_alone_and_names_the_table_that_waits(ran: container.Ran) -> None:
    assert "feltd@table7.service restarts between two rounds; now: table table7: betting" in ran.note("upgraded")
    assert ran.shown("waiting")["NRestarts"] == "0"


def test_the_table_restarts_when_its_round_is_over(ran: container.Ran) -> None:
    shown = ran.shown("restarted")
    assert (shown["SubState"], shown["ExecMainStatus"]) == ("running", "0")


def test_it_goes_and_leaves_configuration_and_journal(ran: container.Ran) -> None:
    assert ran.note("after") == "inactive"
    left = ran.note("left").splitlines()
    assert "/etc/feltd/table7.toml" in left
    assert "/var/lib/feltd/table7/journal.db" in left
    assert not [path for path in left if path.startswith("/opt")]
    assert "are left as they are" in ran.note("purged")
