"""`.ci/check-page`, which `make check` runs over the page's scripts, finds mistakes in types and in the rest."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Final

import pytest

from daemon.page.files import FOLDER

CHECK: Final = Path(__file__).resolve().parents[2] / ".ci" / "check-page"


def checked(*files: Path) -> str:
    """Return what is complained of, or skip where Node.js cannot be had."""
    done = subprocess.run([CHECK, *files], capture_output=True, text=True, timeout=300, check=False)
    said = done.stdout + done.stderr
    if done.returncode == 0 and "are not checked" in said:
        pytest.skip(said.strip())
    assert (done.returncode == 0) is (said == ""), said
    return said


@pytest.mark.parametrize(
    ("wrong", "found"),
    [
        ("/** @param {number} cents */\nexport const money = (cents) => cents.length;\n", "does not exist on type"),
        ("export const a = 1;\nconst b = 2;\n", "noUnusedVariables"),
    ],
    ids=["a type", "a variable"],
)
def test_a_mistake_is_found(tmp_path: Path, wrong: str, found: str) -> None:
    file = tmp_path / "wrong.js"
    file.write_text(wrong)
    assert found in checked(file)


def test_every_script_is_checked() -> None:
    assert [file.name for file in FOLDER.glob("*.js") if not file.read_text().startswith("// @ts-check\n")] == []
