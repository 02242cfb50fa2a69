"""A journal of ten million records, built once for each recipe and kept in the lab's directory."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from pathlib import Path
from typing import Final

from daemon.journal import file
from tests.journal import generated
from tests.journal.releases import releases

ROOT: Final = Path(__file__).parents[2]
RECORDS: Final = 10_000_000
SOURCE: Final = next(kept for kept in reversed(releases()) if kept.stem == "big-50")
"""A table's journal, killed in the middle of a deal."""


def long_journal() -> Path:
    """Return the journal. The first time it is generated, which takes minutes and two gigabytes."""
    lab = Path(os.environ.get("FELTD_LAB", ROOT / "build" / "lab"))
    recipe = hashlib.sha256(str(RECORDS).encode())
    for part in (Path(generated.__file__), file.DICTIONARY, SOURCE):
        recipe.update(part.read_bytes())
    kept = lab / f"journal-{recipe.hexdigest()[:12]}.db"
    if not kept.exists():
        lab.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="journal-", dir=lab) as scratch:
            made = Path(scratch) / "journal.db"
            generated.generate(SOURCE, made, RECORDS)
            made.rename(kept)
    return kept


if __name__ == "__main__":
    sys.stdout.write(f"{long_journal()}\n")
