"""Writes into a wheel which commit it was built from; `daemon/version.py` reads it.

The day is the commit's and not today's, so that two builds of one commit are the same bytes.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CommitHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        built = Path(self.directory) / "built.json"
        built.parent.mkdir(parents=True, exist_ok=True)
        built.write_text(json.dumps(_built(self.root)) + "\n", encoding="utf-8")
        build_data["force_include"][str(built)] = "daemon/built.json"


def _built(root: str) -> dict[str, str]:
    """Return commit and day, from git or, without git or a clone, from the environment."""
    if shutil.which("git") is None or not (Path(root) / ".git").exists():
        day = datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), UTC)
        return {"commit": os.environ.get("FELTD_COMMIT", "unknown"), "day": f"{day:%Y-%m-%d}"}
    changed = _git(root, "status", "--porcelain", "--untracked-files=no")
    commit, seconds = _git(root, "show", "--no-patch", "--format=%h %ct", "--abbrev=12").split()
    day = datetime.fromtimestamp(int(seconds), UTC)
    return {"commit": f"{commit}-changed" if changed else commit, "day": f"{day:%Y-%m-%d}"}


def _git(root: str, *words: str) -> str:
    # Root builds in a clone that belongs to somebody else, and git is told that this is meant.
    trust = ("-c", f"safe.directory={root}")
    done = subprocess.run(["git", *trust, "-C", root, *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()
