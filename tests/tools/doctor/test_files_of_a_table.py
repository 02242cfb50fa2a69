"""What the table's own user may not read is a problem for doctor, which root starts, as it is for `feltd run`."""

from __future__ import annotations

import grp
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from daemon.cli import COMMANDS, feltd
from daemon.config.document import InvalidConfigurationError
from daemon.config.load import load
from daemon.tools.doctor.account import Account, check_files
from daemon.tools.doctor.command import _policies
from daemon.tools.doctor.findings import Verdict
from tests.daemon.config.files import GOOD, SAFE
from tests.daemon.config.test_people import PEOPLE
from tests.support.rights import without_rights
from tests.support.sentences import Says


@pytest.fixture
def directory() -> Iterator[Path]:
    """As /etc/feltd: the parents of pytest's own are closed to everybody else."""
    with tempfile.TemporaryDirectory() as made:
        path = Path(made)
        path.chmod(0o750)
        (path / "t.toml").write_text(GOOD + '[people]\nfile = "people.toml"\n')
        (path / "people.toml").write_text(PEOPLE)
        for file in path.iterdir():
            file.chmod(0o640)
        yield path


@pytest.fixture
def table_user(directory: Path) -> Account:
    return Account("feltd-7", 64_999, frozenset({directory.stat().st_gid}))


def test_a_file_that_the_table_s_user_may_not_read_is_a_problem_with_its_remedy(
    directory: Path, table_user: Account, says: Says
) -> None:
    config = load(directory / "t.toml")
    hidden = {"dir": directory, "group": grp.getgrgid(directory.stat().st_gid).gr_name}
    [finding] = check_files(config, table_user)
    assert finding.verdict is Verdict.OK
    says(finding.said, **hidden)
    for closed in ("t.toml", "people.toml"):
        (directory / closed).chmod(0o600)
        [finding] = check_files(config, table_user)
        assert finding.verdict is Verdict.PROBLEM
        says(f"{finding.subject}: {finding.said} {finding.remedy}", **hidden)
        (directory / closed).chmod(0o640)


def test_a_directory_above_it_closes_it_as_well(directory: Path, table_user: Account, says: Says) -> None:
    config = load(directory / "t.toml")
    directory.chmod(0o700)
    findings = list(check_files(config, table_user))
    assert [finding.verdict for finding in findings] == [Verdict.PROBLEM] * 2
    says(f"{findings[0].said} {findings[0].remedy}", dir=directory)


def test_who_runs_doctor_themselves_has_read_the_files_already(directory: Path) -> None:
    assert list(check_files(load(directory / "t.toml"), None)) == []
    assert [
        finding.verdict for finding in check_files(load(directory / "t.toml"), Account("root", 0, frozenset()))
    ] == [Verdict.OK]


def test_every_command_says_itself_that_it_may_not_read_the_table_s_file(directory: Path, says: Says) -> None:
    """click would call it a wrong command, with status 2, and systemd would start the unit again and again."""
    files = ("config", "password-file", "certificate-file", "key-file")
    options = {
        (command.name, option.opts[0]): option.type
        for command in (each.load() for each in COMMANDS)
        for option in command.params
        if option.opts[0].rpartition("--")[2].removeprefix("as-") in files
    }
    assert len(options) > 10
    assert [place for place, kind in options.items() if not isinstance(kind, click.Path) or kind.readable] == []
    (directory / "t.toml").chmod(0)
    directory.chmod(0o755)
    with without_rights():
        done = CliRunner().invoke(feltd, ["check-config", str(directory / "t.toml")])
    assert isinstance(done.exception, InvalidConfigurationError)
    says(done.exception.message, dir=directory)


def test_what_a_dealer_alone_can_void_a_round_with_is_a_warning(tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    for text, verdicts in ((GOOD, [Verdict.WARNING]), (GOOD + SAFE, [])):
        file.write_text(text)
        assert [found.verdict for found in _policies(load(file))] == verdicts
