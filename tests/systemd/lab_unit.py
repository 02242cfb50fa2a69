"""The installed daemon under real systemd: `make test-container`."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path

import pytest

from tests.systemd import container

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
UNITS = ROOT / "systemd"
INSTALLED = ROOT / "build" / "lab" / "feltd"
"""`.ci/prepare container` installs feltd here as on a table's machine: a wheel, without the tools of development."""
MEMORY_KB_MAX = 256 << 10
THREADS_MAX = 32
"""A quarter of what the unit allows."""


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
        "root:feltd 750 /var/lib/feltd",
    ]


def test_udev_understands_every_rule(ran: container.Ran) -> None:
    said = ran.note("udev").splitlines()
    about_ours = [line for line in said if "feltd" in line]
    assert about_ours == ["Reading rules file: /etc/udev/rules.d/60-feltd.rules"]


def test_udev_gives_a_port_to_its_own_table_by_doctors_rule(ran: container.Ran) -> None:
    users, rule = ran.note("own-rule").splitlines()
    assert set(users.removeprefix("# ").split()) >= {"feltd-table7", "feltd-table8"}
    assert 'OWNER="feltd-table7"' in rule
    about_ours = [line.partition("61-feltd-table7.rules:2 ")[2] for line in ran.note("own-udev").splitlines()]
    number = ran.note("own-number").strip()
    assert [said for said in about_ours if said] == [f"OWNER {number}", "GROUP 0", "MODE 0600"]


def test_a_wrong_configuration_is_not_tried_again(ran: container.Ran) -> None:
    shown = ran.shown("bad")
    assert (shown["ActiveState"], shown["ExecMainStatus"], shown["NRestarts"]) == ("failed", "78", "0")
    assert "table.seats: found 99" in ran.note("bad-log")


def test_a_table_without_its_journal_begins_none_and_is_tried_until_it_is_there(ran: container.Ran) -> None:
    assert ran.note("missing-files") == ""
    log = ran.note("missing-log")
    assert log.count("status=74") == log.count("[journal-missing]") >= 2
    assert "Started feltd@table7.service" in log


def test_the_table_waits_for_the_disk_of_its_journal(ran: container.Ran) -> None:
    assert "/var/lib/feltd/table7" in ran.note("waits-for").split()


def test_a_table_is_ready_without_device_and_broker(ran: container.Ran) -> None:
    shown = ran.shown("ready")
    assert (shown["ActiveState"], shown["SubState"]) == ("active", "running")
    assert "table7" in shown["StatusText"]


def test_the_daemon_is_nobody_special_and_its_journal_is_its_own(ran: container.Ran) -> None:
    assert ran.note("user") == "feltd-table7"
    assert ran.note("journal").splitlines() == ["feltd-table7:feltd 700", "feltd-table7:feltd-table7 600"]


def test_a_table_takes_over_what_the_user_before_owned_and_nobody_else_reads_it(ran: container.Ran) -> None:
    assert ran.note("handed-over") == "feltd-table8:feltd 700"
    assert "Permission denied" in ran.note("journal-of-others")


def test_no_table_makes_or_moves_a_directory_that_root_hands_over(ran: container.Ran) -> None:
    assert "Permission denied" in ran.note("directory-of-others")
    assert "Permission denied" in ran.note("own-directory")


def test_a_password_as_a_credential_is_found_while_the_table_is_stopped(ran: container.Ran) -> None:
    assert "/etc/feltd/secret.password, and this file does not exist" in ran.note("credential-missing")
    assert "[credential-missing]" in ran.note("credential-refused")
    assert "is given to feltd@secret from /etc/feltd/secret.password" in ran.note("credential-there")
    assert "Permission denied" in ran.note("credential-of-others")


def test_the_watchdog_is_fed_while_the_line_moves(ran: container.Ran) -> None:
    assert ran.shown("fed")["NRestarts"] == "0"


def test_a_killed_daemon_is_started_again(ran: container.Ran) -> None:
    shown = ran.shown("killed")
    assert (shown["SubState"], shown["NRestarts"]) == ("running", "1")


def test_a_daemon_that_stands_still_is_ended_and_started_again(ran: container.Ran) -> None:
    assert "Watchdog timeout" in ran.note("log")
    shown = ran.shown("stuck")
    assert (shown["SubState"], shown["NRestarts"]) == ("running", "2")


def test_a_table_is_confined(ran: container.Ran) -> None:
    for note in ("security", "security-of-figures"):
        exposure = re.search(r"exposure level for \S+: ([0-9.]+)", ran.note(note))
        assert exposure is not None, ran.note(note)
        assert float(exposure.group(1)) <= container.EXPOSURE_MAX


def test_a_table_may_call_others_and_nobody_can_call_it(ran: container.Ran) -> None:
    calls = set(ran.note("calls").split())
    assert calls >= {"socket", "bind", "connect"}
    assert not calls & {"listen", "accept", "accept4"}


def test_the_page_of_figures_hears_the_table_under_its_own_unit(ran: container.Ran) -> None:
    figures = ran.note("figures").splitlines()
    assert 'feltd_up{site="harbour",table="table8"} 1.0' in figures
    assert any(line.startswith('feltd_device_up{device="shuffler"') for line in figures)


def test_a_hang_up_ends_no_table(ran: container.Ran) -> None:
    shown = ran.shown("hung-up")
    assert (shown["SubState"], shown["NRestarts"]) == ("running", "0")


def test_a_table_uses_a_fraction_of_what_it_may(ran: container.Ran) -> None:
    used = dict(line.split()[:2] for line in ran.note("used").splitlines())
    assert int(used["VmHWM:"]) < MEMORY_KB_MAX
    assert int(used["Threads:"]) < THREADS_MAX


def test_each_log_line_has_its_own_priority_in_the_journal(ran: container.Ran) -> None:
    ours = {}
    for line in ran.note("entries").splitlines():
        entry = json.loads(line)
        with suppress(ValueError, TypeError):
            ours[json.loads(entry["MESSAGE"])["event"]] = entry["PRIORITY"]
    assert (ours["table-started"], ours["device-needs-technician"]) == ("6", "4")


def test_it_stops_in_good_order(ran: container.Ran) -> None:
    shown = ran.shown("stopped")
    assert (shown["ActiveState"], shown["Result"], shown["ExecMainStatus"]) == ("inactive", "success", "0")
