"""Who may log in on the page, by the site's file of people: people, and no table, screen or program.

The page logs in to the broker under the name that somebody types. As a table's user it would end the connection of
that table, and a table's password is in a file on the table's machine. So without a place in the file as somebody who
gives commands nobody is let in, also if the broker knows them.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from daemon.config.document import InvalidConfigurationError
from daemon.config.people import People, load_people


class Named:
    """The file of people, as it was when it could last be read. Without a file the broker alone decides."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._people: People | None = None

    def is_named(self, user: str) -> bool:
        """Return whether this user stands in the file as a person, terminal or program."""
        people = self._read()
        return people is not None and user in people.people

    def may_log_in(self, user: str) -> bool:
        """Return whether this user gives commands. Without a file everybody may, and the broker decides."""
        if self._file is None:
            return True
        people = self._read()
        own = None if people is None else people.people.get(user)
        return own is not None and own.role.actor is not None

    def gives_no_commands(self, user: str) -> bool:
        """Return whether the file knows this user as a table, or in a role that only reads."""
        people = self._read()
        if people is None:
            return False
        is_table = any(table.user == user for table in people.tables.values())
        return is_table or (self.is_named(user) and not self.may_log_in(user))

    def _read(self) -> People | None:
        """Read the file again. While it has a mistake it counts as it was, as at a table."""
        if self._file is not None:
            with suppress(InvalidConfigurationError):
                self._people = load_people(self._file)
        return self._people
