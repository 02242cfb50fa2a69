"""Two builds of the wheel are the same bytes, wherever and whenever it is built. `make test-deb` checks the package."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.install.source import copied_source

AGES_AGO_S = 1_000_000_000


def test_two_builds_of_the_wheel_are_the_same_bytes(tmp_path: Path) -> None:
    first = copied_source(tmp_path / "first")
    second = copied_source(tmp_path / "a longer way" / "second")
    for path in second.rglob("*"):  # as another user has them, who unpacked them long ago
        path.chmod(0o700 if path.is_dir() or os.access(path, os.X_OK) else 0o600)
        os.utime(path, (AGES_AGO_S, AGES_AGO_S))
    assert _wheel(first, umask=0o022) == _wheel(second, umask=0o077)


def _wheel(source: Path, umask: int) -> bytes:
    environ = os.environ | {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "TZ": f"UTC{umask % 7}"}
    environ |= {"FELTD_COMMIT": "0123456789ab", "SOURCE_DATE_EPOCH": "1790000000"}
    build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", "out", "."]
    done = subprocess.run(build, cwd=source, env=environ, capture_output=True, text=True, timeout=500, umask=umask)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"
    (wheel,) = (source / "out").glob("*.whl")
    return wheel.read_bytes()
