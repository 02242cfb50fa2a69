"""Where systemd takes a table's password from is found out while the table is stopped. The lab asks a real systemd."""

from __future__ import annotations

from pathlib import Path

import pytest

from daemon.tools.doctor.credential import find_credential
from daemon.tools.doctor.findings import Verdict
from tests.docs.documents import ROOT

NAME = "mqtt-password"


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that the unit of table7 names, in a systemd that shows the unit as it ships."""
    shown, systemctl = tmp_path / "unit", tmp_path / "systemctl"
    unit = (ROOT / "systemd" / "feltd@.service").read_text(encoding="utf-8")
    assert "LoadCredential=mqtt-password:/etc/feltd/%i.password\n" in unit
    shown.write_text(unit.replace("/etc/feltd/", f"{tmp_path}/"), encoding="utf-8")
    systemctl.write_text(f'#!/bin/sh\n[ "$*" = "cat feltd@table7" ] && cat {shown}\n', encoding="utf-8")
    systemctl.chmod(0o755)
    monkeypatch.setattr("shutil.which", lambda _: str(systemctl))
    return tmp_path / "table7.password"


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
