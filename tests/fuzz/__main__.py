"""Atheris on every codec in both roles, some seconds each: ``python -m tests.fuzz [seconds]``.

Begins with the corpus that is kept here. What it learns, and the input of anything that breaks, goes to build/fuzz; an
input that broke something belongs into the corpus together with the mend, where `make test` plays it permanently.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.fuzz.corpus import CORPUS
from tests.protocols.subjects import SUBJECTS

SECONDS = 20
INPUT_BYTES_MAX = 2048
LEARNT = Path("build/fuzz")


def fuzz(name: str, seconds: int) -> int:
    """The status of one codec's run."""
    learnt = LEARNT / name
    learnt.mkdir(parents=True, exist_ok=True)
    options = [f"-max_total_time={seconds}", f"-max_len={INPUT_BYTES_MAX}", f"-artifact_prefix={LEARNT}/{name}-"]
    command = [sys.executable, "-m", "tests.fuzz.one", name, *options, str(learnt), str(CORPUS / name)]
    print(f"== {name}, {seconds} s", flush=True)  # noqa: T201 - a program of its own
    return subprocess.run(command, check=False).returncode


def main() -> int:
    """1 when any codec broke."""
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    return max(min(fuzz(str(subject), seconds), 1) for subject in SUBJECTS)


if __name__ == "__main__":
    sys.exit(main())
