"""A container that boots this machine's own root under real systemd, throws every change away, and has no network.

FELTD_ROOT names another root to boot, for instance that of another Debian (`make test-deb ON=trixie`).

Its root is an overlay with its upper half in memory, made in a mount namespace of its own, so nothing is left
behind however it ends. Needs root and systemd-nspawn; one boot takes about a second.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

BOOT_S_MAX: Final = 90
ROOT: Final = os.environ.get("FELTD_ROOT", "/")
EXPOSURE_MAX: Final = 1.5
"""`systemd-analyze security` gives 0 to a service that can reach nothing and 10 to one that may do everything."""

_TARGET: Final = """\
[Unit]
Requires=basic.target scenario.service
After=basic.target
AllowIsolate=yes
"""
_SCENARIO: Final = """\
[Unit]
After=basic.target
SuccessAction=exit
FailureAction=exit
[Service]
Type=oneshot
ExecStart=/bin/bash -eux /lab/scenario.sh
StandardOutput=append:/lab/output.txt
StandardError=inherit
"""
# The first process of a namespace takes all others with it. A container whose systemd-nspawn alone is killed runs on.
_ALONE: Final = ("--mount", "--pid", "--fork", "--mount-proc", "--kill-child")
_BOOT: Final = """\
set -eu
mount -t tmpfs lab "$1"
mkdir "$1"/upper "$1"/work "$1"/root
mount -t overlay lab -o lowerdir="$4",upperdir="$1"/upper,workdir="$1"/work "$1"/root
: > "$1"/root/etc/machine-id
cp "$2"/units/* "$1"/root/etc/systemd/system/
exec systemd-nspawn --quiet --register=no --keep-unit --private-network --console=pipe --directory="$1"/root \
    --bind="$2":/lab ${3:+--bind-ro="$3":/opt/feltd} --boot systemd.unit=lab.target </dev/null
"""


@dataclass(frozen=True, slots=True)
class Ran:
    """How the scenario ended, what it printed, and the directory where it left its notes."""

    status: int
    output: str
    notes: Path

    def note(self, name: str) -> str:
        return (self.notes / name).read_text(encoding="utf-8").strip()

    def shown(self, name: str) -> dict[str, str]:
        """A note that is the output of `systemctl show`."""
        return dict(line.split("=", 1) for line in self.note(name).splitlines())


def run(
    directory: Path, scenario: str, installed: Path | None, files: dict[str, Path], seconds_max: int = BOOT_S_MAX
) -> Ran:
    """Boot, run the scenario with `files` beside it in /lab and, if any is given, feltd in /opt/feltd. Power off."""
    lab, root = directory / "lab", directory / "root"
    (lab / "units").mkdir(parents=True)
    (lab / "notes").mkdir()
    root.mkdir()
    (lab / "units" / "lab.target").write_text(_TARGET)
    (lab / "units" / "scenario.service").write_text(_SCENARIO)
    (lab / "scenario.sh").write_text(scenario)
    for name, file in files.items():
        shutil.copy(file, lab / name)
    done = subprocess.run(
        ["unshare", *_ALONE, "bash", "-c", _BOOT, "boot", str(root), str(lab), str(installed or ""), ROOT],
        capture_output=True,
        text=True,
        timeout=seconds_max,
        check=False,
        env=os.environ | {"SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"},
    )
    written = lab / "output.txt"
    output = written.read_text(encoding="utf-8") if written.exists() else ""
    return Ran(done.returncode, f"{done.stdout}{done.stderr}{output}", lab / "notes")
