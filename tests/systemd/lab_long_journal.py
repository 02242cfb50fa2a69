"""A table with ten million records behind it, and one whose disk fails, under the real unit: `make test-container`."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.tools.bench.world import people_file
from tests.line.at_the_bench import SEATS
from tests.systemd import container
from tests.systemd.lab_unit import HERE, INSTALLED, UNITS
from tests.systemd.long_journal import SOURCE, long_journal

SCENARIO_S_MAX = 600
GENERATED_S_MAX = 3_600
STARTS = ("first", "restarted", "crashed", "upgraded", "rolled-back")
CPU_TICKS_MORE_MAX = 50
"""Half a second: what a start may differ by on a machine that does other things."""
READ_BYTES_MORE_MAX = 20_000_000
"""Of two gigabytes. A replay of them would read them all."""

pytestmark = pytest.mark.timeout(GENERATED_S_MAX)


@pytest.fixture(scope="module")
def ran() -> Iterator[container.Ran]:
    kept = long_journal()
    files = {file.name: file for file in UNITS.iterdir() if file.is_file()}
    with tempfile.TemporaryDirectory(prefix="long-", dir=kept.parent) as scratch:
        directory = Path(scratch)
        (directory / "lab" / "long").mkdir(parents=True)
        shutil.copy(kept, directory / "lab" / "long" / "journal.db")
        (directory / "people.toml").write_text(people_file(SEATS), encoding="utf-8")
        files |= {
            "release.toml": SOURCE.with_suffix(".toml"),
            "release-people.toml": directory / "people.toml",
            "short.db": SOURCE,
        }
        scenario = (HERE / "long_scenario.sh").read_text(encoding="utf-8")
        done = container.run(directory, scenario, INSTALLED, files, SCENARIO_S_MAX)
        assert done.status == 0, done.output
        yield done


@pytest.mark.parametrize("start", STARTS)
def test_a_start_costs_what_it_costs_on_a_short_journal(ran: container.Ran, start: str) -> None:
    long, short = ran.shown(f"long-{start}"), ran.shown(f"short-{start}")
    taken_s = [
        (int(shown["ActiveEnterTimestampMonotonic"]) - int(shown["ExecMainStartTimestampMonotonic"])) / 1e6
        for shown in (long, short)
    ]
    ticks = [int(shown["CpuTicks"]) for shown in (long, short)]
    read = [int(shown["ReadBytes"]) for shown in (long, short)]
    print(f"{start}: ready after {taken_s} s, {ticks} ticks of CPU, {read} bytes read: long, short")  # noqa: T201
    assert ticks[0] <= ticks[1] + CPU_TICKS_MORE_MAX
    assert read[0] <= read[1] + READ_BYTES_MORE_MAX


@pytest.mark.parametrize("table", ["long", "short"])
@pytest.mark.parametrize("start", STARTS)
def test_each_start_stands_in_the_round_of_before(ran: container.Ran, table: str, start: str) -> None:
    round_id = json.loads(SOURCE.with_suffix(".json").read_text(encoding="utf-8"))["table"]["round_id"]
    shown = ran.shown(f"{table}-{start}")
    assert shown["SubState"] == "running"
    assert f"round {round_id}; " in shown["StatusText"]


def test_the_upgrade_was_one_and_so_was_the_way_back(ran: container.Ran) -> None:
    versions = [ran.shown(f"long-{start}")["Version"] for start in STARTS]
    assert ["commit next of" in version for version in versions] == [False, False, False, True, False]


@pytest.mark.parametrize(
    ("fault", "code"), [("removed", "journal-gone"), ("cut-short", "journal-gone"), ("full", "journal-full")]
)
def test_a_disk_that_fails_ends_the_table_by_name(ran: container.Ran, fault: str, code: str) -> None:
    assert f"[{code}]" in ran.note(fault)


def test_on_a_sound_disk_it_goes_on(ran: container.Ran) -> None:
    assert ran.shown("sound-again")["SubState"] == "running"
