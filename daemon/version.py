"""Which feltd this is."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Final

BUILT: Final = Path(__file__).with_name("built.json")
"""Only an installed feltd has this file: its build writes commit and day into it."""


def full_version() -> str:
    """Return the version with the commit and its day, or without them in a developer's clone."""
    if not BUILT.exists():
        return version("feltd")
    built = json.loads(BUILT.read_text(encoding="utf-8"))
    return f"{version('feltd')} (commit {built['commit']} of {built['day']})"
