"""Continuing on a copy of a journal, as a deliberate act that is on record."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from daemon.journal.errors import JournalDamagedError, LastRoundUnknownError
from daemon.journal.file import new_id
from daemon.journal.journal import Journal
from daemon.recovery import recover
from daemon.table.inputs import JournalRestored
from daemon.table.reducer import apply
from drivers.events import Stamp

if TYPE_CHECKING:
    from daemon.journal.signing import Signer


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore did: the id from here on and before, its record, and how many records are known to be lost."""

    journal: str
    before: str
    offset: int
    lost: int


def restore(path: Path, at: Stamp, because: str, who: str, last_round: int | None, signer: Signer | None) -> Restored:
    """Record that the file at `path` continues in the place of a lost journal. Raise JournalError if it cannot.

    Where the lock file is lost, too, a person has to say `last_round`.
    """
    with closing(Journal.open(path, create=False, signer=signer, is_restored=True)) as journal:
        state = recover(journal)
        if state is None:
            raise JournalDamagedError(path, "the copy has no record, so there is nothing to continue")
        before, end, remembered = journal.id, journal.last_offset(), journal.remembered
        if remembered is None and last_round is None:
            raise LastRoundUnknownError(path, "the lock file beside it is lost, so nothing here knows the last round")
        happened = JournalRestored(at, new_id(), because, who, max(last_round or 0, journal.rounds_opened))
        committed = journal.append(happened, apply(state, happened))
        journal.checkpoint(at.utc_ns)
        lost = 0 if remembered is None else max(0, remembered.offset - end)
        return Restored(happened.journal, before, committed.offset, lost)
