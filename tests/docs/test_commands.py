"""The commands that the documents show exist, and print what is shown."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from daemon.cli import COMMANDS
from daemon.errors import ExitStatus
from tests.docs.documents import GUIDES, NAMES, ROOT, blocks, cells, examples, matches, section, text_of

TOOLS = text_of("daemon/tools/README.md")
CONSOLES = [block for name in NAMES if name not in GUIDES for block in blocks(text_of(name), "console")]


@pytest.mark.parametrize("block", CONSOLES, ids=lambda block: block.partition("\n")[0][:50])
def test_commands_print_what_is_shown(block: str, tmp_path: Path) -> None:
    """In a folder as after a clone, in which they may leave files."""
    (tmp_path / "systemd").symlink_to(ROOT / "systemd")
    for example in examples(block):
        really = _run(example.command, tmp_path)
        assert matches(example.printed, really), f"$ {example.command}\n{really}"


def _run(command: str, here: Path) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environ = os.environ | {"PATH": path, "COLUMNS": "100"}
    shell = ["bash", "-c", f"( {command} ) 2>&1"]
    return subprocess.run(shell, cwd=here, env=environ, capture_output=True, text=True, timeout=500).stdout


def test_an_ellipsis_hides_no_difference_around_it() -> None:
    assert matches("a … c\n…\nz\n", "a b c\nd\ne\nz\n")
    assert matches("…\nz\n", "z\n")
    assert not matches("a … c\n", "a b d\n")
    assert not matches("a\n", "a\nb\n")
    assert not matches("a\nb\n", "a\n")


def test_the_examples_are_there() -> None:
    assert len(CONSOLES) > 5


def test_every_exit_status_is_explained_as_the_program_does() -> None:
    rows = section(TOOLS, "## Exit status")
    shown = dict(zip(cells(rows, 0), cells(rows, 1), strict=True))
    assert shown == {str(status.value): status.meaning for status in ExitStatus}


def test_every_subcommand_is_shown() -> None:
    assert not [command.name for command in COMMANDS if f"feltd {command.name}" not in TOOLS]
