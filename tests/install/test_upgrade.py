"""The lines of systemd/README.md put new code in the place of old, also where only the code has changed."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

from tests.docs.documents import blocks, text_of
from tests.install.source import copied_source

INSTALLED = "/opt/feltd"
NEW = "new 0.1.0 (commit 0123456789ab of 2026-09-21)\n"


def _lines() -> list[str]:
    shell = "".join(blocks(text_of("systemd/README.md"), "sh"))
    found = [line for line in shell.splitlines() if f"{INSTALLED}/bin/pip install" in line]
    return list(dict.fromkeys(found))


def test_the_lines_that_install_also_upgrade(tmp_path: Path) -> None:
    """Without an index: the packages that the table needs are seen in this environment, with their pinned versions."""
    source, target = copied_source(tmp_path / "source"), tmp_path / "target"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", target], check=True)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(target)}))
    (packages / "here.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")

    (source / "daemon" / "changed.py").write_text("SAYS = 'old'\n", encoding="utf-8")
    (source / "daemon" / "removed.py").touch()
    _install(source, target)
    assert (packages / "daemon" / "changed.py").read_text(encoding="utf-8") == "SAYS = 'old'\n"
    assert (packages / "daemon" / "removed.py").exists()

    (source / "daemon" / "changed.py").write_text("SAYS = 'new'\n", encoding="utf-8")
    (source / "daemon" / "removed.py").unlink()
    _install(source, target)
    assert (packages / "daemon" / "tools" / "files" / "systemd" / "feltd@.service").exists()
    says = [
        f"{target}/bin/python",
        "-c",
        "from daemon.changed import SAYS; from daemon.version import full_version; print(SAYS, full_version())",
    ]
    assert subprocess.run(says, cwd=tmp_path, capture_output=True, text=True, check=True).stdout == NEW
    assert not (packages / "daemon" / "removed.py").exists()


def _install(source: Path, target: Path) -> None:
    environ = os.environ | {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    environ |= {"FELTD_COMMIT": "0123456789ab", "SOURCE_DATE_EPOCH": "1790000000"}
    pip = f"{target}/bin/python -m pip"
    assert len(_lines()) == 2
    for line in _lines():
        words = line.replace(f"{INSTALLED}/bin/pip", pip).split()
        done = subprocess.run(words, cwd=source, env=environ, capture_output=True, text=True, timeout=500)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
