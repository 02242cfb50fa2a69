"""System calls that fail under the writer, by the kernel's own numbers: it ends by name, and nothing is lost.

strace answers the Nth call and all after it with an error, as a disk that is full, read-only or broken does, or a
quota that is used up. SQLite, its write-ahead log and the lock file are the real ones.
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from daemon.errors import ExitStatus
from daemon.journal.checking import check_piece, first_place
from daemon.journal.journal import Journal
from tests.support.strace import injecting

FAULTS = [
    ("pwrite64", "ENOSPC", "journal-full"),
    ("pwrite64", "EDQUOT", "journal-full"),
    ("pwrite64", "EROFS", "journal-io"),
    ("pwrite64", "EIO", "journal-io"),
    ("fdatasync", "EIO", "journal-io"),
    ("fdatasync", "ENOSPC", "journal-full"),
]
AFTER_CALLS = {"pwrite64": (97, 150, 152, 154), "fdatasync": (20, 41)}


@pytest.mark.parametrize(("call", "error", "code"), FAULTS)
def test_a_call_that_fails_ends_the_writer_by_name_and_loses_nothing(
    call: str, error: str, code: str, tmp_path: Path
) -> None:
    for number in AFTER_CALLS[call]:
        path = tmp_path / f"{number}.journal"
        writer = (sys.executable, "-m", "tests.journal.writer", str(path))
        command = (*injecting(call, f"error={error}:when={number}+"), *writer)
        done = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
        *acknowledged, last = done.stdout.splitlines()
        assert done.returncode == ExitStatus.JOURNAL, done.stdout + done.stderr
        assert code in last
        assert acknowledged == [str(offset) for offset in range(1, len(acknowledged) + 1)]
        assert acknowledged, "it failed before it wrote anything"
        with closing(Journal.open(path, create=False)) as journal:
            assert journal.last_offset() in (len(acknowledged), len(acknowledged) + 1)
            assert check_piece(journal, first_place(journal), 10**6)[1] == ()
