"""Starting where the journal ends: what the last round left, and the inputs after it.

A replay makes the same states as the first time, because the reducer is pure. Its facts, commands and answers were
committed the first time and are not said again. The record of a round's end says what outlives it, in words that every
version reads. So an older or newer version than the one that wrote a journal starts on it in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from daemon.journal.errors import JournalContentError, JournalOfAnotherTableError
from daemon.journal.reading import JournalReader
from daemon.journal.record import Carried
from daemon.table.carry_over import restored
from daemon.table.inputs import Configured
from daemon.table.reducer import apply, blank
from daemon.table.settings import TableSettings
from daemon.table.state import TableState

PROGRESS_INPUTS: Final = 1_000
"""So many inputs are replayed between two words of progress: less than a tenth of a second."""


def recover(journal: JournalReader, on_progress: Callable[[], None] = lambda: None) -> TableState | None:
    """Return the table as the journal left it, or None if the journal is empty.

    `on_progress` is called again and again while many inputs are replayed.
    """
    carried = journal.last_carried()
    if carried is None:
        return replayed(journal, None, journal.base.offset, on_progress)
    offset, what = carried
    return replayed(journal, state_after(journal, offset, what), offset, on_progress)


def state_after(journal: JournalReader, offset: int, what: Carried) -> TableState:
    """Return the table after this record, from what the record carries over."""
    configured = journal.input_at(what.configured)
    if not isinstance(configured, Configured):
        raise JournalContentError(
            journal.path, f"record {what.configured} is not the configuration that {offset} names"
        )
    try:
        return restored(what.table, configured, journal.input_at(offset).at)
    except ValueError as error:
        raise JournalContentError(journal.path, f"record {offset}, what it carries over: {error}") from error


def replayed(
    journal: JournalReader, state: TableState | None, offset: int, on_progress: Callable[[], None] = lambda: None
) -> TableState | None:
    """Return the table after all inputs behind `offset`, at which it was `state`. None is a table before its first."""
    for number, happened in journal.replay(offset):
        if number % PROGRESS_INPUTS == 0:
            on_progress()
        if state is None:
            if not isinstance(happened, Configured):
                raise JournalContentError(journal.path, f"record {number} comes before the first configuration")
            state = blank(happened)
        state = apply(state, happened).state
    return state


def expect_own(journal: JournalReader, recovered: TableState, settings: TableSettings) -> None:
    """Raise if another table wrote the journal: this table must not continue its round, stakes and round numbers."""
    wrote = f"{recovered.settings.table} of {recovered.settings.site}"
    asks = f"{settings.table} of {settings.site}"
    if wrote != asks:
        raise JournalOfAnotherTableError(journal.path, f"this is the journal of {wrote}, and the table is {asks}")
