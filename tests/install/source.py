"""A tree of feltd as somebody unpacks it: without git, and without what was made in ours."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.docs.documents import ROOT


def copied_source(to: Path) -> Path:
    """Copy what feltd is built and installed from."""
    for name in ("daemon", "drivers", "protocols", "sim_hardware", "systemd", ".ci"):
        shutil.copytree(ROOT / name, to / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", "requirements.txt"):
        shutil.copy(ROOT / name, to)
    return to
