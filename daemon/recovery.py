"""Starting where the journal ends: the last snapshot, and the events after it.

A replay makes the same states as the first time, because the reducer is pure. Its facts, commands and answers were
committed the first time and are not said again. A snapshot that another version of the code made is not used: the
events are the record, and a snapshot only saves time.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

import daemon.journal
import daemon.rules
import daemon.table
import drivers
import protocols
from daemon.journal.errors import JournalContentError, JournalOfAnotherTableError
from daemon.journal.journal import Journal
from daemon.table.inputs import Configured, Input
from daemon.table.reducer import apply, blank
from daemon.table.settings import TableSettings
from daemon.table.state import TableState

# daemon.journal belongs to it: its codec decides how a state is written and read.
SNAPSHOT_DEPENDS_ON: Final = (daemon.table, daemon.rules, daemon.journal, drivers, protocols)


def code_fingerprint() -> str:
    """Return a hash of the code that makes, writes and reads states."""
    digest = hashlib.sha256()
    for package in SNAPSHOT_DEPENDS_ON:
        for file in sorted(Path(package.__path__[0]).rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def recover(journal: Journal, code_version: str) -> TableState | None:
    """Return the table as the journal left it, or None if the journal is empty."""
    snapshot = journal.latest_snapshot(TableState, code_version)
    state = snapshot.state if snapshot is not None else None
    for offset, happened in journal.replay(snapshot.offset if snapshot is not None else 0):
        if state is None:
            state = _state_before(happened, journal, offset)
        state = apply(state, happened).state
    return state


def expect_own(journal: Journal, recovered: TableState, settings: TableSettings) -> None:
    """Raise if another table wrote the journal: this table must not continue its round, stakes and round numbers."""
    wrote = f"{recovered.settings.table} of {recovered.settings.site}"
    asks = f"{settings.table} of {settings.site}"
    if wrote != asks:
        raise JournalOfAnotherTableError(journal.path, f"this is the journal of {wrote}, and the table is {asks}")


def _state_before(first: Input, journal: Journal, offset: int) -> TableState:
    if isinstance(first, Configured):
        return blank(first)
    raise JournalContentError(journal.path, f"event {offset} comes before the first configuration")
