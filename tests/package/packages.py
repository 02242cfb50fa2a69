"""The package that `make deb` built, and one that is later than it.

FELTD_DEB names the folder of another one, for instance that of another Debian (`make test-deb ON=trixie`).
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILD_S_MAX = 600


def built() -> Path:
    (package,) = _folder().glob("*.deb")
    return package


def wheels() -> Path:
    """Return the folder of what it was built of, for that Debian's Python."""
    return _folder() / "wheels"


def _folder() -> Path:
    return Path(os.environ.get("FELTD_DEB", ROOT / "build" / "deb"))


def later(package: Path, scratch: Path) -> Path:
    """Return the same package as a later version, which calls its commit `next`."""
    tree = scratch / "next"
    subprocess.run(["dpkg-deb", "--raw-extract", package, tree], check=True)
    control = tree / "DEBIAN" / "control"
    control.write_text(control.read_text().replace("~deb", "+next~deb"), encoding="utf-8")
    (unpacked,) = tree.glob("opt/feltd/lib/python3*/site-packages/daemon/built.json")
    unpacked.write_text('{"commit": "next", "day": "2030-01-01"}\n', encoding="utf-8")
    made = scratch / "feltd-next.deb"
    subprocess.run(["dpkg-deb", "--build", "--root-owner-group", "-Zgzip", "-z1", tree, made], check=True)
    return made
