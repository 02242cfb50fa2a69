"""`feltd files`: what a package installs beside the program is whole, and made from what the program itself says."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from daemon.cli import feltd
from daemon.lazy import LazyCommand
from daemon.tools.files.command import files
from tests.docs.documents import ROOT
from tests.install.pins import TABLE, asked, pinned_versions

MACROS = {".TH", ".ad", ".SH", ".PP", ".TP", ".nf", ".fi"}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("files")
    done = CliRunner().invoke(files, [str(directory)])
    assert done.exit_code == 0, done.output
    return directory


def _commands(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    command = command.load() if isinstance(command, LazyCommand) else command
    yield path, command
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            yield from _commands(below, f"{path}-{name}")


def test_every_command_has_a_page_with_every_option(written: Path) -> None:
    commands = dict(_commands(feltd, "feltd"))
    assert {path.name for path in (written / "man").iterdir()} == {f"{name}.1" for name in commands} | {"feltd.toml.5"}
    for name, command in commands.items():
        page = (written / "man" / f"{name}.1").read_text(encoding="utf-8").replace(r"\-", "-")
        options = [option for each in command.params for option in each.opts if option.startswith("--")]
        assert not [option for option in options if option not in page], name


def test_every_page_is_roff_and_nothing_else(written: Path) -> None:
    """A line that begins with a dot is a macro: help that began so would be lost."""
    for page in (written / "man").iterdir():
        lines = page.read_text(encoding="utf-8").splitlines()
        assert {line.split()[0] for line in lines if line.startswith(".")} <= MACROS, page.name
        assert not [line for line in lines if re.search(r"\\(?![-efB&R])", line)], page.name
        assert lines[0].startswith(".TH")


def test_the_page_of_the_file_explains_every_key(written: Path) -> None:
    page = (written / "man" / "feltd.toml.5").read_text(encoding="utf-8")
    shown = page.partition(".nf\n")[2].partition("\n.fi")[0].replace(r"\-", "-").replace(r"\&", "").replace(r"\e", "\\")
    assert shown == (ROOT / "systemd" / "feltd.example.toml").read_text(encoding="utf-8").rstrip("\n")


def test_the_completion_is_read_by_bash(written: Path) -> None:
    script = written / "completion" / "feltd.bash"
    done = subprocess.run(["bash", "-n", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_everything_that_an_installation_needs_is_there(written: Path) -> None:
    here = {path.relative_to(ROOT) for path in (ROOT / "systemd").rglob("*") if path.is_file()}
    assert here == {path.relative_to(written) for path in (written / "systemd").rglob("*") if path.is_file()}


def test_the_bill_of_materials_names_every_pinned_package_and_no_tool(written: Path) -> None:
    """hatchling and what it needs are pinned with them, because pip builds feltd with it; feltd itself uses none."""
    bill = json.loads((written / "feltd.cdx.json").read_text(encoding="utf-8"))
    named = {part["name"]: part["version"] for part in bill["components"]}
    here = {name: str(value) for name, value in default_environment().items()} | {"extra": ""}
    pinned = pinned_versions(TABLE, here)
    assert named.items() <= pinned.items()
    asked_for = {canonicalize_name(Requirement(line).name) for line in asked(TABLE)}
    assert set(asked_for) - {"hatchling"} <= set(named)
    assert "hatchling" not in named
    assert {part["ref"] for part in bill["dependencies"]} == {
        bill["metadata"]["component"]["bom-ref"],
        *(part["bom-ref"] for part in bill["components"]),
    }
