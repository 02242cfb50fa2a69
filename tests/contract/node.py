"""Runs the scripts beside this file with Node.js and the packages of `package-lock.json`."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

HERE: Final = Path(__file__).parent
PACKAGES: Final = HERE.parent.parent / "build" / "contract" / "node_modules"
S_MAX: Final = 100.0


def node(script: str, *words: str | Path, said: str = "") -> str:
    """Run the script, and return its output. Skip the test, with the reason, on a machine that has no Node.js."""
    program = shutil.which("node")
    if program is None or not PACKAGES.is_dir():
        missing = "Node.js" if program is None else f"{PACKAGES} with the packages of tests/contract/package-lock.json"
        pytest.skip(
            f"not checked with foreign tools: {missing} is missing, and .ci/prepare contract could not install it"
        )
    done = subprocess.run(
        [program, HERE / script, *words],
        input=said,
        capture_output=True,
        text=True,
        timeout=S_MAX,
        env={**os.environ, "NODE_PATH": str(PACKAGES)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
