"""The Debian package under real systemd: it comes, is upgraded and rolled back in rounds, and goes. `make test-deb`."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from daemon.tools.bench.world import people_file
from tests.journal.releases import releases
from tests.line.at_the_bench import SEATS
from tests.package.packages import BUILD_S_MAX, ROOT, built, later
from tests.systemd import container

HERE = Path(__file__).parent
SCENARIO_S_MAX = 900

pytestmark = pytest.mark.timeout(SCENARIO_S_MAX + BUILD_S_MAX)


@pytest.fixture(scope="module")
def package() -> Path:
    return built()


@pytest.fixture(scope="module")
def ran(package: Path, tmp_path_factory: pytest.TempPathFactory) -> container.Ran:
    scratch = tmp_path_factory.mktemp("files")
    release = next(kept for kept in reversed(releases()) if kept.stem == "big-50")
    (scratch / "people.toml").write_text(people_file(SEATS), encoding="utf-8")
    (scratch / "round.txt").write_text(_round_of(release), encoding="utf-8")
    files = {
        "feltd.deb": package,
        "feltd-next.deb": later(package, scratch),
        "person.py": HERE / "person.py",
        "release.db": release,
        "release.toml": release.with_suffix(".toml"),
        "release-people.toml": scratch / "people.toml",
        "release-round.txt": scratch / "round.txt",
    }
    scenario = (HERE / "scenario.sh").read_text()
    ran = container.run(tmp_path_factory.mktemp("package"), scenario, None, files, SCENARIO_S_MAX)
    assert ran.status == 0, ran.output
    return ran


def _round_of(release: Path) -> str:
    round_id: str = json.loads(release.with_suffix(".json").read_text(encoding="utf-8"))["table"]["round_id"]
    return round_id


def test_two_builds_are_the_same_bytes(package: Path, tmp_path: Path) -> None:
    """The second in another folder, with the changes of this tree that nobody has committed."""
    again = tmp_path / "a longer way"
    subprocess.run(["git", "clone", "--quiet", ROOT, again], check=True)
    for name in ("--modified", "--others"):
        listed = subprocess.run(
            ["git", "ls-files", name, "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
        )
        for path in listed.stdout.splitlines():
            (again / path).parent.mkdir(parents=True, exist_ok=True)
            (again / path).write_bytes((ROOT / path).read_bytes())
    subprocess.run([again / ".ci" / "deb"], cwd="/", check=True, timeout=BUILD_S_MAX, umask=0o077)
    (second,) = (again / "build" / "deb").glob("*.deb")
    assert second.name == package.name
    is_same = second.read_bytes() == package.read_bytes()
    assert is_same, "pytest would compare millions of bytes for its message, until the time-out"


def test_every_file_of_systemd_is_in_the_package_and_in_its_wheel(package: Path, tmp_path: Path) -> None:
    """In the wheel, from which `feltd files` writes them, by name; in the package, by content, where Debian has it."""
    subprocess.run(["dpkg-deb", "--extract", package, tmp_path], check=True)
    (wheel,) = tmp_path.glob("opt/feltd/lib/python3*/site-packages/daemon/tools/files/systemd")
    here = _files(ROOT / "systemd")
    assert _files(wheel) == here
    beside = set(_files(tmp_path / "usr").values())
    only_builds_it = ("debian/",)
    assert [name for name, held in here.items() if held not in beside and not name.startswith(only_builds_it)] == []


def test_what_the_documents_of_it_name_lies_beside_them(package: Path, tmp_path: Path) -> None:
    """A new administrator has only the package: its guide named two documents that were not there."""
    subprocess.run(["dpkg-deb", "--extract", package, tmp_path], check=True)
    documents = tmp_path / "usr/share/doc/feltd"
    for name in (
        "systemd/README.md",
        "systemd/IT.md",
        "systemd/CODES.md",
        "daemon/tools/README.md",
        "daemon/mqtt/README.md",
    ):
        linked = re.findall(r"\]\((?!https?:)([^)#]+)", (documents / name).read_text(encoding="utf-8"))
        assert [link for link in linked if not (documents / name).parent.joinpath(link).exists()] == [], name
    said = re.findall(r"/usr/share/doc/feltd/\S+", (ROOT / "systemd/debian/postinst").read_text(encoding="utf-8"))
    assert [path for path in said if not (tmp_path / path.removeprefix("/")).exists()] == []


def _files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_it_says_which_commit_it_is_and_has_its_manual(ran: container.Ran) -> None:
    assert " (commit " in ran.note("version")
    assert ran.note("manual").startswith(".TH")


def test_its_modules_are_compiled_in_the_package(ran: container.Ran) -> None:
    assert ran.note("compiled-here") == ""


def test_an_upgrade_leaves_a_round_alone_and_names_the_table_that_waits(ran: container.Ran) -> None:
    assert "feltd@table7.service restarts between two rounds; now: table table7: betting" in ran.note("upgraded")
    shown = ran.shown("waiting")
    assert shown["NRestarts"] == "0"
    assert "betting, round table7-1" in shown["StatusText"]


def test_the_table_restarts_as_the_new_version_when_no_stake_lies_on_it(ran: container.Ran) -> None:
    shown = ran.shown("restarted")
    assert (shown["SubState"], shown["ExecMainStatus"]) == ("running", "0")
    assert "commit next of" in ran.note("version-upgraded")


def test_a_rollback_in_the_middle_of_a_deal_continues_the_round(ran: container.Ran) -> None:
    assert ran.note("continued").startswith("table table7: dealing, round table7-1; shuffler up; broker up")
    assert "commit next of" not in ran.note("version-rolled-back")


def test_a_journal_of_the_last_release_is_continued_in_its_round(ran: container.Ran) -> None:
    """Its shuffler is another one, so a supervisor has to rule on the round."""
    release = next(kept for kept in reversed(releases()) if kept.stem == "big-50")
    assert ran.note("of-release").startswith(f"table table1: interrupted, round {_round_of(release)}; ")


def test_it_goes_and_leaves_configuration_and_journal(ran: container.Ran) -> None:
    assert ran.note("after") == "inactive"
    left = ran.note("left").splitlines()
    assert "/etc/feltd/table7.toml" in left
    assert "/var/lib/feltd/table7/journal.db" in left
    assert not [path for path in left if path.startswith("/opt")]
    assert "are left as they are" in ran.note("purged")
