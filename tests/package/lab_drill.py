"""The drill of a casino's IT department, as one story: `make test-deb`.

A new administrator installs the package and sets up a broker with TLS, users and two tables, by the commands of
the guides and the questions of `feltd setup`. They play. The journal's disk fills up in the middle of a round,
and later dies. The tables are upgraded and rolled back in the middle of rounds, and move to another machine. Witnesses,
whose sessions the broker keeps, have every event once at the end.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from tests.package.packages import BUILD_S_MAX, built, later
from tests.package.typed import guide, scenario
from tests.systemd import container

HERE = Path(__file__).parent
DRILL_S_MAX = 1500
TABLES = ("table7", "table8")

pytestmark = pytest.mark.timeout(2 * DRILL_S_MAX + BUILD_S_MAX)


@pytest.fixture(scope="module")
def drilled(tmp_path_factory: pytest.TempPathFactory) -> list[container.Ran]:
    """Two machines, one after the other: the drill, and the one to which everything moves."""
    scratch = tmp_path_factory.mktemp("files")
    files = {
        "feltd.deb": built(),
        "feltd-next.deb": later(built(), scratch),
        "person.py": HERE / "person.py",
        **guide(scratch),
    }
    ran: list[container.Ran] = []
    for script in ("drill.sh", "moved.sh"):
        ran.append(container.run(tmp_path_factory.mktemp(script), scenario(script), None, files, DRILL_S_MAX))
        assert ran[-1].status == 0, ran[-1].output
        files["moved.tar"] = ran[0].notes / "moved.tar"
    return ran


def heard(drilled: list[container.Ran], table: str) -> list[dict[str, Any]]:
    """Every event that the witness has, in the order in which it came."""
    notes = ((drilled[0], f"{table}-heard"), (drilled[1], f"{table}-heard-on"))
    return [json.loads(line) for ran, name in notes for line in ran.note(name).splitlines()]


@pytest.mark.parametrize("table", TABLES)
def test_no_event_is_lost_and_none_means_two_things(drilled: list[container.Ran], table: str) -> None:
    """A jump of `sequence` would be a hole. A restored journal has an id of its own and goes on in its numbers."""
    by_id: dict[str, dict[str, Any]] = {}
    for event in heard(drilled, table):
        assert by_id.setdefault(event["id"], event) == event
    numbers: dict[str, list[int]] = defaultdict(list)
    for event in by_id.values():
        numbers[event["id"].partition(":")[0]].append(int(event["sequence"]))
    for of_journal in numbers.values():
        assert of_journal == list(range(of_journal[0], of_journal[0] + len(of_journal)))
    assert len(numbers) == (2 if table == "table7" else 1)


@pytest.mark.parametrize("table", TABLES)
def test_every_round_is_over_once_and_what_was_settled_balances(drilled: list[container.Ran], table: str) -> None:
    events = list({event["id"]: event for event in heard(drilled, table)}.values())
    ends = [event for event in events if event["type"] in ("round-settled", "round-voided")]
    over = Counter(event["roundid"] for event in ends)
    # The round that stood open in the restored copy ends in both journals, and consumers hear its name.
    again = {event["roundid"]: 2 for event in events if event["type"] == "journal-continued"}
    assert {name: count for name, count in over.items() if count > 1} == again
    staked: Counter[str] = Counter()
    for event in events:
        if event["type"] == "betting-closed":
            staked[event["roundid"]] = sum(stake["stake_cents"] for stake in event["data"]["stakes"])
    settled = [event for event in events if event["type"] == "round-settled"]
    assert len(settled) >= (10 if table == "table7" else 7)
    for event in settled:
        said = event["data"]
        assert said["stakes_cents"] == staked[event["roundid"]]
        assert said["stakes_cents"] - said["returned_cents"] == said["take_cents"]


def test_the_guides_lead_to_two_tables_without_a_problem(drilled: list[container.Ran]) -> None:
    first, _ = drilled
    for table in TABLES:
        assert "PROBLEM" not in first.note(f"doctor-{table}")
    assert "shuffler up; broker up" in first.note("status")
    assert re.search('Status: "table table7: .*shuffler up; broker up"', first.note("status-shown"))
    assert "table-started" in first.note("log")
    assert first.note("checked").startswith("FELTD OK - table7")


def test_the_table_signs_and_the_auditors_have_the_key(drilled: list[container.Ran]) -> None:
    assert " checkpoints are signed" in drilled[1].note("signed")
    assert drilled[1].note("signed").endswith("Everything fits.")


def test_figures_and_screens_are_served(drilled: list[container.Ran]) -> None:
    assert "# EOF" in drilled[0].note("figures")
    assert drilled[0].note("page").startswith("<!doctype html>")


def test_the_page_under_its_unit_reads_a_journal_and_no_other_table_does(drilled: list[container.Ran]) -> None:
    """Of a round that is over, at every step. Its public picture only: the page asks `feltd journal show` for it."""
    phases = {step["table"]["phase"] for step in json.loads(drilled[0].note("steps"))}
    assert phases >= {"betting", "dealing", "reconciling"}
    assert "Permission denied" in drilled[0].note("shown-to-others")


def test_a_device_on_a_bench_of_its_own_keeps_its_promises(drilled: list[container.Ran]) -> None:
    said = drilled[0].note("selftest")
    assert said.count(" passed, 0 failed, ") >= 3


def test_a_full_disk_ends_the_table_and_says_why(drilled: list[container.Ran]) -> None:
    assert "journal-full" in drilled[0].note("full")


def test_a_backup_of_root_leaves_every_file_to_the_table(drilled: list[container.Ran]) -> None:
    assert drilled[0].note("owners") == "feltd-table7"


def test_rounds_that_died_with_the_disk_are_not_dealt_again(drilled: list[container.Ran]) -> None:
    """Nothing on the new disk remembers them, so the command asks, and the broker knows."""
    assert "[last-round-unknown]" in drilled[0].note("refused")


def test_a_restored_table_tells_its_consumers(drilled: list[container.Ran]) -> None:
    (continued,) = [event for event in heard(drilled, "table7") if event["type"] == "journal-continued"]
    assert continued["data"]["because"] == "the disk died; backup of Monday"


def test_both_versions_ran(drilled: list[container.Ran]) -> None:
    assert "commit next of" in drilled[0].note("version-feltd-next.deb")
    assert "commit next of" not in drilled[0].note("version-feltd.deb")
    for package in ("feltd-next.deb", "feltd.deb"):
        for table in TABLES:
            assert f"feltd@{table}.service restarts between two rounds" in drilled[0].note(f"installed-{package}")
        assert "stop-waits-for-the-round" in drilled[0].note(f"waited-{package}")


@pytest.mark.parametrize("table", TABLES)
def test_the_record_is_whole_on_the_other_machine_and_has_what_was_heard(
    drilled: list[container.Ran], table: str
) -> None:
    _, other = drilled
    assert other.note(f"owner-{table}") == f"feltd-{table}"
    assert other.note(f"verified-{table}").endswith("Everything fits.")
    last = [event["roundid"] for event in heard(drilled, table) if event["type"] == "round-settled"][-1]
    assert other.note(f"rounds-{table}").splitlines()[-1].split()[0] == last
