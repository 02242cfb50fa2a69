"""The types that stand in the comments of the page's scripts are sound for TypeScript's compiler."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from daemon.page.files import FOLDER

TSC: Final = Path(__file__).resolve().parents[2] / "build" / "page" / "node_modules" / "typescript" / "bin" / "tsc"
OPTIONS: Final = (
    *("--noEmit", "--allowJs", "--checkJs", "--strict"),
    *("--target", "es2022", "--module", "es2022", "--moduleResolution", "bundler", "--lib", "es2022,dom,dom.iterable"),
)


@pytest.fixture
def compiler() -> tuple[str, Path]:
    node = shutil.which("node")
    if node is None or not TSC.exists():
        missing = "Node.js" if node is None else f"{TSC}, which tests/page/types/package-lock.json pins,"
        pytest.skip(
            f"the scripts' types are not checked: {missing} is missing, and .ci/prepare page could not install it"
        )
    return node, TSC


def checked(compiler: tuple[str, Path], *files: Path) -> str:
    """Return what the compiler complains of."""
    done = subprocess.run([*compiler, *OPTIONS, *files], capture_output=True, text=True, timeout=100)
    return done.stdout + done.stderr


def test_the_scripts_types_are_sound(compiler: tuple[str, Path]) -> None:
    assert checked(compiler, *sorted(FOLDER.glob("*.js"))) == ""


def test_a_wrong_type_is_found(compiler: tuple[str, Path], tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.js"
    wrong.write_text("/** @param {number} cents */\nexport const money = (cents) => cents.length;\n")
    assert "Property 'length' does not exist on type 'number'" in checked(compiler, wrong)


def test_every_script_is_checked() -> None:
    assert [file.name for file in FOLDER.glob("*.js") if not file.read_text().startswith("// @ts-check\n")] == []
