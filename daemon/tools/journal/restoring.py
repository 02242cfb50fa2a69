"""Continuing on a copy of a journal, as a deliberate act that is on record."""

from __future__ import annotations

import os
import pwd
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from daemon.journal.errors import JournalDamagedError, LastRoundUnknownError
from daemon.journal.file import new_id
from daemon.journal.journal import Journal
from daemon.recovery import recover
from daemon.table.inputs import JournalRestored
from daemon.table.reducer import apply
from drivers.events import Stamp
from protocols.frozen import dataclass

if TYPE_CHECKING:
    from daemon.journal.signing import Signer


LOGIN: Final = Path("/proc/self/loginuid")
"""Who logged in. It stays behind sudo and runuser, and nobody but root can write another one."""


def whose(typed: str | None) -> str:
    """Return who restores, for the record: whose account the system says it is, and the name that was typed, if any.

    What the environment says (LOGNAME, SUDO_USER) is anybody's word.
    """
    account, login = _name_of(os.getuid()), ""
    with suppress(OSError, ValueError, KeyError):  # -1 where nobody logged in, as in a job of the night
        login = pwd.getpwuid(int(LOGIN.read_text())).pw_name
    known = f"account {account}, login {login}" if login and login != account else f"account {account}"
    return f"{known}: {typed}" if typed else known


def _name_of(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


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
