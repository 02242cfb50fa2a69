"""Where a protocol stands in the product: ``python -m tests.docs.places bee_tek`` prints it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from tests.docs.documents import ROOT

PRODUCT = ("daemon", "drivers", "protocols", "sim_hardware")


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


if __name__ == "__main__":
    sys.stdout.write("\n".join(places_of(sys.argv[1])) + "\n")
