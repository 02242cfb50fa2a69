"""README's commands exist, and print what README says they print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from daemon.cli import COMMANDS
from daemon.config.games import AT_TABLE
from daemon.config.load import examine
from daemon.config.sections import Sections
from daemon.errors import ExitStatus
from daemon.journal.kinds import FACT_KINDS
from daemon.mqtt.commands import NAMES
from daemon.rules.wagers import GameName
from daemon.tools.rules.adjudicate import ADJUDICATORS
from daemon.tools.rules.audit import AUDITORS
from tests.docs.documents import ROOT, blocks, examples, matches, text_of

README = text_of("README.md")
CONSOLES = blocks(README, "console")


def _section(title: str) -> str:
    return README.partition(f"{title}\n")[2].partition("\n## ")[0]


def _cells(section: str, column: int) -> list[str]:
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return [row[column].strip() for row in rows[2:]]


@pytest.mark.parametrize("block", CONSOLES, ids=lambda block: block.partition("\n")[0][:50])
def test_commands_print_what_readme_shows(block: str, tmp_path: Path) -> None:
    """In a folder as after a clone, in which they may leave files."""
    (tmp_path / "systemd").symlink_to(ROOT / "systemd")
    for example in examples(block):
        really = _run(example.command, tmp_path)
        assert matches(example.printed, really), f"$ {example.command}\n{really}"


def _run(command: str, here: Path) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environ = os.environ | {"PATH": path, "COLUMNS": "100"}
    shell = ["bash", "-c", f"( {command} ) 2>&1"]
    return subprocess.run(shell, cwd=here, env=environ, capture_output=True, text=True, timeout=100).stdout


def test_an_ellipsis_hides_no_difference_around_it() -> None:
    assert matches("a … c\n…\nz\n", "a b c\nd\ne\nz\n")
    assert matches("…\nz\n", "z\n")
    assert not matches("a … c\n", "a b d\n")
    assert not matches("a\n", "a\nb\n")
    assert not matches("a\nb\n", "a\n")


def test_the_screen_and_the_console_are_there() -> None:
    assert len(CONSOLES) > 5
    assert "RECONCILING" in blocks(README, "text")[0]


def test_the_shown_configuration_is_good() -> None:
    (shown,) = blocks(README, "toml")
    assert isinstance(examine(shown), Sections)


def test_every_exit_status_is_explained_as_the_program_does() -> None:
    section = _section("### Exit status")
    shown = dict(zip(_cells(section, 0), _cells(section, 1), strict=True))
    assert shown == {str(status.value): status.meaning for status in ExitStatus}


def test_every_package_that_is_installed_is_named_and_no_other() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    installed = {re.split(r"[<>=]", line)[0] for line in project["dependencies"]}
    named = {name for cell in _cells(_section("## Packages"), 0) for name in re.findall(r"[a-z0-9][a-z0-9-]+", cell)}
    assert named - {"on"} == installed


def test_every_command_of_the_table_is_listed_and_no_other() -> None:
    listed = README.partition("\nThe commands: ")[2].partition(". ")[0]
    assert sorted(re.findall(r"`([a-z-]+)`", listed)) == sorted(NAMES)


def test_the_games_are_told_apart_by_what_can_be_done_with_them() -> None:
    section = _section("## Games")
    names = [re.findall(r"`([a-z0-9-]+)`", cell)[0] for cell in _cells(section, 0)]
    for column, able in ((1, AT_TABLE), (2, [GameName(name) for name in ADJUDICATORS]), (3, list(AUDITORS))):
        told = {name for name, cell in zip(names, _cells(section, column), strict=True) if cell.startswith("yes")}
        assert told == {game.value for game in able}


def test_every_subcommand_is_shown() -> None:
    assert not [command.name for command in COMMANDS if f"feltd {command.name}" not in README]


def test_the_shown_round_is_made_of_real_events_with_their_fields() -> None:
    by_kind = {kind: cls for cls, kind in FACT_KINDS.items()}
    shown = re.findall(r"(?m)^([a-z.-]+) +(\{.*\})$", README)
    assert len(shown) > 5
    for kind, data in shown:
        known = {field.name for field in fields(by_kind[kind])}
        said = set(re.findall(r'"([a-z_]+)":', re.sub(r"\[.*\]", "[]", data)))
        assert said <= known, f"{kind}: {said - known}"
