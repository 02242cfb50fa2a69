"""Where a protocol or a public word stands in the product.

``python -m tests.docs.places bee_tek`` prints it for a protocol, ``… card-off-table`` for a word of the public names.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from tests.docs.documents import ROOT

PRODUCT = ("daemon", "drivers", "protocols", "sim_hardware")
_TEXTS = {".py", ".js", ".md", ".toml", ".txt"}


def places_of(package: str) -> tuple[str, ...]:
    """Every file whose code names the protocol's package, and its own folder once. Text for people does not count."""
    return tuple(sorted(set(_places(package))))


def _places(package: str) -> Iterator[str]:
    own = f"protocols/{package}/"
    for tree in PRODUCT:
        for path in (ROOT / tree).rglob("*.py"):
            place = path.relative_to(ROOT).as_posix()
            is_named = re.search(rf"(?m)^(?:from|import) .*{package}|{package}\.", path.read_text(encoding="utf-8"))
            if place.startswith(own):
                yield own
            elif is_named or path.stem.startswith(package):
                yield place


def places_of_word(word: str) -> tuple[str, ...]:
    """Every file of the product, its documents and its examples that has the word, or the member that is named so."""
    names = re.compile(rf"\b({re.escape(word)}|{word.replace('-', '_').upper()})\b")
    files = (path for tree in (*PRODUCT, "systemd") for path in (ROOT / tree).rglob("*") if path.suffix in _TEXTS)
    return tuple(
        sorted(path.relative_to(ROOT).as_posix() for path in files if names.search(path.read_text(encoding="utf-8")))
    )


if __name__ == "__main__":
    sys.stdout.write("\n".join((places_of_word if "-" in sys.argv[1] else places_of)(sys.argv[1])) + "\n")
