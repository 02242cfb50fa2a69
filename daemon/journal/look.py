"""Inspecting a journal while its daemon may be writing to it. Nothing is changed."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import apsw

from daemon.journal import schema
from daemon.journal.errors import JournalDamagedError, JournalFormatError, JournalMissingError, JournalPermissionError


@dataclass(frozen=True, slots=True)
class Look:
    """A journal's id, and how many events it has."""

    id: str
    events: int


def look(path: Path) -> Look | None:
    """Return what is at `path`, or None if there never was a journal. Raise JournalError if it is not sound."""
    if not path.exists():
        left = [beside.name for beside in path.parent.glob(f"{path.name}-wal")]
        if left or path.with_name(f"{path.name}.lock").exists():
            raise JournalMissingError(path, "the file is missing, and there was one")
        return None
    with schema.faults_named(path):
        try:
            db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        except apsw.CantOpenError:
            raise JournalPermissionError(path, "this user may not read it") from None
        with closing(db):
            return _looked_at(path, db)


def _looked_at(path: Path, db: apsw.Connection) -> Look:
    db.set_busy_timeout(schema.BUSY_MS_MAX)
    application, version = db.pragma("application_id"), db.pragma("user_version")
    if (application, version) != (schema.APPLICATION_ID, schema.FORMAT_VERSION):
        raise JournalFormatError(path, "this file is not a feltd journal, or another version of feltd wrote it")
    found = db.pragma("quick_check", 1)
    if found != "ok":
        raise JournalDamagedError(path, f"SQLite's quick_check reports: {found}")
    journal = db.execute("SELECT value FROM meta WHERE key = 'journal'").fetchall()
    events = db.execute("SELECT coalesce(max(offset), 0) FROM events").fetchall()
    return Look(str(journal[0][0]), int(str(events[0][0])))
