"""The rows of an open journal, each value with the type that it was written with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias, TypeVar

import apsw

from daemon.journal.errors import JournalDamagedError
from daemon.journal.faults import faults_named

_ValueT = TypeVar("_ValueT")
Row: TypeAlias = "tuple[apsw.SQLiteValue, ...]"  # a name that only apsw's stubs have


class Rows:
    """A journal's file, open, as its rows. For the classes that know what the rows mean."""

    def __init__(self, path: Path, db: apsw.Connection) -> None:
        self.path = path
        self._db = db

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    @contextmanager
    def one_moment(self) -> Iterator[None]:
        """Let everything that is read inside be of one moment, whatever a daemon writes meanwhile."""
        with faults_named(self.path, self._db):
            self._db.execute("BEGIN")
        try:
            yield
        finally:
            self._db.execute("ROLLBACK")  # nothing was written

    def _typed(self, kind: type[_ValueT], value: apsw.SQLiteValue) -> _ValueT:
        """Return the value, or raise: SQLite keeps a type beside each, and a flipped bit can make it another."""
        if not isinstance(value, kind):
            raise JournalDamagedError(
                self.path, f"a value is {type(value).__name__}, and was written as {kind.__name__}"
            )
        return value

    def _all(self, select: str, values: Row = ()) -> list[Row]:
        with faults_named(self.path, self._db):
            try:
                return self._db.execute(select, values).fetchall()
            except UnicodeDecodeError as error:
                tables = " or ".join(dict.fromkeys(re.findall(r"FROM (\w+)", select)))
                raise JournalDamagedError(self.path, f"a text in its table {tables} is not UTF-8") from error

    def _first(self, select: str, values: Row = ()) -> Row | None:
        rows = self._all(select, values)
        return rows[0] if rows else None

    def _one(self, select: str) -> Row:
        row = self._first(select)
        if row is None:
            raise JournalDamagedError(self.path, "a row of its table meta is missing")
        return row
