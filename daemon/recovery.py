"""Starting where the journal ends: the last snapshot, the events after it, and nothing guessed.

A replay makes the same states as the first time because the reducer is pure; its facts, orders and answers were
committed then and are not said again. A snapshot of another version of the code is passed over: the events are the
truth, a snapshot only saves time.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

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

_WHAT_A_STATE_IS_MADE_BY: Final = (daemon.table, daemon.rules, drivers, protocols)


def code_fingerprint() -> str:
    """A word for the code that makes states: a snapshot is only good for the very same."""
    digest = hashlib.sha256()
    for package in _WHAT_A_STATE_IS_MADE_BY:
        for file in sorted(Path(package.__path__[0]).rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def recover(journal: Journal, code_version: str) -> TableState | None:
    """The table as the journal left it, or None when nothing has happened yet."""
    snapshot = journal.latest_snapshot(TableState, code_version)
    state = snapshot.state if snapshot is not None else None
    for offset, happened in journal.replay(snapshot.offset if snapshot is not None else 0):
        if state is None:
            state = _before(happened, journal, offset)
        state = apply(state, happened).state
    return state


def expect_own(journal: Journal, recovered: TableState, settings: TableSettings) -> None:
    """Refuse another table's journal: its open round, its stakes and its round numbers are not ours to go on with."""
    wrote = f"{recovered.settings.table} of {recovered.settings.site}"
    asks = f"{settings.table} of {settings.site}"
    if wrote != asks:
        raise JournalOfAnotherTableError(journal.path, f"this is the journal of {wrote}, and the table is {asks}")


def _before(first: Input, journal: Journal, offset: int) -> TableState:
    if isinstance(first, Configured):
        return blank(first)
    raise JournalContentError(journal.path, f"event {offset} comes before the first configuration")
