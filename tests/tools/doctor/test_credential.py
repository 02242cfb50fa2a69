"""Where systemd takes a table's password from is found out while the table is stopped. The lab asks a real systemd."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from daemon.errors import ExitStatus
from daemon.tools.doctor.command import doctor
from daemon.tools.doctor.credential import check_secrets_beside, find_credential
from daemon.tools.doctor.findings import Verdict
from tests.docs.documents import ROOT

NAME = "mqtt-password"


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """It stands for /etc/feltd, in a systemd that shows the units as they ship."""
    for unit in ("feltd@", "feltd-metrics@", "feltd-page"):
        lines = (ROOT / "systemd" / f"{unit}.service").read_text(encoding="utf-8")
        assert "LoadCredential=" in lines
        instance = "table7" if unit.endswith("@") else ""
        (tmp_path / f"{unit}{instance}").write_text(lines.replace("/etc/feltd/", f"{tmp_path}/"), encoding="utf-8")
    systemctl = tmp_path / "systemctl"
    systemctl.write_text(f'#!/bin/sh\n[ "$1" = cat ] && cat {tmp_path}/"$2"\n', encoding="utf-8")
    systemctl.chmod(0o755)
    monkeypatch.setattr("shutil.which", lambda _: str(systemctl))
    return tmp_path


@pytest.fixture
def source(directory: Path) -> Path:
    """The file that the unit of table7 names."""
    return directory / "table7.password"


def test_a_password_for_root_alone_is_well(source: Path) -> None:
    source.write_text("a secret\n", encoding="utf-8")
    source.chmod(0o600)
    found = find_credential(NAME, "table7")
    assert (found.finding.verdict, found.password) == (Verdict.OK, "a secret")


@pytest.mark.parametrize(("content", "mode"), [(None, 0), ("\n", 0o600), ("a secret", 0o640)])
def test_one_that_is_missing_empty_or_open_is_a_problem(source: Path, content: str | None, mode: int) -> None:
    if content is not None:
        source.write_text(content, encoding="utf-8")
        source.chmod(mode)
    assert find_credential(NAME, "table7").finding.verdict is Verdict.PROBLEM


def test_a_name_that_the_unit_does_not_load_is_a_problem(source: Path) -> None:
    found = find_credential("password", "table7").finding
    assert found.verdict is Verdict.PROBLEM
    assert NAME in found.said
    assert not source.exists()


def test_without_systemd_nobody_can_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    assert find_credential(NAME, "table7").finding.verdict is Verdict.WARNING


@pytest.mark.parametrize(
    ("file", "whose"),
    [
        ("page.password", "password of feltd-page"),
        ("page.key", "key of feltd-page"),
        ("metrics.password", "password of feltd-metrics@table7"),
    ],
)
def test_a_secret_of_a_program_beside_the_table_that_others_can_read_is_a_problem(
    file: str, whose: str, directory: Path
) -> None:
    secret = directory / file
    secret.write_text("a secret\n", encoding="utf-8")
    secret.chmod(0o600)
    assert list(check_secrets_beside("table7")) == []
    secret.chmod(0o644)
    [found] = check_secrets_beside("table7")
    assert (found.verdict, found.subject) == (Verdict.PROBLEM, whose)
    assert f"chmod 600 {secret}" in found.remedy


PEOPLE = 'site = "north"\n[tables.table7]\nuser = "table7"\n'
PAGE = """\
[page]
site = "north"
people_file = "people.toml"
journals = { table7 = "table7.journal" }
[mqtt]
username = "page"
password_file = "/run/credentials/feltd-page.service/password"
"""


def of_the_page(directory: Path, text: str = PAGE, people: str = PEOPLE) -> list[tuple[str, str, Verdict]]:
    file = directory / "page.toml"
    file.write_text(text, encoding="utf-8")
    (directory / "people.toml").write_text(people, encoding="utf-8")
    (directory / "people.toml").chmod(0o640)
    done = CliRunner().invoke(doctor, ["--config", str(file), "--json"])
    found = [(each["check"], Path(each["subject"]).name, Verdict(each["verdict"])) for each in json.loads(done.output)]
    is_wrong = any(verdict is Verdict.PROBLEM for _, _, verdict in found)
    assert done.exit_code == (ExitStatus.UNAVAILABLE if is_wrong else 0)
    return [each for each in found if each[0] != "file"]  # the rights of the group feltd, which may not be here


def test_the_file_of_the_page_is_checked_with_what_its_unit_is_given(directory: Path) -> None:
    """doctor said that it was no table's file, and nothing else looked at it before the page was started."""
    (directory / "page.password").write_text("a secret\n", encoding="utf-8")
    (directory / "page.password").chmod(0o600)
    well = ("configuration", "page.toml", Verdict.OK), ("credential", "password", Verdict.OK)
    assert of_the_page(directory) == [*well, ("journal", "table7.journal", Verdict.WARNING)]
    (directory / "table7.journal").touch()
    assert of_the_page(directory) == [*well]


def test_what_the_page_s_unit_does_not_have_is_a_problem(directory: Path) -> None:
    (directory / "table7.journal").touch()
    assert of_the_page(directory)[1:] == [("credential", "password", Verdict.PROBLEM)]
    assert of_the_page(directory, people="site =")[0] == ("configuration", "people.toml", Verdict.PROBLEM)
    assert of_the_page(directory, PAGE.replace("/password", "/passwort"))[1][2] is Verdict.PROBLEM
    of_another = of_the_page(directory, PAGE.replace("feltd-page.service", "page.service"))
    assert [subject for _, subject, verdict in of_another if verdict is Verdict.PROBLEM] == ["password", "password"]
